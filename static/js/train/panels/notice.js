/** The notice of problems: an unreachable server, invalid settings, an error of the run. */
import { announce, at, write } from "../../common/elements.js";
import { Refused, ServerUpdated } from "../run/server.js";
import { gist } from "./words.js";

/** @typedef {import("../run/player.js").Player} Player */
/** @typedef {import("./form.js").Form} Form */

export class Notice {
  /** @param {Player} player @param {Form} form */
  constructor(player, form) {
    this.player = player;
    this.form = form;
    /** @type {string | null} */ this.problem = null;
    /** Called when the server may be away, or back. */ this.onProblem = () => {};
    /** Whether the settings are invalid, so that the previous run is still shown. */ this.isStale = false;
    player.watch({ onProblem: (words) => this.report(words) });
  }

  /** @param {string | null} words null clears the notice */
  report(words) {
    const hasChanged = words !== this.problem;
    this.problem = words;
    this.#show();
    if (hasChanged) this.onProblem();
  }

  /** Whether the server is known not to respond. */
  get isAway() {
    return !navigator.onLine || Boolean(this.problem?.includes("does not respond"));
  }

  /** Show an error, beside its control if it has one. @param {unknown} error */
  refuse(error) {
    if (error instanceof ServerUpdated) return; // reported by `offerReload`
    if (!(error instanceof Refused)) return this.report("The server does not respond.");
    this.form.refuse(error.field, error.message);
    announce(error.message);
    this.#setStale(this.player.run !== null);
  }

  /** The settings are valid. */
  accept() {
    this.#setStale(false);
  }

  /** @param {boolean} isStale */
  #setStale(isStale) {
    this.isStale = isStale;
    at("play").title = isStale ? "Play or pause the previous run; a setting is invalid (space)" : "Play or pause (space)";
    this.#show();
  }

  #show() {
    const notice = at("notice");
    const { run } = this.player;
    const stale = this.isStale && run ? `Showing the previous run (${gist(run.setup)}): one setting is invalid.` : null;
    const words = [this.problem, stale].filter(Boolean).join(" ");
    if (words) write(notice, words);
    notice.hidden = !words;
  }
}
