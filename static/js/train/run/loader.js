/** From a query to a run: the form's when it is tried, the address's on the way back. */
import { partsOf } from "./address.js";
import { Run } from "./run.js";
import { ask, pathTo } from "./server.js";

/** @typedef {import("../draw/screen.js").Screen} Screen */
/** @typedef {import("../panels/form.js").Form} Form */
/** @typedef {import("../panels/mistakes.js").Mistakes} Mistakes */
/** @typedef {import("../panels/notice.js").Notice} Notice */
/** @typedef {import("./address.js").PageAddress} PageAddress */
/** @typedef {import("./types.js").Setup} Setup */

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
    const query = form.query();
    const { run: before, playing: wasPlaying } = player;
    try {
      if (!(await this.#load(query, 0))) return;
    } catch (error) {
      this.notice.refuse(error);
      return;
    }
    if (!before) location.assign(pathTo("", query)); // the page was refused and has no room for pictures
    if (!player.run || player.run === before) return;
    this.address.push();
    this.mistakes.compare();
    if (wasPlaying) player.play();
  }

  /** The run that the address names after a step back in the history. */
  async #goBack() {
    const there = partsOf(location.search);
    await this.#load(there.run, there.step).catch((error) => this.notice.refuse(error));
    if (this.player.run) this.form.fill(this.player.run.setup.spec);
    this.player.go(there.step);
  }

  /** Ask what a query means and show it; false where another has been asked for meanwhile.
   * @param {string} query @param {number} step @returns {Promise<boolean>} */
  async #load(query, step) {
    this.asking.abort();
    this.asking = new AbortController();
    const { signal } = this.asking;
    try {
      /** @type {Setup} */
      const setup = await ask(pathTo("setup", query), signal);
      this.form.accept();
      this.notice.accept();
      const next = new Run(setup);
      if (next.query !== this.player.run?.query) await this.screen.show(next, Math.min(step, setup.steps));
      return true;
    } catch (error) {
      if (signal.aborted) return false;
      throw error;
    }
  }
}
