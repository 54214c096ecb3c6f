/** What is in the way: a server that is away, settings that are refused, an error of the run. */
import { announce } from "../../common/announcer.js";
import { at, write } from "../../common/elements.js";
import { Refused, Renewed } from "../run/server.js";
import { gist } from "./words.js";

/** @typedef {import("../run/player.js").Player} Player */
/** @typedef {import("./form.js").Form} Form */

export class Notice {
  /** @param {Player} player @param {Form} form */
  constructor(player, form) {
    this.player = player;
    this.form = form;
    /** @type {string | null} */ this.trouble = null;
    /** Whether the settings are refused: what is shown is still the run before. */ this.isStale = false;
    player.watch({ onTrouble: (words) => this.tell(words) });
  }

  /** @param {string | null} words null: nothing is in the way any more */
  tell(words) {
    this.trouble = words;
    this.#show();
  }

  /** An error: beside the control that it is about, if it is about one. @param {unknown} error */
  refuse(error) {
    if (error instanceof Renewed) return; // the page says so itself
    if (!(error instanceof Refused)) return this.tell("The server does not answer.");
    this.form.refuse(error.field, error.message);
    announce(error.message);
    this.#setStale(this.player.run !== null);
  }

  /** The settings are those of a run. */
  accept() {
    this.#setStale(false);
  }

  /** @param {boolean} isStale */
  #setStale(isStale) {
    this.isStale = isStale;
    at("play").title = isStale ? "Play or pause the run before: the settings are refused (space)" : "Play or pause (space)";
    this.#show();
  }

  #show() {
    const notice = at("notice");
    const { run } = this.player;
    const stale = this.isStale && run ? `Still the run before: ${gist(run.setup)}. One of the settings is refused.` : null;
    const words = [this.trouble, stale].filter(Boolean).join(" ");
    if (words) write(notice, words);
    notice.hidden = !words;
  }
}
