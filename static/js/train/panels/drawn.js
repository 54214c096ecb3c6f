/** A panel that the server draws: fetched when it is open and the run rests. */
import { at, on } from "../../common/elements.js";
import { fetchText } from "../run/server.js";

/** @typedef {import("../run/run.js").Run} Run */
/** @typedef {import("../run/types.js").Snapshot} Snapshot */

const PAUSE = 300; // milliseconds of debounce

export class Drawn {
  /** @param {string} id @param {import("../run/player.js").Player} player @param {(run: Run, step: number) => string} pathOf
   * @param {() => void} [onDrawn] */
  constructor(id, player, pathOf, onDrawn = () => {}) {
    const box = document.getElementById(id);
    /** null if the panel is hidden */ this.box = box instanceof HTMLDetailsElement ? box : null;
    this.body = at(`${id}-body`);
    this.player = player;
    this.pathOf = pathOf;
    this.onDrawn = onDrawn;
    this.shown = "";
    /** @type {number | undefined} */ this.timer = undefined;
    on(id, "toggle", () => this.renew());
  }

  get isOpen() {
    return Boolean(this.box?.open);
  }

  /** @param {Run} run @param {Snapshot} snapshot */
  rest(run, snapshot) {
    this.#plan(run, snapshot.step);
  }

  /** What it depends on has changed. */
  renew() {
    if (this.player.run) this.#plan(this.player.run, this.player.at);
  }

  /** @param {Run} run @param {number} step */
  #plan(run, step) {
    clearTimeout(this.timer);
    const path = this.isOpen ? this.pathOf(run, step) : this.shown;
    if (path !== this.shown) this.timer = window.setTimeout(() => this.#fetch(path), PAUSE);
  }

  /** @param {string} path */
  async #fetch(path) {
    this.shown = path;
    try {
      const text = await fetchText(path);
      if (this.shown !== path) return;
      this.body.innerHTML = text; // made by the server, which escapes all text
      this.onDrawn();
    } catch (error) {
      if (this.shown !== path) return;
      this.shown = "";
      this.body.textContent = error instanceof Error ? error.message : "";
    }
  }
}
