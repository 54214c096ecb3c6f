/** The playback of frames, and the timeline that shows and moves it. */
import { at, find, showPlaying } from "../common/elements.js";

/** @typedef {import("./trace.js").Trace} Trace */

const PACE = 1000; // milliseconds per frame at speed 1

/** The playback of frames, independent of the picture. */
export class Player {
  /** @param {(at: number) => void} onFrame @param {(playing: boolean) => void} onPlaying */
  constructor(onFrame, onPlaying) {
    this.onFrame = onFrame;
    this.onPlaying = onPlaying;
    this.at = 0;
    this.last = 0;
    /** @type {number[]} */ this.steps = [0];
    this.speed = 1;
    /** @type {number | undefined} */
    this.timer = undefined;
  }

  get playing() {
    return this.timer !== undefined;
  }

  /** Start on another trace. @param {number[]} steps the frames to step through @param {number} at */
  load(steps, at) {
    this.pause();
    const last = steps[steps.length - 1];
    this.steps = steps;
    this.last = last;
    this.at = Math.min(Math.max(at, 0), last);
    this.onFrame(this.at);
  }

  /** @param {number} at */
  go(at) {
    const next = Math.min(Math.max(at, 0), this.last);
    if (next === this.at) return;
    this.at = next;
    this.onFrame(next);
  }

  /** Pause and step. @param {number} by */
  step(by) {
    this.jump(this.#beside(by));
  }

  /** The step that is `by` steps away; this frame may be between two. @param {number} by */
  #beside(by) {
    const { steps, at } = this;
    const here = by < 0 ? steps.findIndex((step) => step >= at) : steps.findLastIndex((step) => step <= at);
    return steps[Math.min(Math.max(here + by, 0), steps.length - 1)];
  }

  /** Pause and go to a frame. @param {number} at */
  jump(at) {
    this.pause();
    this.go(at);
  }

  toggle() {
    if (this.playing) this.pause();
    else this.play();
  }

  play() {
    if (this.last === 0) return;
    if (this.at === this.last) this.go(0);
    this.#wait();
    this.onPlaying(true);
  }

  pause() {
    if (!this.playing) return;
    clearTimeout(this.timer);
    this.timer = undefined;
    this.onPlaying(false);
  }

  /** @param {number} speed */
  setSpeed(speed) {
    this.speed = speed;
    if (!this.playing) return;
    clearTimeout(this.timer);
    this.#wait();
  }

  #wait() {
    this.timer = window.setTimeout(() => {
      this.go(this.#beside(1));
      if (this.at === this.last) this.pause();
      else this.#wait();
    }, PACE / this.speed);
  }
}

/** The timeline of frames with its buttons. */
export class Timeline {
  /** @param {Player} player that the controls move */
  constructor(player) {
    this.bar = at("timeline");
    this.scrubber = find("scrubber", "input");
    /** @type {Record<string, () => void>} */ this.keys = {};
    for (const [id, key, move] of /** @type {[string, string, () => void][]} */ ([
      ["first", "Home", () => player.step(-Infinity)],
      ["back", "ArrowLeft", () => player.step(-1)],
      ["play", " ", () => player.toggle()],
      ["forward", "ArrowRight", () => player.step(1)],
      ["last", "End", () => player.step(Infinity)],
    ])) {
      at(id).addEventListener("click", move);
      this.keys[key] = move;
    }
    this.scrubber.addEventListener("input", () => player.jump(player.steps[Number(this.scrubber.value)]));
    const speed = find("speed", "select");
    speed.addEventListener("change", () => player.setSpeed(Number(speed.value)));
  }

  /** @param {Trace} trace */
  load(trace) {
    const last = trace.steps.length - 1;
    const hasBackward = trace.firstBackward <= trace.last;
    const firstBackward = trace.stepOf(trace.firstBackward);
    this.scrubber.max = String(last);
    this.bar.classList.toggle("one-way", !hasBackward);
    this.bar.style.setProperty("--split", `${hasBackward && last ? ((firstBackward - 0.5) / last) * 100 : 100}%`);
  }

  /** @param {Trace} trace @param {number} k @param {string} place the frame's, in words */
  show(trace, k, place) {
    const { pass } = trace.frames[k];
    const [step, last] = [trace.stepOf(k), trace.steps.length - 1];
    const first = trace.firstBackward > trace.last ? last + 1 : trace.stepOf(trace.firstBackward);
    at("where").textContent = place;
    this.scrubber.value = String(step);
    this.scrubber.setAttribute("aria-valuetext", `${place}, ${pass}`);
    this.bar.classList.toggle("backward", pass === "backward");
    this.bar.style.setProperty("--done-data", percent(step, Math.min(first - 0.5, last)));
    this.bar.style.setProperty("--done-grad", percent(step - first + 0.5, last - first + 0.5));
    for (const [id, end] of /** @type {const} */ ([["first", 0], ["back", 0], ["forward", last], ["last", last]])) {
      at(id).setAttribute("aria-disabled", String(step === end && k === trace.steps[end]));
    }
  }

  /** @param {boolean} playing */
  showPlaying(playing) {
    showPlaying(at("play"), playing);
  }
}

/** @param {number} done @param {number} all */
const percent = (done, all) => `${Math.min(Math.max(done / Math.max(all, 0.5), 0), 1) * 100}%`;
