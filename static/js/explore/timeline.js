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
    this.speed = 1;
    /** @type {number | undefined} */
    this.timer = undefined;
  }

  get playing() {
    return this.timer !== undefined;
  }

  /** Start on another trace. @param {number} last @param {number} at */
  load(last, at) {
    this.pause();
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
    this.jump(this.at + by);
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
      this.go(this.at + 1);
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
    this.scrubber.addEventListener("input", () => player.jump(Number(this.scrubber.value)));
    const speed = find("speed", "select");
    speed.addEventListener("change", () => player.setSpeed(Number(speed.value)));
  }

  /** @param {Trace} trace */
  load({ last, firstBackward }) {
    const hasBackward = firstBackward <= last;
    this.scrubber.max = String(last);
    this.bar.classList.toggle("one-way", !hasBackward);
    this.bar.style.setProperty("--split", `${hasBackward && last ? ((firstBackward - 0.5) / last) * 100 : 100}%`);
  }

  /** @param {Trace} trace @param {number} k @param {string} place the frame's, in words */
  show({ frames, last, firstBackward: first }, k, place) {
    const { pass } = frames[k];
    at("where").textContent = place;
    this.scrubber.value = String(k);
    this.scrubber.setAttribute("aria-valuetext", `${place}, ${pass}`);
    this.bar.classList.toggle("backward", pass === "backward");
    this.bar.style.setProperty("--done-data", percent(k, Math.min(first - 0.5, last)));
    this.bar.style.setProperty("--done-grad", percent(k - first + 0.5, last - first + 0.5));
    for (const [id, end] of /** @type {const} */ ([["first", 0], ["back", 0], ["forward", last], ["last", last]])) {
      at(id).setAttribute("aria-disabled", String(k === end));
    }
  }

  /** @param {boolean} playing */
  showPlaying(playing) {
    showPlaying(at("play"), playing);
  }
}

/** @param {number} done @param {number} all */
const percent = (done, all) => `${Math.min(Math.max(done / Math.max(all, 0.5), 0), 1) * 100}%`;
