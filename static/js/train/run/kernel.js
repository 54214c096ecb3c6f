/**
 * A source of states that runs the server's generated WebAssembly in this browser, from a copy of its memory and with
 * the same bits. It holds the steps between two changes of weights by hand; all others are the server's.
 */
import { Machine } from "./machine.js";
import { fetchJson, pathTo } from "./server.js";
import { Server } from "./stream.js";

/** @typedef {import("./types.js").Snapshot} Snapshot */
/** @typedef {import("./types.js").Listener} Listener */
/** @typedef {import("./types.js").Log} Log */
/** @typedef {import("./types.js").Look} Look */
/** @typedef {import("./types.js").Setup} Setup */
/** @typedef {import("./machine.js").Packed} Packed */
/** @typedef {import("./run.js").Run} Run */
/** @typedef {{first: number, last: number}} Span  the steps from `first` to before `last`, or to the end of the run */

const BUDGET = 7; // milliseconds per frame for which "fast" trains
const BETWEEN = 250; // approximate milliseconds of training between checkpoints
const MOST = 200; // maximum number of checkpoints
const PIECE = 64; // steps per call
const BUSY = 10; // maximum milliseconds of blocking the main thread
const LATE = 3; // maximum frames of the pace that one drawn frame makes up for
const NEAR = 2000; // steps that are trained again rather than fetched
const WHOLE = "plot,maps,predictions,activations"; // what a state at rest has

/** The steps around `step` without a weight changed by hand. @param {Run} run @param {number} step @returns {Span} */
function spanAround({ setup, edits }, step) {
  const changes = edits.map(([at]) => at);
  const first = Math.max(0, ...changes.filter((at) => at <= step));
  return { first, last: Math.min(setup.steps, ...changes.filter((at) => at > step)) };
}

/** Retries say nothing: the server trains meanwhile. */
const quietly = () => {};

/** @implements {Source} @typedef {import("./types.js").Source} Source */
export class Kernel {
  /** @param {Machine} machine @param {Span} span @param {Source} server for all other steps */
  constructor(machine, span, server) {
    this.machine = machine;
    this.span = span;
    this.server = server;
    /** Called when playback goes beyond the steps of this kernel. */ this.onLeave = () => {};
    /** @type {Map<number, Uint8Array>} */ this.kept = new Map([[machine.step, machine.save()]]);
    this.keptAt = performance.now();
    /** Milliseconds of a step, last measured. */ this.cost = 0;
    this.running = 0;
    this.isOn = false;
    /** @type {Promise<void>} */ this.busy = Promise.resolve();
  }

  /** Fetch the kernel of a run for the steps around `step`. Throws where WebAssembly is missing or forbidden.
   * @param {Run} run @param {number} step @param {AbortSignal} signal */
  static async take(run, step, signal) {
    const { query, setup } = run;
    if (typeof WebAssembly !== "object") throw new Error("This browser has no WebAssembly; the server trains the run.");
    const span = spanAround(run, step);
    const ask = (/** @type {number} */ at) => fetchJson(pathTo("kernel", query, { step: at }), signal, quietly);
    const isFar = step - span.first > NEAR;
    const [start, there] = /** @type {Packed[]} */ (await Promise.all([span.first, ...(isFar ? [step] : [])].map(ask)));
    const machine = await Machine.start(start, setup);
    const kernel = new Kernel(machine, span, new Server(query, setup));
    if (there) await kernel.#jump(there);
    return kernel;
  }

  /** A kernel of the same run with other numbers for some settings, from its first step; this one is not to be used any more.
   * @param {[import("./machine.js").Setting, number][]} values @param {Setup} setup */
  revised(values, setup) {
    const { machine } = this;
    this.stop();
    machine.restore(/** @type {Uint8Array} */ (this.kept.get(0)));
    for (const [{ writes }, value] of values) for (const [place, factor] of writes) machine.write(place, value * factor);
    machine.setup = setup;
    return new Kernel(machine, { first: 0, last: setup.steps }, new Server(setup.query, setup));
  }

  /** A kernel of the same run with more steps; this one is not to be used any more. @param {Setup} setup @param {Source} server */
  extended(setup, server) {
    this.stop();
    this.machine.setup = setup;
    const next = new Kernel(this.machine, { ...this.span, last: setup.steps }, server);
    next.kept = this.kept;
    return next;
  }

  /** Go on from the memory at a later step. @param {Packed} packed */
  async #jump(packed) {
    await this.machine.fill(packed);
    this.kept.set(this.machine.step, this.machine.save());
  }

  /** Whether the state at a step is this kernel's. @param {number} step */
  holds(step) {
    const { first, last } = this.span;
    return first <= step && (step < last || last === this.machine.setup.steps);
  }

  /** @param {number} step @param {boolean} losses @param {AbortSignal} [signal] @returns {Promise<{snapshot: Snapshot, log: Log | null}>} */
  async state(step, losses, signal) {
    if (!this.holds(step)) return this.server.state(step, losses, signal);
    return this.#inTurn(async () => {
      signal?.throwIfAborted();
      const logs = await this.#go(step);
      return { snapshot: this.machine.snapshot(WHOLE), log: joined(logs) };
    });
  }

  /** The latest checkpoint before `step`, from which its last update is seen; if that is far, the latest at or before it. @param {number} step */
  #nearest(step) {
    const latest = (/** @type {number} */ last) => Math.max(...[...this.kept.keys()].filter((at) => at <= last));
    const before = latest(step - 1);
    return step - before <= NEAR ? before : latest(step);
  }

  /** Serialise access to the machine, which has one current step. @template T @param {() => Promise<T>} task @returns {Promise<T>} */
  #inTurn(task) {
    const done = this.busy.then(task);
    this.busy = done.then(() => {}, () => {});
    return done;
  }

  /** Train up to the step of a run that is under way elsewhere. @param {() => number} goal its step, which grows */
  async reach(goal) {
    while (this.holds(goal()) && this.machine.step < goal()) await this.#inTurn(() => this.#go(goal()));
  }

  /** Seek to a step, yielding to the main thread on the way.
   * @param {number} step @returns {Promise<Log[]>} the logs of the steps trained */
  async #go(step) {
    const { machine } = this;
    const nearest = this.#nearest(step);
    const isThere = machine.step === step && (machine.before.step === step || nearest === step);
    if (!isThere && (step <= machine.step || nearest > machine.step)) machine.restore(/** @type {Uint8Array} */ (this.kept.get(nearest)));
    /** @type {Log[]} */ const logs = [];
    let rested = performance.now();
    while (machine.step < step) {
      const from = machine.step;
      this.#train(Math.min(this.#affordable(BUSY), step - from));
      this.#keep();
      logs.push(machine.log(from, machine.step));
      if (performance.now() - rested < BUSY) continue;
      await new Promise((then) => setTimeout(then));
      rested = performance.now();
    }
    return logs;
  }

  /** The steps of a call that takes some milliseconds. @param {number} time */
  #affordable(time) {
    return this.cost ? Math.max(1, Math.min(PIECE, Math.floor(time / this.cost))) : 1;
  }

  /** @param {number} count */
  #train(count) {
    const start = performance.now();
    this.machine.train(count);
    this.cost = (performance.now() - start) / count;
  }

  /** Milliseconds of a frame: its steps, and its state as far as it is seen. @param {Look} look */
  frameTime({ every, see }) {
    this.machine.snapshot(see); // the first one takes longer
    const start = performance.now();
    this.machine.snapshot(see);
    return performance.now() - start + (every === "fast" ? 0 : every * this.cost);
  }

  #keep() {
    const now = performance.now();
    if (now - this.keptAt < BETWEEN) return;
    this.keptAt = now;
    this.kept.set(this.machine.step, this.machine.save());
    if (this.kept.size <= MOST) return;
    [...this.kept.keys()].sort((a, b) => a - b).forEach((step, i) => i % 2 && this.kept.delete(step));
  }

  /** @param {number} from @param {Look} look @param {Listener} listener */
  async start(from, look, listener) {
    this.stop();
    this.isOn = true;
    if (!this.holds(from)) return this.#leave(from, look, listener);
    const logs = joined(await this.#inTurn(() => this.#go(from)));
    if (!this.isOn) return;
    if (logs) listener.onLog(logs);
    const begun = performance.now();
    let shown = 0;
    const tick = () => {
      if (!this.isOn) return;
      this.running = requestAnimationFrame(tick);
      const due = Math.floor(((performance.now() - begun) / 1000) * look.fps);
      if (due <= shown) return;
      const frames = Math.min(due - shown, LATE);
      shown = due; // do not catch up after the page was suspended
      this.#advance(look, frames, listener);
    };
    this.running = requestAnimationFrame(tick);
  }

  /** The server goes on from a step that this kernel does not hold. @param {number} step @param {Look} look @param {Listener} listener */
  #leave(step, look, listener) {
    cancelAnimationFrame(this.running);
    this.server.start(step, look, listener);
    this.onLeave();
  }

  /** @param {Look} look @param {number} frames @param {Listener} listener */
  #advance(look, frames, listener) {
    const { machine } = this;
    const { last } = this.span;
    const { steps } = machine.setup;
    const from = machine.step;
    if (look.every === "fast") this.#hurry(from, last);
    else this.#train(Math.max(0, Math.min(look.every * frames, last - from)));
    this.#keep();
    const to = machine.step;
    if (!this.holds(to)) {
      listener.onLog(machine.log(from, to));
      return this.#leave(to, look, listener);
    }
    if (to > from) listener.onSnapshot(machine.snapshot(look.see), machine.log(from, to));
    if (to < steps) return;
    this.stop();
    listener.onDone();
  }

  /** Train for BUDGET, but no more steps than the log holds. @param {number} from @param {number} last */
  #hurry(from, last) {
    const { machine } = this;
    const end = performance.now() + BUDGET;
    const most = Math.min(last, from + machine.layout.logged);
    while (machine.step < most && performance.now() < end) {
      this.#train(Math.min(this.#affordable(end - performance.now()), most - machine.step));
    }
  }

  stop() {
    this.isOn = false;
    cancelAnimationFrame(this.running);
    this.server.stop();
  }
}

/** Concatenate consecutive logs. @param {Log[]} logs @returns {Log | null} */
function joined(logs) {
  if (!logs.length) return null;
  const all = (/** @type {"losses" | "tests" | "accuracies" | "penalties"} */ key) => (logs[0][key] ? logs.flatMap((log) => [...Array.from(log[key] ?? [])]) : null);
  return { from: logs[0].from, losses: all("losses") ?? [], tests: all("tests"), accuracies: all("accuracies"), penalties: all("penalties") };
}
