/** The loss as a landscape, with a dot at the step that is shown. */
import { at, on } from "../../common/elements.js";
import { pathTo } from "../run/server.js";
import { Drawn } from "./drawn.js";

const NS = "http://www.w3.org/2000/svg";

export class Landscape extends Drawn {
  /** @param {import("../run/player.js").Player} player @param {import("../run/address.js").PageAddress} address
   * @param {() => string[]} pins the queries of the pinned runs */
  constructor(player, address, pins) {
    super("landscape", player, (run, step) => {
      const query = [run.query, ...pins().map((pin) => `pin=${encodeURIComponent(pin)}`)].join("&");
      return pathTo("landscape", query, this.axes ? { plane: this.axes, step } : {});
    }, () => this.move(player.at));
    /** Two parameters, or "" for the main directions. */ this.axes = address.start.plane === "main" ? "" : address.start.plane;
    address.state("plane", () => (this.isOpen ? [this.axes || "main"] : []));
    on("landscape-body", "change", () => {
      this.#choose();
      address.note();
    });
  }

  /** @param {number} step */
  move(step) {
    const figure = this.body.querySelector("figure");
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
    this.renew();
  }
}
