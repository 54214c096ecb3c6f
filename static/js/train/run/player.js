/**
 * Which step is shown, and the passing of time. Snapshots that arrive wait in a short queue, one for
 * each picture the screen shows, so that an uneven connection still looks even.
 */

import { Renewed } from "./server.js";
import { isWhole } from "./store.js";

/** @typedef {import("./types.js").Snapshot} Snapshot */
/** @typedef {import("./types.js").Log} Log */
/** @typedef {import("./types.js").Speed} Speed */
/** @typedef {import("./run.js").Run} Run */

const QUEUE = 3; // snapshots that may wait: more would be delay

/**
 * @typedef {{
 *   onSnapshot?: () => void, onPlaying?: (playing: boolean) => void, onTrouble?: (words: string | null) => void,
 * }} Watcher  told of each new state or step, of play and pause, and of what is in the way (null: nothing any more)
 */

export class Player {
  constructor() {
    /** @type {Watcher[]} */ this.watchers = [];
    /** @type {Run | null} the run that is shown */ this.run = null;
    this.playing = false;
    /** @type {Speed} */ this.speed = { every: 1, fps: 60 };
    /** @type {Snapshot | null} */ this.snapshot = null;
    this.at = 0;
    /** @type {Snapshot[]} */ this.queue = [];
    this.isDone = false;
    /** @type {AbortController | null} */ this.asking = null;
    /** @type {number | null} */ this.goal = null;
  }

  /** @param {Watcher} watcher */
  watch(watcher) {
    this.watchers.push(watcher);
  }

  get source() {
    return this.run?.source ?? null;
  }

  get steps() {
    return this.run?.setup.steps ?? 0;
  }

  get losses() {
    return this.run?.losses ?? null;
  }

  get snapshots() {
    return this.run?.snapshots ?? null;
  }

  /** Another run. @param {Run} run */
  load(run) {
    this.pause();
    this.#forget();
    this.run = run;
    this.snapshot = null;
  }

  #renewed() {
    for (const watcher of this.watchers) watcher.onSnapshot?.();
  }

  #turned() {
    for (const watcher of this.watchers) watcher.onPlaying?.(this.playing);
  }

  /** @param {string | null} words */
  #tell(words) {
    for (const watcher of this.watchers) watcher.onTrouble?.(words);
  }

  toggle() {
    if (this.playing) this.pause();
    else this.play();
  }

  async play() {
    if (this.playing || !this.source || !this.steps) return;
    this.playing = true;
    this.#turned();
    if (this.at >= this.steps) await this.#show(0);
    this.#start();
  }

  /** Nobody waits for the state that was asked for. */
  #forget() {
    this.asking?.abort();
    this.asking = null;
    this.goal = null;
  }

  /** Fill what is missing before, then listen. */
  async #start() {
    const { source, losses, at } = this;
    if (!source || !losses || !this.playing) return;
    this.#forget();
    this.isDone = false;
    if (losses.known < at && !(await this.#fill(at))) return;
    if (!this.playing || this.source !== source) return;
    source.start(at, this.speed, {
      onSnapshot: (snapshot, log) => this.#arrive(snapshot, log),
      onLog: (log) => this.losses?.add(log),
      onDone: () => this.#end(),
      onTrouble: (words) => this.#tell(words),
      onRefused: (error) => this.#fail(error),
    });
  }

  /** The losses before `step`, after a jump over steps never seen. @param {number} step */
  async #fill(step) {
    try {
      const found = await this.source?.state(step, true);
      if (found?.log) this.losses?.add(found.log);
      return true;
    } catch (error) {
      this.#fail(error);
      return false;
    }
  }

  /** @param {Snapshot} snapshot @param {Log | null} log */
  #arrive(snapshot, log) {
    if (!this.playing) return;
    if (log) this.losses?.add(log);
    this.queue.push(this.snapshots?.add(snapshot) ?? snapshot);
    if (this.queue.length > QUEUE) this.queue.shift(); // nobody looks while the page is hidden
    this.#renewed();
  }

  #end() {
    this.isDone = true;
    this.#renewed();
  }

  /** Called for each picture of the screen; whether there is something new on it. @returns {boolean} */
  tick() {
    const next = this.queue.shift();
    if (next) this.#take(next);
    if (this.isDone && !this.queue.length && this.playing) this.pause();
    return next !== undefined;
  }

  get waiting() {
    return this.queue.length > 0 || (this.isDone && this.playing);
  }

  /** @param {Snapshot} snapshot */
  #take(snapshot) {
    this.snapshot = snapshot;
    this.at = snapshot.step;
  }

  pause() {
    this.queue.length = 0;
    if (!this.playing) return;
    this.playing = false;
    this.source?.stop();
    this.#tell(null);
    this.#turned();
  }

  /** @param {Speed} speed */
  setSpeed(speed) {
    this.speed = speed;
    if (!this.playing) return;
    this.source?.stop();
    this.queue.length = 0;
    this.#start();
  }

  /** Go to a step by hand, which ends the playing. @param {number} step @returns {Promise<void>} */
  go(step) {
    this.pause();
    return this.#show(Math.min(Math.max(Math.round(step), 0), this.steps));
  }

  /** Only the last step asked for is fetched, and one at a time: dragging asks for many. @param {number} step */
  async #show(step) {
    this.at = step;
    const kept = this.snapshots?.get(step);
    if (kept) {
      this.#take(kept);
      this.goal = null;
    } else this.goal = step;
    this.#renewed();
    if (!this.asking) await this.#fetch();
  }

  async #fetch() {
    while (this.goal !== null && this.source && this.losses) {
      const goal = this.goal;
      const asking = new AbortController();
      this.asking = asking;
      try {
        const { snapshot, log } = await this.source.state(goal, goal > this.losses.known, asking.signal);
        if (asking.signal.aborted) return;
        this.#answered(goal, snapshot, log);
      } catch (error) {
        if (asking.signal.aborted) return;
        this.#fail(error);
        this.goal = null;
      }
      this.asking = null;
    }
  }

  /** @param {number} goal @param {Snapshot} snapshot @param {Log | null} log */
  #answered(goal, snapshot, log) {
    if (log) this.losses?.add(log);
    this.snapshots?.add(snapshot);
    if (this.goal === goal) this.goal = null;
    if (this.playing) return;
    this.snapshot = snapshot; // while dragging on, the newest picture there is
    if (this.goal === null) this.at = snapshot.step;
    this.#tell(null);
    this.#renewed();
  }

  /** The whole state of the step shown, predictions and batch too, once nothing moves. */
  complete() {
    if (this.playing || this.goal !== null || (this.snapshot && isWhole(this.snapshot))) return;
    this.goal = this.at;
    if (!this.asking) this.#fetch();
  }

  /** @param {unknown} error */
  #fail(error) {
    if (this.playing) this.pause();
    if (error instanceof Renewed) return; // the page says so itself
    const words = error instanceof TypeError ? "The server does not answer." : String(error instanceof Error ? error.message : error);
    this.#tell(words);
  }
}
