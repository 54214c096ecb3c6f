/**
 * Settings that changes in mid-run have taken over: their controls show what is in force at the step shown, while the run
 * begins with others, which are kept here.
 */
import { LIVE } from "../run/live.js";
import { segmentAt } from "../run/segments.js";

/** @typedef {import("../run/types.js").Setup} Setup */
/** @typedef {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement} Control */

export class InForce {
  /** @param {(name: string) => Control | null} controlOf a setting */
  constructor(controlOf) {
    this.controlOf = controlOf;
    /** By the name of a setting: what its control shows, and what the run begins with. @type {Map<string, {shown: string, base: string}>} */
    this.taken = new Map();
  }

  /** Each control shows what its run begins with. */
  forget() {
    this.taken.clear();
  }

  /** What a run begins with if a control has this text. @param {string} name @param {string} text */
  textOf(name, text) {
    const taken = this.taken.get(name);
    return taken && taken.shown === text ? taken.base : text;
  }

  /** The text in a control was changed in mid-run. @param {string} name @param {string} base what the run begins with */
  take(name, base) {
    const control = this.controlOf(name);
    if (control) this.taken.set(name, { shown: control.value, base });
  }

  /** Show what is in force at a step; whether a control shows something else now. @param {Setup} setup @param {number} step */
  show(setup, step) {
    if (setup.segments.length < 2 && !this.taken.size) return false;
    let hasChanged = false;
    const { settings } = segmentAt(setup, step);
    for (const name of LIVE) {
      const control = this.controlOf(name);
      if (!control || !(name in settings)) continue;
      const base = this.textOf(name, control.value);
      const text = String(settings[name]);
      const isSame = base === text || (base !== "" && Number(base) === Number(text));
      if (isSame) this.taken.delete(name);
      else this.taken.set(name, { shown: text, base });
      const shown = isSame ? base : text;
      if (control.value === shown) continue;
      control.value = shown;
      hasChanged = true;
    }
    return hasChanged;
  }
}
