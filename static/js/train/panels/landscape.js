/** The loss as a landscape: fetched when it is open and the run rests, with a dot at the step that is shown. */
import { at, on } from "../../common/elements.js";
import { fetchText, pathTo } from "../run/server.js";

/** @typedef {import("../run/run.js").Run} Run */
/** @typedef {import("../run/types.js").Snapshot} Snapshot */

const NS = "http://www.w3.org/2000/svg";
const PAUSE = 300; // milliseconds of debounce

export class Landscape {
  /** @param {import("../run/player.js").Player} player @param {import("../run/address.js").PageAddress} address
   * @param {() => string[]} pins the queries of the pinned runs */
  constructor(player, address, pins) {
    const box = document.getElementById("landscape");
    /** null if the panel is hidden */ this.box = box instanceof HTMLDetailsElement ? box : null;
    this.player = player;
    this.pins = pins;
    /** Two parameters, or "" for the main directions. */ this.axes = address.start.plane === "main" ? "" : address.start.plane;
    this.shown = "";
    /** @type {number | undefined} */ this.timer = undefined;
    address.state("plane", () => (this.box?.open ? [this.axes || "main"] : []));
    on("landscape", "toggle", () => player.run && this.#plan(player.run, player.at));
    on("landscape-body", "change", () => this.#choose());
  }

  /** @param {Run} run @param {Snapshot} snapshot */
  rest(run, snapshot) {
    this.#plan(run, snapshot.step);
  }

  /** @param {number} step */
  move(step) {
    const figure = at("landscape-body").querySelector("figure");
    const drawing = figure?.querySelector("svg");
    if (!figure || !drawing) return;
    /** @type {number[][]} */ const trail = JSON.parse(figure.dataset.trail ?? "[]");
    const next = trail.findIndex(([place]) => place >= step);
    const [b, a] = [trail[next] ?? trail.at(-1), trail[Math.max(next - 1, 0)]];
    if (!a || !b) return;
    const share = b[0] > a[0] ? (step - a[0]) / (b[0] - a[0]) : 0;
    const dot = drawing.querySelector(".now") ?? drawing.appendChild(document.createElementNS(NS, "circle"));
    for (const [name, value] of Object.entries({ class: "now", r: 4.5, cx: a[1] + share * (b[1] - a[1]), cy: a[2] + share * (b[2] - a[2]) })) dot.setAttribute(name, String(value));
  }

  /** The two axes are chosen together: one alone waits for the other. */
  #choose() {
    const places = ["axis-first", "axis-second"].map((id) => /** @type {HTMLSelectElement} */ (at(id)).value);
    if (places.some(Boolean) && (!places.every(Boolean) || places[0] === places[1])) return;
    this.axes = places.filter(Boolean).join(",");
    if (this.player.run) this.#plan(this.player.run, this.player.at);
  }

  /** @param {Run} run @param {number} step */
  #plan(run, step) {
    clearTimeout(this.timer);
    if (!this.box?.open) return;
    const more = { ...(this.axes ? { plane: this.axes, step } : {}) };
    const query = [run.query, ...this.pins().map((pin) => `pin=${encodeURIComponent(pin)}`)].join("&");
    const path = pathTo("landscape", query, more);
    if (path !== this.shown) this.timer = window.setTimeout(() => this.#fetch(path), PAUSE);
  }

  /** @param {string} path */
  async #fetch(path) {
    this.shown = path;
    const body = at("landscape-body");
    try {
      const text = await fetchText(path);
      if (this.shown !== path) return;
      body.innerHTML = text; // made by the server, which escapes all text
      this.move(this.player.at);
    } catch (error) {
      if (this.shown !== path) return;
      this.shown = "";
      body.textContent = error instanceof Error ? error.message : "";
    }
  }
}
