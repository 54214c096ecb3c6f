/** The panel with the explanation of the current frame. */
import { at } from "../common/elements.js";
import { explain, templates } from "./explain.js";

/** @typedef {import("./trace.js").Trace} Trace */

export class Explanation {
  constructor() {
    /** @type {import("./explain.js").Templates} */ this.templates = new Map();
    this.tallest = 0; // height in pixels of the tallest explanation of this program so far
    this.measuring = 0;
  }

  /** Load the templates of a new result. */
  load() {
    this.tallest = 0;
    this.templates = templates(at("result"));
  }

  /** @param {Trace} trace @param {number} k @param {string} place the frame's, in words */
  show(trace, k, place) {
    const { pass } = trace.frames[k];
    this.renew(trace, k);
    this.#keepRoom();
    at("frame-title").textContent = `${place[0].toUpperCase()}${place.slice(1)}`;
    at("pass").textContent = pass;
    at("pass").className = `pass ${pass}`;
  }

  /** The same frame with other numbers. @param {Trace} trace @param {number} k */
  renew(trace, k) {
    explain(at("explanation"), this.templates, trace, k);
  }

  /** The explanation on one line, for a screen reader. */
  get words() {
    return at("explanation").textContent?.replace(/\s+/g, " ").trim() ?? "";
  }

  /** Keep the height of the tallest explanation, so that the content below does not jump. */
  #keepRoom() {
    cancelAnimationFrame(this.measuring);
    this.measuring = requestAnimationFrame(() => {
      const room = document.getElementById("explanation-room");
      if (!room) return;
      this.tallest = Math.max(this.tallest, at("explanation").offsetHeight);
      room.style.minHeight = `${this.tallest}px`;
    });
  }
}
