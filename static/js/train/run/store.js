/** The cached data of a run: the losses so far, and an LRU cache of states. */

/** @typedef {import("./types.js").Snapshot} Snapshot */
/** @typedef {import("./types.js").Log} Log */

const ROOM = 48 * 2 ** 20; // bytes of states

/** Losses by step, contiguous from step 0. */
export class Losses {
  /** @param {number} steps */
  constructor(steps) {
    /** Those before each step, and the one after the last. */ this.all = new Float64Array(steps + 1).fill(NaN);
    this.losses = this.all.subarray(0, steps);
    /** @type {Float64Array | null} with the one after the last step */ this.tests = null;
    /** @type {Float64Array | null} */ this.accuracies = null;
    /** Losses over all training data, of the steps whose state was seen. @type {Float64Array | null} */ this.wholes = null;
    /** The penalty in the loss, of the same steps. @type {Float64Array | null} */ this.penalties = null;
    /** The number of steps whose loss is known. */
    this.known = 0;
    this.isEnded = false;
  }

  /** The number of losses on a chart: one more than `known` once that after the last step is noted. */
  get drawn() {
    return this.known + Number(this.isEnded && this.known === this.losses.length);
  }

  /** Add a log; false if it would leave a gap.
   * @param {Log} log @returns {boolean} */
  add({ from, losses, tests, accuracies, penalties }) {
    if (from > this.known) return false;
    const room = Math.min(losses.length, this.losses.length - from);
    for (let i = 0; i < room; i += 1) this.losses[from + i] = losses[i];
    if (tests) this.tests = filled(this.tests, this.all.length, from, tests);
    if (accuracies) this.accuracies = filled(this.accuracies, this.losses.length, from, accuracies);
    if (penalties) this.penalties = filled(this.penalties, this.all.length, from, penalties);
    this.known = Math.max(this.known, from + room);
    return true;
  }

  /** Note the losses after the last step. @param {Snapshot} snapshot */
  end({ step, loss, testLoss }) {
    if (step !== this.losses.length) return;
    this.isEnded = true;
    this.all[step] = loss;
    if (testLoss !== null) this.tests = filled(this.tests, this.all.length, step, [testLoss]);
  }

  /** Note what is known of a step whose state is seen. @param {Snapshot} snapshot */
  note({ step, wholeLoss, penalty }) {
    if (wholeLoss !== null) this.wholes = filled(this.wholes, this.all.length, step, [wholeLoss]);
    if (penalty) this.penalties = filled(this.penalties, this.all.length, step, [penalty]);
  }
}

/** @param {Float64Array | null} kept @param {number} size @param {number} from @param {ArrayLike<number>} news */
function filled(kept, size, from, news) {
  const all = kept ?? new Float64Array(size).fill(NaN);
  for (let i = 0; i < news.length && from + i < size; i += 1) all[from + i] = news[i];
  return all;
}

/** Whether a state is full, with predictions and gradient. @param {Snapshot} snapshot */
export const isWhole = (snapshot) => snapshot.predictions !== null && snapshot.gradient !== null;

/** States by step; evicts the least recently used. */
export class Snapshots {
  constructor(room = ROOM) {
    this.room = room;
    this.size = 0;
    /** @type {Map<number, Snapshot>} */ this.kept = new Map();
  }

  /** Add a state, unless a full one is cached and this is partial. @param {Snapshot} snapshot @returns {Snapshot} the cached one */
  add(snapshot) {
    const old = this.kept.get(snapshot.step);
    if (old && isWhole(old) && !isWhole(snapshot)) return old;
    this.#drop(snapshot.step);
    this.kept.set(snapshot.step, snapshot);
    this.size += snapshot.bytes;
    for (const step of this.kept.keys()) {
      if (this.size <= this.room || step === snapshot.step) break;
      this.#drop(step);
    }
    return snapshot;
  }

  /** @param {number} step @returns {Snapshot | null} */
  get(step) {
    const snapshot = this.kept.get(step);
    if (!snapshot) return null;
    this.kept.delete(step);
    this.kept.set(step, snapshot);
    return snapshot;
  }

  /** One number of every cached state by step, such as the history of a weight.
   * @param {(snapshot: Snapshot) => number | null} pick @returns {[number, number][]} */
  history(pick) {
    /** @type {[number, number][]} */ const found = [];
    for (const snapshot of this.kept.values()) {
      const value = pick(snapshot);
      if (value !== null) found.push([snapshot.step, value]);
    }
    return found.sort((a, b) => a[0] - b[0]);
  }

  /** @param {number} step */
  #drop(step) {
    this.size -= this.kept.get(step)?.bytes ?? 0;
    this.kept.delete(step);
  }
}
