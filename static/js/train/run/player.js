/**
 * The playback of a run. Incoming snapshots are queued and shown one per animation frame, which smooths
 * network jitter.
 */
import { ServerUpdated } from "./server.js";
import { isWhole } from "./store.js";

/** @typedef {import("./types.js").Snapshot} Snapshot */
/** @typedef {import("./types.js").Log} Log */
/** @typedef {import("./types.js").Speed} Speed */
/** @typedef {import("./types.js").Source} Source */
/** @typedef {import("./run.js").Run} Run */

const QUEUE = 3; // maximum length of the queue; a longer one would add latency
const ENOUGH = 20; // minimum number of past states, evenly spaced

/**
 * @typedef {{
 *   onSnapshot?: () => void, onPlaying?: (playing: boolean) => void, onProblem?: (words: string | null) => void,
 *   onPace?: (words: string | null) => void,
 * }} Watcher  callbacks for a new state or step, for play and pause, for problems (null: resolved), and for a pace below the
 *   asked one (null: as asked)
 */

export class Player {
  constructor() {
    /** @type {Watcher[]} */ this.watchers = [];
    /** @type {Run | null} the run shown */ this.run = null;
    this.playing = false;
    /** @type {Speed} */ this.speed = { every: 1, fps: 60 };
    /** What the page shows, in the terms of a stream. */ this.see = "plot,maps";
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

  /** The last step that arrived, shown soon. */
  get newest() {
    return this.queue.at(-1)?.step ?? this.at;
  }

  get losses() {
    return this.run?.losses ?? null;
  }

  get snapshots() {
    return this.run?.snapshots ?? null;
  }

  /** Show another run. @param {Run} run */
  load(run) {
    this.pause();
    this.#forget();
    this.run = run;
    this.snapshot = null;
  }

  /** @param {keyof Watcher} name @param {any} [value] */
  #notify(name, value) {
    for (const watcher of this.watchers) watcher[name]?.(/** @type {never} */ (value));
  }

  toggle() {
    if (this.playing) this.pause();
    else this.play();
  }

  async play() {
    if (this.playing || !this.source || !this.steps) return;
    this.playing = true;
    this.#notify("onPlaying", this.playing);
    if (this.at >= this.steps) await this.#show(0);
    this.#start();
  }

  /** Cancel the pending request. */
  #forget() {
    this.asking?.abort();
    this.asking = null;
    this.goal = null;
  }

  /** Fetch missing losses, then start the source. */
  async #start() {
    const { source, losses, newest } = this;
    if (!source || !losses || !this.playing) return;
    this.#forget();
    this.isDone = false;
    if (losses.known < newest && !(await this.#fill(newest))) return;
    if (!this.playing || this.source !== source) return;
    source.start(newest, { ...this.speed, see: this.see }, {
      onSnapshot: (snapshot, log) => this.#arrive(snapshot, log),
      onLog: (log) => this.losses?.add(log),
      onDone: () => this.#end(),
      onProblem: (words) => this.#notify("onProblem", words),
      onRefused: (error) => this.#fail(error),
      onPace: (words) => this.#notify("onPace", words),
    });
  }

  /** Fetch the losses before `step`, after a jump over unseen steps. @param {number} step */
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

  /** Queue a state; whether the page keeps up with drawing. @param {Snapshot} snapshot @param {Log | null} log */
  #arrive(snapshot, log) {
    if (!this.playing) return true;
    if (log) this.losses?.add(log);
    this.queue.push(this.snapshots?.add(snapshot) ?? snapshot);
    const isLate = this.queue.length > QUEUE;
    if (isLate) this.queue.shift();
    this.#notify("onSnapshot");
    return !isLate || document.hidden; // a hidden page shows no frames
  }

  #end() {
    this.isDone = true;
    this.#notify("onSnapshot");
  }

  /** Advance by one animation frame; whether there is a new state. @returns {boolean} */
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
    this.#notify("onProblem", null);
    this.#notify("onPace", null);
    this.#notify("onPlaying", this.playing);
  }

  /** @param {Speed} speed */
  setSpeed(speed) {
    this.speed = speed;
    this.queue.length = 0;
    this.#startAgain();
  }

  /** The page shows something else from now on. @param {string} see */
  look(see) {
    if (see === this.see) return;
    this.see = see;
    this.#startAgain();
  }

  /** Take the states of the run from another source, without a pause. @param {Source} source */
  relay(source) {
    const { run } = this;
    if (!run) return;
    run.source.stop();
    run.source = source;
    if (this.playing) this.#notify("onProblem", null); // it was that of the source before
    this.#notify("onPace", null);
    this.#startAgain();
  }

  /** During playback, start the source from the last step that arrived, unless that is the end. */
  #startAgain() {
    if (!this.playing || this.isDone) return;
    this.source?.stop();
    this.#start();
  }

  /** Pause and go to a step. @param {number} step @returns {Promise<void>} */
  go(step) {
    this.pause();
    return this.#show(Math.min(Math.max(Math.round(step), 0), this.steps));
  }

  /** Show a step, fetching only the last one requested, one at a time: dragging requests many. @param {number} step */
  async #show(step) {
    this.at = step;
    const kept = this.snapshots?.get(step);
    if (kept) {
      this.#take(kept);
      this.goal = null;
    } else this.goal = step;
    this.#notify("onSnapshot");
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
    else if (this.goal === null || this.snapshot?.step === this.at) return; // the step chosen meanwhile is shown
    if (this.playing) return;
    this.snapshot = snapshot; // while dragging, the latest available
    if (this.goal === null) this.at = snapshot.step;
    this.#notify("onProblem", null);
    this.#notify("onSnapshot");
  }

  /** At rest, fetch the full state of the step shown, with predictions and batch. */
  complete() {
    if (this.playing || this.goal !== null || (this.snapshot && isWhole(this.snapshot))) return;
    this.goal = this.at;
    if (!this.asking) this.#fetch();
  }

  /** @param {unknown} error */
  #fail(error) {
    if (this.playing) this.pause();
    if (error instanceof ServerUpdated) return; // reported by `offerReload`
    const words = error instanceof TypeError ? "The server does not respond." : String(error instanceof Error ? error.message : error);
    this.#notify("onProblem", words);
  }
}

/** Fetch missing past states; whether the run was neither replaced nor played meanwhile.
 * @param {Player} player @returns {Promise<boolean>} */
export async function recall(player) {
  const { run, at } = player;
  for (let i = 0; i <= ENOUGH && run; i += 1) {
    const step = Math.round((at * i) / ENOUGH);
    if (run.snapshots.kept.has(step)) continue;
    const found = await run.source.state(step, false).catch(() => null);
    if (!found || run !== player.run || player.playing) return false;
    run.snapshots.add(found.snapshot);
  }
  return true;
}
