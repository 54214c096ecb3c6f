/** The playback of frames, and the timeline that shows and moves it. */
import { at, find, showPlaying } from "../common/elements.js";
import { placeOf, stepAt } from "./grains.js";

/** @typedef {import("./trace.js").Trace} Trace */
/** @typedef {import("./grains.js").Step} Step */
/** @typedef {Pick<Trace, "steps" | "last" | "firstBackward" | "stepOf"> & {frames: {pass: string}[]}} Film  what is stepped through */

const PACE = 1000; // milliseconds per frame at speed 1

/** The playback of frames, independent of the picture. */
export class Player {
  /** @param {(at: number) => void} onFrame @param {(playing: boolean) => void} onPlaying */
  constructor(onFrame, onPlaying) {
    this.onFrame = onFrame;
    this.onPlaying = onPlaying;
    this.at = 0;
    /** @type {number | null} the slot of the one contribution shown */ this.slot = null;
    this.last = 0;
    /** @type {Step[]} */ this.steps = [{ frame: 0, frames: [0], slot: null }];
    this.speed = 1;
    /** Whether playing pauses at a step. @type {(step: Step) => boolean} */ this.onArrive = () => false;
    /** @type {number | undefined} */
    this.timer = undefined;
  }

  get playing() {
    return this.timer !== undefined;
  }

  /** The step shown. */
  get step() {
    return stepAt(this.steps, this.at, this.slot);
  }

  /** Start on another trace; one that goes on is of the same program, and plays on.
   * @param {Step[]} steps @param {number} at @param {number | null} [slot] @param {boolean} [goesOn] */
  load(steps, at, slot = null, goesOn = false) {
    if (!goesOn) this.pause();
    const last = steps[steps.length - 1].frame;
    this.steps = steps;
    this.last = last;
    this.at = Math.min(Math.max(at, 0), last);
    this.slot = slot;
    this.onFrame(this.at);
  }

  /** Other steps through the same frames: those inside a formula were joined, or parted. @param {Step[]} steps */
  renew(steps) {
    this.steps = steps;
  }

  /** @param {number} at @param {number | null} [slot] */
  go(at, slot = null) {
    const next = Math.min(Math.max(at, 0), this.last);
    if (next === this.at && slot === this.slot) return;
    this.at = next;
    this.slot = slot;
    this.onFrame(next);
  }

  /** Pause and step. @param {number} by */
  move(by) {
    const { frame, slot } = this.#beside(by);
    this.jump(frame, slot);
  }

  /** The step that is `by` steps away; this frame may be between two. @param {number} by */
  #beside(by) {
    const { steps, at } = this;
    const place = placeOf(steps, this.step);
    const here = by > 0 && steps[place].frame > at ? place - 1 : place;
    return steps[Math.min(Math.max(here + by, 0), steps.length - 1)];
  }

  /** Whether nothing comes after. */
  get isAtEnd() {
    return this.at === this.last && placeOf(this.steps, this.step) === this.steps.length - 1;
  }

  /** Pause and go to a frame. @param {number} at @param {number | null} [slot] */
  jump(at, slot = null) {
    this.pause();
    this.go(at, slot);
  }

  toggle() {
    if (this.playing) this.pause();
    else this.play();
  }

  play() {
    if (this.last === 0) return;
    if (this.isAtEnd) this.go(0);
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
      const { frame, slot } = this.#beside(1);
      this.go(frame, slot);
      if (this.onArrive(this.step) || this.isAtEnd) this.pause();
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
      ["first", "Home", () => player.move(-Infinity)],
      ["back", "ArrowLeft", () => player.move(-1)],
      ["play", " ", () => player.toggle()],
      ["forward", "ArrowRight", () => player.move(1)],
      ["last", "End", () => player.move(Infinity)],
    ])) {
      at(id).addEventListener("click", move);
      this.keys[key] = move;
    }
    this.scrubber.addEventListener("input", () => {
      const { frame, slot } = player.steps[Number(this.scrubber.value)];
      player.jump(frame, slot);
    });
    const speed = find("speed", "select");
    speed.addEventListener("change", () => player.setSpeed(Number(speed.value)));
  }

  /** @param {Film} trace */
  load(trace) {
    const last = trace.steps.length - 1;
    const hasBackward = trace.firstBackward <= trace.last;
    const firstBackward = trace.stepOf(trace.firstBackward);
    this.scrubber.max = String(last);
    this.bar.classList.toggle("one-way", !hasBackward);
    this.bar.style.setProperty("--split", `${hasBackward && last ? ((firstBackward - 0.5) / last) * 100 : 100}%`);
  }

  /** @param {Film} trace @param {Step} now @param {string} place the step's, in words */
  show(trace, now, place) {
    const { pass } = trace.frames[now.frame];
    const [step, last] = [placeOf(trace.steps, now), trace.steps.length - 1];
    const first = trace.firstBackward > trace.last ? last + 1 : trace.stepOf(trace.firstBackward);
    at("where").textContent = place;
    this.scrubber.value = String(step);
    this.scrubber.setAttribute("aria-valuetext", `${place}, ${pass}`);
    this.bar.classList.toggle("backward", pass === "backward");
    this.bar.style.setProperty("--done-data", percent(step, Math.min(first - 0.5, last)));
    this.bar.style.setProperty("--done-grad", percent(step - first + 0.5, last - first + 0.5));
    for (const [id, end] of /** @type {const} */ ([["first", 0], ["back", 0], ["forward", last], ["last", last]])) {
      at(id).setAttribute("aria-disabled", String(step === end && now.frame === trace.steps[end].frame));
    }
  }

  /** @param {boolean} playing */
  showPlaying(playing) {
    showPlaying(at("play"), playing);
  }
}

/** @param {number} done @param {number} all */
const percent = (done, all) => `${Math.min(Math.max(done / Math.max(all, 0.5), 0), 1) * 100}%`;
