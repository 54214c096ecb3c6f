/** “Run in this browser”: who computes the steps changes; what plays goes on playing. */
import { at, on, write } from "../../common/elements.js";
import { Kernel } from "../run/kernel.js";
import { Server } from "../run/stream.js";

/** @typedef {import("./notice.js").Notice} Notice */
/** @typedef {import("../run/player.js").Player} Player */
/** @typedef {import("../run/run.js").Run} Run */
/** @typedef {import("../run/types.js").Source} Source */

const READ = 6000; // milliseconds that what happened can be read

export class HandOver {
  /** @param {Player} player @param {Notice} notice */
  constructor(player, notice) {
    this.player = player;
    this.notice = notice;
    this.button = at("local");
    this.words = Object.assign(document.createElement("p"), { className: "phase-words", id: "local-words", hidden: true });
    this.words.setAttribute("role", "status");
    at("stage").append(this.words);
    /** @type {number | undefined} */ this.timer = undefined;
    on("local", "click", () => this.#turn());
  }

  /** Another run is trained by the server. */
  load() {
    this.button.setAttribute("aria-pressed", "false");
  }

  revise() {
    this.load();
  }

  /** @param {string} words @param {boolean} [isLasting] */
  #say(words, isLasting = false) {
    clearTimeout(this.timer);
    this.words.hidden = false;
    write(this.words, words);
    if (!isLasting) this.timer = window.setTimeout(() => (this.words.hidden = true), READ);
  }

  async #turn() {
    const { player, button } = this;
    const { run, playing: wasPlaying } = player;
    if (!run) return;
    player.pause();
    const isOn = button.getAttribute("aria-pressed") !== "true";
    this.#say(isOn ? "Handing the run over to this browser…" : "Handing the run back to the server…", true);
    try {
      this.#take(run, await this.#source(run, isOn));
      if (player.run !== run) return this.#say("The run has changed; the server trains it.");
      button.setAttribute("aria-pressed", String(isOn));
      this.#say(`${isOn ? "This browser trains from" : "The server trains from"} step ${player.at} on${isOn ? ", without the server" : ""}.`);
      if (wasPlaying) player.play();
    } catch (error) {
      this.words.hidden = true;
      this.notice.refuse(error);
    }
  }

  /** Where its states come from now. @param {Run} run @param {boolean} isHere @returns {Promise<Source>} */
  async #source({ query, setup, edits }, isHere) {
    const server = new Server(query);
    if (!isHere) return server;
    const { player } = this;
    const first = Math.max(0, ...edits.map(([step]) => step));
    const inputs = player.snapshot?.maps?.slice(0, setup.inputs * setup.map ** (setup.map_kind === "line" ? 1 : 2)) ?? null;
    return Kernel.take(query, Math.max(player.at, first), first, setup, inputs, server);
  }

  /** @param {Run} run @param {Source} source */
  #take(run, source) {
    const { player } = this;
    if (player.run !== run) return;
    const playsOn = player.playing; // who pressed Play meanwhile
    player.pause();
    run.source = source;
    if (playsOn) player.play();
  }
}
