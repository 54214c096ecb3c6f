/** Play, pause, and the ways from step to step: buttons, keys, the slider and the speed. */
import { speedOf } from "../run/speed.js";
import { brief } from "../../common/numbers.js";
import { at, find, on, write } from "./elements.js";

/** @typedef {import("../run/address.js").PageAddress} PageAddress */
/** @typedef {import("../run/player.js").Player} Player */
/** @typedef {import("../run/run.js").Run} Run */
/** @typedef {import("../run/types.js").Snapshot} Snapshot */
/** @typedef {import("./slow-motion.js").SlowMotion} SlowMotion */

const USUAL = "1,60"; // the speed that an address does not state

export class Transport {
  /** @param {Player} player @param {PageAddress} address @param {SlowMotion} slowMotion */
  constructor(player, address, slowMotion) {
    this.player = player;
    this.address = address;
    this.slowMotion = slowMotion;
    this.scrub = find("scrub", "input");
    this.speed = find("speed", "select");
    /** By the id of its button. @type {Record<"reset" | "back" | "play" | "step" | "epoch", () => void>} */
    this.moves = {
      reset: () => player.go(0),
      back: () => player.go(player.at - 1),
      play: () => this.#play(),
      step: () => player.go(player.at + 1),
      epoch: () => player.go(this.#nextEpoch()),
    };
    for (const [id, move] of Object.entries(this.moves)) on(id, "click", move);
    this.scrub.addEventListener("input", () => player.go(Number(this.scrub.value)));
    player.watch({ onPlaying: (isPlaying) => this.#showPlaying(isPlaying) });
    this.#showPlaying(false);
    this.#wireSpeed();
    document.addEventListener("keydown", (event) => this.#onKey(event));
  }

  #wireSpeed() {
    const { speed, address, player } = this;
    const { start } = address;
    if (start.speed && [...speed.options].some(({ value }) => value === start.speed)) speed.value = start.speed;
    address.state("speed", () => (speed.value && speed.value !== USUAL ? [speed.value] : []));
    speed.addEventListener("change", () => {
      if (player.run) player.setSpeed(speedOf(speed.value, player.run.setup));
      address.note();
    });
  }

  #play() {
    const { player } = this;
    this.slowMotion.stop();
    if (player.run) player.speed = speedOf(this.speed.value, player.run.setup);
    player.toggle();
    if (!player.playing) this.address.write();
  }

  #nextEpoch() {
    const epoch = this.player.run?.setup.steps_per_epoch ?? 1;
    return (Math.floor(this.player.at / epoch) + 1) * epoch;
  }

  /** @param {boolean} isPlaying */
  #showPlaying(isPlaying) {
    const button = at("play");
    const word = isPlaying ? "Pause" : "Play";
    button.classList.toggle("playing", isPlaying);
    const label = button.querySelector("[data-word]");
    if (label) label.textContent = word;
    button.setAttribute("aria-label", word);
    document.documentElement.toggleAttribute("data-playing", isPlaying);
  }

  /** @param {Run} run */
  load({ setup }) {
    this.scrub.max = String(setup.steps);
  }

  /** @param {number} step @param {Run} run */
  move(step, { setup: { steps } }) {
    this.scrub.value = String(step);
    this.scrub.style.setProperty("--done", `${(step / steps) * 100}%`);
    write(at("where"), `step ${step} of ${steps}`);
  }

  /** @param {Run} run @param {Snapshot} snapshot */
  settle({ setup: { steps } }, { loss }) {
    const step = this.player.at;
    this.scrub.setAttribute("aria-valuetext", `step ${step} of ${steps}, loss ${brief(loss)}`);
    for (const [id, end] of /** @type {const} */ ([["reset", 0], ["back", 0], ["step", steps], ["epoch", steps]])) {
      at(id).setAttribute("aria-disabled", String(step === end));
    }
  }

  /** @param {KeyboardEvent} event */
  #onKey(event) {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    const target = /** @type {HTMLElement} */ (event.target);
    const move = this.#moveOf(event.key);
    if (!move || (target !== this.scrub && hasUseFor(target, event.key)) || target.closest("dialog, [data-keys=own]")) return;
    event.preventDefault();
    move();
  }

  /** @param {string} key @returns {(() => void) | null} */
  #moveOf(key) {
    switch (key) {
      case "ArrowLeft": return this.moves.back;
      case "ArrowRight": return this.moves.step;
      case "Home": return this.moves.reset;
      case "End": return () => this.player.go(Infinity);
      case " ": return this.moves.play;
      default: return null;
    }
  }
}

/** Whether a key means something to what has the focus. @param {HTMLElement} target @param {string} key */
function hasUseFor(target, key) {
  if (target.matches("input:not([type=radio], [type=checkbox]), textarea, select")) return true;
  if (key === " ") return target.closest("button, a, summary, label, input, [role=button]") !== null;
  return key.startsWith("Arrow") && target.matches("input[type=radio]");
}
