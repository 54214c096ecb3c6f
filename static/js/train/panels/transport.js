/** Playback controls: buttons, keys, slider and speed. */
import { at, find, on, showPlaying, write } from "../../common/elements.js";
import { listenToKeys } from "../../common/keyboard.js";
import { brief } from "../../common/numbers.js";
import { epochsInWords, nextEpoch } from "../run/segments.js";

/** @typedef {import("../run/address.js").PageAddress} PageAddress */
/** @typedef {import("../run/player.js").Player} Player */
/** @typedef {import("../run/run.js").Run} Run */
/** @typedef {import("../run/types.js").Snapshot} Snapshot */
/** @typedef {import("./slow-motion.js").SlowMotion} SlowMotion */
/** @typedef {import("../run/types.js").Setup} Setup */
/** @typedef {import("../run/types.js").Speed} Speed */

const USUAL = "1,60"; // the default speed, omitted from addresses
const STREAM = 4e6; // approximate maximum bandwidth of a stream in bytes per second
const [MOST, LEAST] = [60, 5]; // frames per second
const TEXT = 1.34; // overhead of base64
const NUMBER = 18; // characters per number

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
    const { run, at } = this.player;
    return run ? nextEpoch(run.setup, at) : at;
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
  move(step, { setup }) {
    const { steps } = setup;
    this.scrub.value = String(step);
    this.scrub.style.setProperty("--done", `${(step / steps) * 100}%`);
    write(at("where"), `step ${step} of ${steps}`);
    write(at("epochs"), epochsInWords(setup, step));
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

/** The approximate size of a state in bytes. @param {Setup} setup */
function sizeOf({ inputs, outputs, layers, grid, map, parameter_count: parameters }) {
  const neurons = layers.reduce((sum, count) => sum + count, 0);
  const pictures = inputs === 2 ? TEXT * (grid ** 2 * outputs + map ** 2 * neurons) : 10_000;
  return pictures + NUMBER * parameters;
}

/** "1,60" is one step per frame and 60 frames per second. Large states lower the frame rate to fit the
 * bandwidth, with more steps per frame instead. @param {string} text @param {Setup} setup @returns {Speed} */
function speedOf(text, setup) {
  const [every, wanted] = (text || "1,60").split(",");
  const most = Math.max(LEAST, Math.min(MOST, Math.floor(STREAM / sizeOf(setup))));
  if (every === "fast") return { every, fps: most };
  const fps = Math.min(Number(wanted), most);
  return { every: Math.max(1, Math.round((Number(every) * Number(wanted)) / fps)), fps };
}
