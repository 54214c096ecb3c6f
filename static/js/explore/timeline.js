/** The timeline of frames with its buttons. */
import { at, find } from "../common/elements.js";
import { showPlaying } from "../common/play-button.js";

/** @typedef {import("./trace.js").Trace} Trace */

export class Timeline {
  /** @param {import("./player.js").Player} player that the controls move */
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
    this.scrubber.max = String(last);
    this.bar.style.setProperty("--split", `${last ? ((firstBackward - 0.5) / last) * 100 : 100}%`);
  }

  /** @param {Trace} trace @param {number} k @param {string} place the frame's, in words */
  show({ frames, last, firstBackward: first }, k, place) {
    const { pass } = frames[k];
    at("where").textContent = place;
    this.scrubber.value = String(k);
    this.scrubber.setAttribute("aria-valuetext", `${place}, ${pass}`);
    this.bar.classList.toggle("backward", pass === "backward");
    this.bar.style.setProperty("--done-data", percent(k, first - 0.5));
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
