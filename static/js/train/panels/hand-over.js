/** “Run in this browser”: switches the source of states between server and browser, during playback too. */
import { at, on, write } from "../../common/elements.js";
import { Kernel } from "../run/kernel.js";
import { Server } from "../run/stream.js";

/** @typedef {import("./notice.js").Notice} Notice */
/** @typedef {import("../run/player.js").Player} Player */
/** @typedef {import("../run/run.js").Run} Run */
/** @typedef {import("../run/types.js").Source} Source */

const READ = 6000; // milliseconds for which a message is shown

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

  /** A new run starts on the server. */
  load() {
    this.button.setAttribute("aria-pressed", "false");
  }

  revise() {
    this.load();
  }

  /** @param {string} words @param {boolean} [isLasting] */
  #report(words, isLasting = false) {
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
    this.#report(isOn ? "Handing the run over to this browser…" : "Handing the run back to the server…", true);
    try {
      this.#take(run, await this.#source(run, isOn));
      if (player.run !== run) return this.#report("The run has changed; the server trains it.");
      button.setAttribute("aria-pressed", String(isOn));
      this.#report(`Training ${isOn ? "in this browser" : "on the server"} from step ${player.at}${isOn ? ", without the server" : ""}.`);
      if (wasPlaying) player.play();
    } catch (error) {
      this.words.hidden = true;
      this.notice.refuse(error);
    }
  }

  /** The new source of states. @param {Run} run @param {boolean} isHere @returns {Promise<Source>} */
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
    const playsOn = player.playing; // Play may have been pressed meanwhile
    player.pause();
    run.source = source;
    if (playsOn) player.play();
  }
}
