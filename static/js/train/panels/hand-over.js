/**
 * Where a run is trained. Playback begins with the server's stream; meanwhile the page fetches the kernel and carries on
 * by itself, with the same bits, where WebAssembly is there, allowed and quick enough.
 */
import { at, write } from "../../common/elements.js";
import { keepsUp } from "../run/carried.js";
import { Kernel } from "../run/kernel.js";

/** @typedef {import("../run/player.js").Player} Player */
/** @typedef {import("../run/run.js").Run} Run */

export class HandOver {
  /** @param {Player} player */
  constructor(player) {
    this.player = player;
    this.words = Object.assign(document.createElement("p"), { className: "phase-words", id: "local-words", hidden: true });
    this.words.setAttribute("role", "status");
    at("stage").append(this.words);
    /** Called when this browser trains a run; with its kernel at the first step, if it has come just now.
     * @type {(run: Run, own?: import("../run/machine.js").Packed | null) => void} */ this.onTaken = () => {};
    /** The taking of a kernel under way. @type {AbortController | null} */ this.taking = null;
    /** When and where playback began. */ this.begun = { time: 0, step: 0 };
    player.watch({ onPlaying: (playing) => this.#begin(playing), onPace: (words) => this.#pace(words) });
  }

  revise = this.load;

  /** A new run starts on the server, unless it came with a kernel. @param {Run} run */
  load(run) {
    const { source } = run;
    this.taking?.abort();
    this.taking = null;
    this.#show(source instanceof Kernel);
    if (source instanceof Kernel) this.onTaken(run);
  }

  /** @param {boolean} isHere */
  #show(isHere) {
    document.documentElement.toggleAttribute("data-trains-here", isHere);
  }

  /** Say that a stream is slower than asked. @param {string | null} words */
  #pace(words) {
    this.words.hidden = !words;
    if (words) write(this.words, words);
  }

  /** @param {boolean} playing */
  #begin(playing) {
    if (!playing) return;
    this.begun = { time: performance.now(), step: this.player.at };
    this.#carryOn();
  }

  /** Take the run over if this browser can; otherwise the server's stream goes on. */
  async #carryOn() {
    const { run, newest } = this.player;
    if (!run || this.taking || this.#holds(run, newest)) return;
    const taking = new AbortController();
    this.taking = taking;
    try {
      const kernel = await this.#reached(run, taking.signal);
      if (taking.signal.aborted || !this.#isQuick(kernel)) return;
      this.#relay(run, kernel);
    } catch {
      // Without WebAssembly the server trains.
    } finally {
      if (this.taking === taking) this.taking = null;
    }
  }

  /** @param {Run} run @param {number} step */
  #holds({ source }, step) {
    return source instanceof Kernel && source.holds(step);
  }

  /** A kernel that has reached the run. @param {Run} run @param {AbortSignal} signal */
  async #reached(run, signal) {
    const { player } = this;
    for (;;) {
      const kernel = await Kernel.take(run, player.newest, signal);
      await kernel.reach(() => (signal.aborted ? 0 : player.newest));
      if (signal.aborted || kernel.holds(player.newest)) return kernel;
    }
  }

  /** @param {Kernel} kernel */
  #isQuick(kernel) {
    const { playing, speed, see, newest } = this.player;
    if (!playing) return true;
    const every = speed.every === "fast" ? 1 : speed.every;
    const carried = (1000 * (newest - this.begun.step)) / every / (performance.now() - this.begun.time);
    return keepsUp(kernel.frameTime({ ...speed, see }), speed, carried);
  }

  /** @param {Run} run @param {Kernel} kernel */
  #relay(run, kernel) {
    if (this.player.run !== run) return;
    kernel.onLeave = () => this.#carryOn();
    this.player.relay(kernel);
    this.#show(true);
    this.onTaken(run, run.edits.length || run.setup.segments.length > 1 ? null : kernel.machine.packed);
  }

  /** Take the run over at rest as well. */
  async take() {
    const { run } = this.player;
    if (run) this.#relay(run, await this.#reached(run, new AbortController().signal));
  }
}
