/**
 * “Run in this browser”: a source of states that runs the server's generated WebAssembly from a copy of
 * its memory, bit-identical to the server.
 */
import { Machine, unpacked } from "./machine.js";
import { fetchJson, pathTo } from "./server.js";

/** @typedef {import("./types.js").Snapshot} Snapshot */
/** @typedef {import("./types.js").Listener} Listener */
/** @typedef {import("./types.js").Log} Log */
/** @typedef {import("./types.js").Setup} Setup */
/** @typedef {import("./types.js").Speed} Speed */

const BUDGET = 7; // milliseconds per frame for which "fast" trains
const BETWEEN = 250; // approximate milliseconds of training between checkpoints
const MOST = 200; // maximum number of checkpoints
const PIECE = 64; // steps per call
const BUSY = 30; // maximum milliseconds of blocking the main thread

/** @implements {Source} @typedef {import("./types.js").Source} Source */
export class Kernel {
  /** @param {Machine} machine @param {Uint8Array | null} inputs maps of the inputs @param {Source} server for steps before the first checkpoint */
  constructor(machine, inputs, server) {
    this.machine = machine;
    this.inputs = inputs;
    this.server = server;
    this.first = machine.step;
    /** @type {Map<number, Uint8Array>} */ this.kept = new Map([[this.first, machine.save()]]);
    this.keptAt = performance.now();
    this.running = 0;
    this.isOn = false;
    /** @type {Promise<void>} */ this.busy = Promise.resolve();
  }

  /** Take over a run at a step, with a checkpoint at `first`, the step of the last edit, or 0.
   * @param {string} query @param {number} step @param {number} first @param {Setup} setup @param {Uint8Array | null} inputs @param {Source} server */
  static async take(query, step, first, setup, inputs, server) {
    const [packed, start] = await Promise.all([step, first].map((at) => fetchJson(pathTo("kernel", query, { step: at }))));
    const kernel = new Kernel(await Machine.start(packed, setup), inputs, server);
    kernel.kept.set(first, (await unpacked(start.memory)).slice(0, packed.layout.saved));
    kernel.first = first;
    return kernel;
  }

  /** @param {number} step @param {boolean} losses @param {AbortSignal} [signal] @returns {Promise<{snapshot: Snapshot, log: Log | null}>} */
  async state(step, losses, signal) {
    if (step < this.first) return this.server.state(step, losses, signal);
    return this.#inTurn(async () => {
      signal?.throwIfAborted();
      const logs = await this.#go(step);
      return { snapshot: this.machine.snapshot(this.inputs), log: joined(logs) };
    });
  }

  /** The latest checkpoint at or before `step`. @param {number} step */
  #nearest(step) {
    return Math.max(...[...this.kept.keys()].filter((at) => at <= step));
  }

  /** Serialise access to the machine, which has one current step. @template T @param {() => Promise<T>} task @returns {Promise<T>} */
  #inTurn(task) {
    const done = this.busy.then(task);
    this.busy = done.then(() => {}, () => {});
    return done;
  }

  /** Seek to a step, yielding to the main thread on the way.
   * @param {number} step @returns {Promise<Log[]>} the logs of the steps trained */
  async #go(step) {
    const { machine } = this;
    const nearest = this.#nearest(step);
    if (step < machine.step || nearest > machine.step) machine.restore(/** @type {Uint8Array} */ (this.kept.get(nearest)));
    /** @type {Log[]} */ const logs = [];
    let rested = performance.now();
    while (machine.step < step) {
      const from = machine.step;
      machine.train(Math.min(PIECE, step - from));
      this.#keep();
      logs.push(machine.log(from, machine.step));
      if (performance.now() - rested < BUSY) continue;
      await new Promise((then) => setTimeout(then));
      rested = performance.now();
    }
    return logs;
  }

  #keep() {
    const now = performance.now();
    if (now - this.keptAt < BETWEEN) return;
    this.keptAt = now;
    this.kept.set(this.machine.step, this.machine.save());
    if (this.kept.size <= MOST) return;
    [...this.kept.keys()].sort((a, b) => a - b).forEach((step, i) => i % 2 && this.kept.delete(step));
  }

  /** @param {number} from @param {Speed} speed @param {Listener} listener */
  async start(from, speed, listener) {
    this.stop();
    this.isOn = true;
    if (from < this.first) return this.server.start(from, speed, listener);
    const logs = joined(await this.#inTurn(() => this.#go(from)));
    if (!this.isOn) return;
    if (logs) listener.onLog(logs);
    let begun = performance.now();
    let shown = 0;
    const tick = () => {
      if (!this.isOn) return;
      this.running = requestAnimationFrame(tick);
      const due = Math.floor(((performance.now() - begun) / 1000) * speed.fps);
      if (due <= shown) return;
      if (due > shown + 2) begun = performance.now() - ((shown + 1) * 1000) / speed.fps; // do not catch up after the page was suspended
      shown += 1;
      this.#advance(speed, listener);
    };
    this.running = requestAnimationFrame(tick);
  }

  /** @param {Speed} speed @param {Listener} listener */
  #advance({ every }, listener) {
    const { machine } = this;
    const { steps } = machine.setup;
    const from = machine.step;
    if (every === "fast") this.#hurry(from, steps);
    else machine.train(Math.min(every, steps - from));
    this.#keep();
    const to = machine.step;
    if (to > from) listener.onSnapshot(machine.snapshot(this.inputs), machine.log(from, to));
    if (to < steps) return;
    this.stop();
    listener.onDone();
  }

  /** Train for BUDGET, but no more steps than the log holds. @param {number} from @param {number} steps */
  #hurry(from, steps) {
    const { machine } = this;
    const end = performance.now() + BUDGET;
    const most = Math.min(steps, from + machine.layout.logged);
    for (let count = 1; machine.step < most && performance.now() < end; count *= 2) {
      machine.train(Math.min(count, PIECE, most - machine.step));
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
  const all = (/** @type {"losses" | "tests" | "accuracies"} */ key) => (logs[0][key] ? logs.flatMap((log) => [...Array.from(log[key] ?? [])]) : null);
  return { from: logs[0].from, losses: all("losses") ?? [], tests: all("tests"), accuracies: all("accuracies") };
}
