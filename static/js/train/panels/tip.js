/** What is said of the hovered or focused neuron, weight or sample: in a tooltip, or in a line that is docked. */
import { made } from "../../common/elements.js";
import { listenToEscape } from "../../common/keyboard.js";
import { brief } from "../../common/numbers.js";
import { drawHistory } from "../draw/surface.js";

/** @typedef {import("../draw/colours.js").Palette} Palette */
/** @typedef {import("../draw/links.js").Link} Link */
/** @typedef {import("../draw/network.js").Network} Network */
/** @typedef {import("../draw/network.js").Neuron} Neuron */
/** @typedef {import("../run/types.js").Snapshot} Snapshot */
/** @typedef {import("../run/store.js").Snapshots} Snapshots */

const SIDE = 168; // pixels of an enlarged map

/** A parameter, which a lean stream may have rounded. @param {Snapshot} snapshot @param {number} parameter */
const figure = ({ parameters, isRough }, parameter) => `${isRough ? "≈ " : ""}${brief(parameters[parameter])}`;

export class Tip {
  /** @param {HTMLElement} box @param {Palette} palette @param {boolean} [isDocked] whether it has its place on the page */
  constructor(box, { data }, isDocked = false) {
    this.box = box;
    this.isDocked = isDocked;
    this.canvas = made("canvas", { width: 2 * SIDE, height: 2 * SIDE, className: "close-up" });
    this.spark = made("canvas", { width: 240, height: 60, className: "spark" });
    this.title = made("b");
    this.list = made("dl");
    box.append(this.title, this.canvas, this.list, this.spark);
    /** @type {(() => void) | null} redraws the tooltip when the state changes */ this.renewal = null;
    this.colour = data;
    listenToEscape(() => this.hide());
  }

  /** @param {Palette} palette */
  recolour({ data }) {
    this.colour = data;
  }

  /** The map of a neuron is drawn here where the page has no plot. @param {Neuron} neuron @param {Network} network @param {() => Snapshot | null} snapshot */
  showNeuron(neuron, network, snapshot) {
    this.#show(() => {
      const now = snapshot();
      const { setup } = network;
      if (!now || !setup) return;
      const rows = [["activation", neuron.layer ? setup.activations[neuron.layer - 1] : "input"]];
      if (neuron.layer) {
        const bias = network.biasOf(neuron);
        rows.push(["bias", figure(now, bias)]);
        if (now.gradient) rows.push(["gradient", brief(now.gradient[bias])]);
      }
      this.#fill(network.name(neuron.layer, neuron.index), rows, Boolean(now.maps) && !setup.bounds, false);
      const context = this.canvas.getContext("2d");
      if (context && now.maps) context.drawImage(neuron.tile.canvas, 0, 0, 2 * SIDE, 2 * SIDE);
    });
  }

  /** @param {Link} link @param {Network} network @param {() => Snapshot | null} snapshot @param {Snapshots} snapshots */
  showLink(link, network, snapshot, snapshots) {
    this.#show(() => {
      const now = snapshot();
      if (!now) return;
      const rows = [["weight", figure(now, link.parameter)]];
      if (now.gradient) rows.push(["gradient", brief(now.gradient[link.parameter])]);
      const name = `${network.name(link.from.layer, link.from.index)} → ${network.name(link.to.layer, link.to.index)}`;
      this.#fill(name, rows, false, true);
      drawHistory(this.spark, snapshots.history((kept) => kept.parameters[link.parameter]), now.step, this.colour);
    });
  }

  /** @param {string} title @param {string[][]} rows @param {DOMRect} around */
  showText(title, rows, around) {
    this.#show(() => this.#fill(title, rows, false, false), around);
  }

  /** @param {string} title @param {string[][]} rows @param {boolean} map @param {boolean} history */
  #fill(title, rows, map, history) {
    this.title.textContent = title;
    this.list.replaceChildren(
      ...rows.flatMap(([term, text]) => [made("dt", {}, term), made("dd", { className: term.startsWith("gradient") ? "grad" : "data" }, text)]),
    );
    this.canvas.hidden = !map;
    this.spark.hidden = !history;
  }

  /** @param {() => void} fill @param {DOMRect} [around] what a tooltip is about */
  #show(fill, around) {
    this.renewal = fill;
    fill();
    this.box.hidden = false;
    if (this.isDocked || !around) return;
    const { offsetWidth: width, offsetHeight: height } = this.box;
    const left = Math.min(Math.max(around.left + around.width / 2 - width / 2, 8), innerWidth - width - 8);
    const below = around.bottom + 10;
    const top = below + height < innerHeight - 8 ? below : Math.max(8, around.top - height - 10);
    this.box.style.transform = `translate(${Math.round(left)}px, ${Math.round(top)}px)`;
  }

  get isOpen() {
    return this.renewal !== null;
  }

  settle() {
    this.renewal?.();
  }

  hide() {
    if (!this.renewal) return;
    this.renewal = null;
    this.box.hidden = true;
  }
}
