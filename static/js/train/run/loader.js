/** From a query to a run: the form's when it is tried, the address's on the way back. */
import { partsOf } from "./address.js";
import { Run } from "./run.js";
import { Refused, ask, pathTo } from "./server.js";

/** @typedef {import("../draw/screen.js").Screen} Screen */
/** @typedef {import("../panels/form.js").Form} Form */
/** @typedef {import("../panels/mistakes.js").Mistakes} Mistakes */
/** @typedef {import("../panels/notice.js").Notice} Notice */
/** @typedef {import("./address.js").PageAddress} PageAddress */
/** @typedef {import("./types.js").Fitted} Fitted */

export class Loader {
  /** @param {Form} form @param {Screen} screen @param {PageAddress} address @param {Notice} notice @param {Mistakes} mistakes */
  constructor(form, screen, address, notice, mistakes) {
    this.form = form;
    this.screen = screen;
    this.player = screen.player;
    this.address = address;
    this.notice = notice;
    this.mistakes = mistakes;
    this.asking = new AbortController();
    form.onChange = () => this.#try();
    window.addEventListener("popstate", () => this.#goBack());
  }

  /** Try what the form says; a refusal leaves the run as it is. */
  async #try() {
    const { player, form } = this;
    const { run: before, playing: wasPlaying } = player;
    const setup = await this.#load(form.query(), 0, form.fit);
    if (!setup) return;
    if (!before) location.assign(pathTo("", setup.query)); // the page was refused and has no room for pictures
    if (!player.run || player.run === before) return;
    this.address.push();
    this.mistakes.compare();
    if (wasPlaying) player.play();
  }

  /** The run that the address names after a step back in the history. */
  async #goBack() {
    const there = partsOf(location.search);
    const setup = await this.#load(there.run, there.step);
    if (setup) this.form.fill(setup.controls);
    this.player.go(there.step);
  }

  /** Ask what a query means and show it; null where it is refused or another has been asked for meanwhile.
   * @param {string} query @param {number} step @param {string} [fit] the control that the others have to fit
   * @returns {Promise<Fitted | null>} */
  async #load(query, step, fit = "") {
    this.asking.abort();
    this.asking = new AbortController();
    const { signal } = this.asking;
    try {
      /** @type {Fitted} */
      const setup = await ask(pathTo("setup", query, fit ? { fit } : {}), signal);
      this.form.take(setup.fitted, query, fit);
      this.form.accept();
      this.notice.accept();
      const next = new Run(setup);
      if (next.query !== this.player.run?.query) await this.screen.show(next, Math.min(step, setup.steps));
      return setup;
    } catch (error) {
      if (signal.aborted) return null;
      if (error instanceof Refused) this.form.take(error.fitted, query, fit);
      this.notice.refuse(error);
      return null;
    }
  }
}
