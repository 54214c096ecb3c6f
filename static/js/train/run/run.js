/** A run on the page: its setup, its edits, its cached states, and their source. */
import { Snapshots, Losses } from "./store.js";
import { Server } from "./stream.js";

/** @typedef {import("./types.js").Setup} Setup */
/** @typedef {import("./types.js").Source} Source */
/** @typedef {[number, number, number]} Edit  a step, the index of a parameter, its new value */

export class Run {
  /** @param {Setup} setup @param {Edit[]} [edits] @param {Source} [source] by default the server */
  constructor(setup, edits = setup.edits ?? [], source) {
    this.setup = setup;
    this.edits = edits;
    this.losses = new Losses(setup.steps);
    this.snapshots = new Snapshots();
    /** The number of edits of the run before that do not fit this one. */ this.dropped = 0;
    /** @type {Source} */ this.source = source ?? new Server(this.query, setup);
  }

  /** A run of other settings that keeps the edits of the run before, unless its layers are others. @param {Setup} setup @param {Run | null} before */
  static after(setup, before) {
    const edits = before?.edits ?? [];
    const isAlike = before && String(before.setup.layers) === String(setup.layers);
    const kept = isAlike ? edits.filter(([step]) => step <= setup.steps) : [];
    const next = new Run(setup, kept);
    next.dropped = edits.length - kept.length;
    return next;
  }

  /** The run's part of an address: the spec and the edits. */
  get query() {
    const spec = this.setup.query || `data=${this.setup.spec.data}`;
    return [spec, ...editPairs(this.edits)].join("&");
  }

  /** The same run with a weight changed at a step. @param {number} step @param {number} parameter @param {number} value */
  edited(step, parameter, value) {
    const others = this.edits.filter(([at, place]) => at !== step || place !== parameter);
    /** @type {Edit[]} */
    const edits = [...others, /** @type {Edit} */ ([step, parameter, value])].sort((a, b) => a[0] - b[0]);
    return this.#since(step, edits);
  }

  /** The same run without one of its edits. @param {Edit} edit */
  without(edit) {
    return this.#since(edit[0], this.edits.filter((other) => other !== edit));
  }

  /** The same run with other settings from a step on. @param {Setup} setup @param {number} step */
  continued(setup, step) {
    return this.#since(step, setup.edits ?? [], setup);
  }

  /** The run with other edits or settings from `step` on, keeping the cached past. @param {number} step @param {Edit[]} edits @param {Setup} [setup] */
  #since(step, edits, setup = this.setup) {
    const next = new Run(setup, edits);
    const { losses, tests, accuracies, penalties, wholes, known } = this.losses;
    const past = Math.min(known, step);
    next.losses.add({
      from: 0,
      losses: losses.subarray(0, past),
      tests: tests?.subarray(0, past) ?? null,
      accuracies: accuracies?.subarray(0, past) ?? null,
      penalties: penalties?.subarray(0, past) ?? null,
    });
    next.losses.wholes = wholes?.slice().fill(NaN, past) ?? null;
    for (const snapshot of this.snapshots.kept.values()) if (snapshot.step < step) next.snapshots.add(snapshot);
    return next;
  }
}

/** The edits as query parameters, grouped by step. @param {Edit[]} edits */
export function editPairs(edits) {
  /** @type {Map<number, string[]>} */ const steps = new Map();
  for (const [step, place, value] of edits) steps.set(step, [...(steps.get(step) ?? []), `${place}:${value}`]);
  return [...steps].map(([step, texts]) => `set=${texts.join(",")}&at=${step}`);
}
