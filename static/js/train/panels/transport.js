/** Playback controls: buttons, keys, slider and speed. */
import { at, find, on, showPlaying, write } from "../../common/elements.js";
import { listenToKeys } from "../../common/keyboard.js";
import { brief } from "../../common/numbers.js";
import { speedOf } from "../run/speed.js";

/** @typedef {import("../run/address.js").PageAddress} PageAddress */
/** @typedef {import("../run/player.js").Player} Player */
/** @typedef {import("../run/run.js").Run} Run */
/** @typedef {import("../run/types.js").Snapshot} Snapshot */
/** @typedef {import("./slow-motion.js").SlowMotion} SlowMotion */

const USUAL = "1,60"; // the default speed, omitted from addresses

export class Transport {
  /** @param {Player} player @param {PageAddress} address @param {SlowMotion} slowMotion */
  constructor(player, address, slowMotion) {
    this.player = player;
    this.address = address;
    this.slowMotion = slowMotion;
    this.scrub = find("scrub", "input");
    this.speed = find("speed", "select");
    /** Actions by button id. @type {Record<"reset" | "back" | "play" | "step" | "epoch", () => void>} */
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
    listenToKeys({
      ArrowLeft: this.moves.back, ArrowRight: this.moves.step, Home: this.moves.reset, End: () => player.go(Infinity), " ": this.moves.play,
    }, this.scrub);
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
    showPlaying(at("play"), isPlaying);
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
}
