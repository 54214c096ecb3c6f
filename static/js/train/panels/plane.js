/** The plot panel: decision boundary or fitted curve, and the editor of points. */
import { announce, at, on, toggle, write } from "../../common/elements.js";
import { Points } from "./points.js";
import { keyOf, showScale } from "./scale.js";

/** @typedef {import("../draw/boundary.js").Boundary} Boundary */
/** @typedef {import("../draw/colours.js").Palette} Palette */
/** @typedef {import("../draw/network.js").Neuron} Neuron */
/** @typedef {import("../run/player.js").Player} Player */
/** @typedef {import("../run/run.js").Run} Run */
/** @typedef {import("../run/types.js").Setup} Setup */
/** @typedef {import("../run/types.js").Snapshot} Snapshot */
/** @typedef {import("./form.js").Form} Form */

const CLASSES = 8; // colours of classes

export class Plane {
  /** @param {Player} player @param {Boundary} boundary @param {Form} form */
  constructor(player, boundary, form) {
    this.player = player;
    this.boundary = boundary;
    this.plot = at("plot");
    this.points = new Points(this.plot, boundary, (samples) => player.run && form.setSamples(samples), announce);
    this.title = "";
    /** Called when editing of points starts or ends. */ this.onEdit = () => {};
    this.scale = Object.assign(document.createElement("p"), { className: "scale", id: "scale" });
    this.plot.after(this.scale);
    on("edit-points", "click", (event) => this.#turn(toggle(event.currentTarget)));
  }

  get isEditing() {
    return this.points.isOn;
  }

  /** @param {boolean} isOn */
  #turn(isOn) {
    const { run } = this.player;
    const hint = at("plot-hint");
    this.points.turn(isOn);
    hint.hidden = !isOn;
    this.onEdit();
    if (isOn && run) hint.replaceChildren(...this.points.hint());
    if (isOn) this.plot.focus({ preventScroll: true });
  }

  /** @param {Run} run */
  load(run) {
    const { boundary, points } = this;
    const held = points.isOn ? boundary.samples[boundary.chosen ?? -1] : undefined;
    boundary.load(run);
    this.#name(run.setup);
    if (points.isOn) points.turn(Boolean(run.setup.bounds));
    if (held) boundary.choose(boundary.indexOf(held));
  }

  /** @param {Setup} setup */
  #name(setup) {
    const { bounds, inputs, kind } = setup;
    const names = keyOf(setup);
    this.plot.hidden = !bounds;
    showScale(this.scale, setup);
    write(document.querySelector(".no-plot") ?? at(""), `No plot for ${inputs} inputs; see the table of predictions.`);
    const key = names.map((name, i) => Object.assign(document.createElement("li"), { className: `class-${i % CLASSES}`, textContent: name }));
    at("class-key").replaceChildren(...key);
    this.title = inputs === 1 ? "Fitted curve" : kind === "classes" ? "Decision boundary" : "Predicted plane";
    write(at("plot-title"), this.title);
  }

  /** Show the map of a neuron in place of the output, or the output again. @param {Neuron | null} neuron @param {string} [name] */
  look(neuron, name = this.title) {
    if (this.plot.hidden) return;
    this.boundary.look(neuron);
    write(at("plot-title"), name);
  }

  /** @param {Snapshot} snapshot @param {boolean} isAnew */
  draw(snapshot, isAnew) {
    if (isAnew) this.boundary.drawSamples();
    this.boundary.draw(snapshot);
  }

  /** Mark the samples of a minibatch. @param {Run} run @param {Snapshot} snapshot */
  rest({ setup }, { batch }) {
    const trained = setup.samples.filter(({ test }) => !test).length;
    this.boundary.batch = new Set(batch && batch.length < trained ? batch : []);
    this.boundary.drawSamples();
  }

  /** @param {Palette} palette */
  recolour(palette) {
    this.boundary.palette = palette;
  }
}
