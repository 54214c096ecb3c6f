/** Pointer interaction with network and plot: tooltips, selection of weights and samples. */
import { write } from "../../common/elements.js";
import { brief } from "../../common/numbers.js";
import { numbersAt } from "../draw/under.js";
import { inOwnUnits } from "../run/own-units.js";
import { targetOf } from "./tables.js";

/** @typedef {import("../draw/links.js").Links} Links */
/** @typedef {import("../draw/network.js").Network} Network */
/** @typedef {import("../draw/network.js").Neuron} Neuron */
/** @typedef {import("../run/player.js").Player} Player */
/** @typedef {import("../run/types.js").Setup} Setup */
/** @typedef {import("./picks.js").Picks} Picks */
/** @typedef {import("./plane.js").Plane} Plane */
/** @typedef {import("./tip.js").Tip} Tip */

const FINGER = 16; // hit distance of a link for touch, in pixels
const DRAG = 4; // maximum movement of a click, in pixels

/** Neurons and links: hover or focus shows their numbers and the map of a neuron, a click or Enter the weights. */
export class NetworkPointer {
  /** @param {Player} player @param {Network} network @param {Links} links @param {Tip} tip @param {Plane} plane @param {(neuron: Neuron, input?: number) => void} inspect */
  constructor(player, network, links, tip, plane, inspect) {
    this.player = player;
    this.network = network;
    this.links = links;
    this.tip = tip;
    this.plane = plane;
    this.inspect = inspect;
    const { box } = network;
    box.addEventListener("pointermove", (event) => this.#point(event));
    box.addEventListener("pointerleave", () => {
      links.point(null);
      this.#hide();
    });
    box.addEventListener("focusin", (event) => {
      const neuron = network.of(event.target);
      if (neuron?.button.matches(":focus-visible")) this.#show(neuron);
    });
    box.addEventListener("focusout", () => this.#hide());
    box.addEventListener("click", (event) => this.#open(event));
  }

  /** @param {Neuron} neuron */
  #show(neuron) {
    const { layers } = /** @type {Setup} */ (this.network.setup);
    const isOutput = layers.length - 1 === neuron.layer && layers[neuron.layer] === 1;
    this.tip.showNeuron(neuron, this.network, () => this.player.snapshot);
    if (isOutput) this.plane.look(null);
    else this.plane.look(neuron, this.network.name(neuron.layer, neuron.index));
  }

  #hide() {
    this.tip.hide();
    this.plane.look(null);
  }

  /** @param {PointerEvent} event */
  #point(event) {
    const { links, network, tip } = this;
    const { run } = this.player;
    if (!run) return;
    const neuron = network.of(event.target);
    const line = neuron ? null : this.#linkAt(event);
    if (line && line === links.pointed) return;
    links.point(line);
    if (neuron) return this.#show(neuron);
    this.plane.look(null);
    if (line) tip.showLink(line, network, () => this.player.snapshot, run.snapshots);
    else tip.hide();
  }

  /** The link under the pointer. @param {MouseEvent} event @param {number} [within] pixels */
  #linkAt(event, within) {
    const { left, top } = this.network.box.getBoundingClientRect();
    return this.links.nearest(event.clientX - left, event.clientY - top, within);
  }

  /** @param {PointerEvent} event */
  #open(event) {
    const neuron = this.network.of(event.target);
    const line = neuron ? null : this.#linkAt(event, event.pointerType === "touch" ? FINGER : undefined);
    const goal = neuron ?? line?.to;
    if (!goal || goal.layer === 0) return;
    this.inspect(goal, line?.from.index);
  }
}

/** Samples: hover shows a tooltip, a click opens one in Explore, Shift+click picks several. */
export class PlanePointer {
  /** @param {Player} player @param {Plane} plane @param {Picks} picks @param {Tip} tip */
  constructor(player, plane, picks, tip) {
    this.player = player;
    this.plane = plane;
    this.picks = picks;
    this.tip = tip;
    this.pressed = [0, 0];
    this.under = Object.assign(document.createElement("p"), { className: "under", hidden: true });
    const { plot, boundary } = plane;
    plot.append(this.under);
    plot.addEventListener("pointermove", (event) => this.#point(event));
    plot.addEventListener("pointerleave", () => {
      if (plane.isEditing) return;
      boundary.choose(null);
      this.under.hidden = true;
      tip.hide();
    });
    plot.addEventListener("pointerdown", (event) => (this.pressed = [event.clientX, event.clientY]));
    plot.addEventListener("click", (event) => this.#open(event));
  }

  /** @param {MouseEvent} event @returns {[number, number]} */
  #placeOf(event) {
    const { plot, boundary } = this.plane;
    const { left, top } = plot.getBoundingClientRect();
    return boundary.where(event.clientX - left, event.clientY - top);
  }

  /** @param {MouseEvent} event @returns {number | null} */
  #sampleAt(event) {
    const { plot, boundary } = this.plane;
    const { left, top } = plot.getBoundingClientRect();
    return boundary.nearest(event.clientX - left, event.clientY - top);
  }

  /** @param {PointerEvent} event */
  #point(event) {
    const { plane, tip } = this;
    const { run } = this.player;
    if (plane.isEditing || !run) return tip.hide();
    const index = this.#sampleAt(event);
    plane.boundary.choose(index);
    plane.plot.classList.toggle("on-sample", index !== null);
    this.under.hidden = index !== null;
    if (index !== null) return this.#show(index, run.setup, spot(event));
    tip.hide();
    write(this.under, numbersAt(run.setup, this.player.snapshot, this.#placeOf(event)).map((row) => row.join(" ")).join(" · "));
  }

  /** @param {number} index @param {Setup} setup @param {DOMRect} around */
  #show(index, setup, around) {
    const { x, y, test } = setup.samples[index];
    const outputs = this.player.snapshot?.predictions?.[index];
    const rows = [["inputs", inOwnUnits(setup, x).map(brief).join(", ")], ["target", targetOf(setup, y)]];
    if (outputs && !test) rows.push(["output", outputs.map(brief).join(", ")]);
    rows.push(["click", this.plane.boundary.told === null ? "open in Explore" : "show in slow motion"], ["Shift + click", "pick several"]);
    this.tip.showText(`Sample ${index + 1}${test ? ", test set" : ""}`, rows, around);
  }

  /** @param {MouseEvent} event */
  #open(event) {
    const [x, y] = this.pressed;
    if (Math.hypot(event.clientX - x, event.clientY - y) > DRAG || this.plane.isEditing) return;
    const index = this.#sampleAt(event);
    if (index === null) return;
    if (event.shiftKey) this.picks.pick(index);
    else this.picks.open(index);
  }
}

/** @param {MouseEvent} event */
const spot = (event) => new DOMRect(event.clientX, event.clientY, 1, 1);
