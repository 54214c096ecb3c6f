/**
 * The inspector of a neuron: value, gradient and history of each weight and of the bias. Editing a value
 * changes the weight at the current step.
 */
import { made } from "../../common/elements.js";
import { brief } from "../../common/numbers.js";
import { drawHistory } from "../draw/surface.js";
import { parameterOf } from "../run/parameters.js";
import { pathTo } from "../run/server.js";
import { cell, head, row } from "./tables.js";

/** @typedef {import("../run/types.js").Snapshot} Snapshot */
/** @typedef {import("../draw/colours.js").Palette} Palette */
/** @typedef {import("../draw/network.js").Network} Network */
/** @typedef {import("../draw/network.js").Neuron} Neuron */
/** @typedef {import("../run/player.js").Player} Player */
/** @typedef {import("../run/run.js").Run} Run */
/** @typedef {{parameter: number, name: string, row: HTMLTableRowElement, field: HTMLInputElement, gradient: HTMLElement, spark: HTMLCanvasElement}} Row */

const PAUSE = 500;
const STEP = 0.1; // by which the arrow keys move a weight
const DIGITS = 10; // of a weight that was moved, without the noise of its last digits

export class Inspector {
  /** @param {HTMLElement} box @param {Palette} palette @param {Player} player @param {Network} network @param {(parameter: number, value: number) => void} onEdit */
  constructor(box, { data }, player, network, onEdit) {
    this.box = box;
    this.player = player;
    this.network = network;
    this.onEdit = onEdit;
    /** The neuron shown: its layer and its index there. @type {[number, number]} */ this.neuron = [0, 0];
    /** @type {Row[]} */ this.rows = [];
    /** The link to the neuron alone, with its inputs, in Explore. */
    this.link = made("a", { textContent: "in Explore", title: "This neuron with its inputs, for the sample that the step uses", className: "link" });
    this.isOpen = false;
    /** The layers and inputs of its neurons. */ this.shape = "";
    this.colour = data;
    this.refusal = made("p", { className: "field-error", hidden: true, role: "alert" });
    box.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      event.stopPropagation();
      this.close();
    });
  }

  /** A run of other layers has other neurons. @param {Run} run */
  load({ setup }) {
    const shape = String([setup.layers, setup.input_names]);
    if (shape !== this.shape) this.close(false);
    this.shape = shape;
  }

  /** @param {Palette} palette */
  recolour({ data }) {
    this.colour = data;
  }

  /** @param {Neuron} neuron @param {number} [input] the weight to focus */
  open({ layer, index }, input) {
    const { run, snapshot } = this.player;
    if (!run || layer === 0) return;
    this.neuron = [layer, index];
    this.rows = this.#rowsOf(run.setup.layers);
    this.box.replaceChildren(this.#head(this.network.name(layer, index)), this.#table(), this.refusal);
    this.#refuse(null);
    this.box.hidden = false;
    this.isOpen = true;
    this.network.choose(this.network.at(layer, index));
    if (snapshot) this.settle(run, snapshot);
    const field = input === undefined ? null : this.rows[input]?.field;
    field?.focus();
    field?.select();
  }

  /** A row for each weight, and one for the bias. @param {number[]} layers */
  #rowsOf(layers) {
    const [layer, index] = this.neuron;
    const { features = null } = this.network.setup?.spec ?? {};
    const input = (/** @type {number} */ i) => (features ? this.network.setup?.input_names[i] : `x${i + 1}`);
    const names = Array.from({ length: layers[layer - 1] }, (_, i) => (layer === 1 ? input(i) : `neuron ${i + 1}`) ?? "");
    return [...names, "bias"].map((name, i) => this.#row(parameterOf(layers, layer, index, i), name));
  }

  /** @param {string} name */
  #head(name) {
    const close = made("button", { type: "button", className: "button icon", "aria-label": "Close", onclick: () => this.close() }, "×");
    return made("header", { className: "panel-head" }, made("h2", {}, name), this.link, close);
  }

  #table() {
    const heads = ["from", "weight", "gradient", "history"].map((word) => made("th", { scope: "col" }, word));
    const table = made("table", {}, made("thead", {}, row(...heads)), made("tbody", {}, ...this.rows.map(({ row: line }) => line)));
    return made("div", { className: "scroll", tabIndex: 0, role: "group", "aria-label": "Weights" }, table);
  }

  /** @param {number} parameter @param {string} name @returns {Row} */
  #row(parameter, name) {
    const field = made("input", { type: "number", step: "any", "aria-label": name === "bias" ? "bias" : `weight from ${name}` });
    const gradient = cell("", "grad");
    const spark = made("canvas", { width: 96, height: 28, className: "spark" });
    this.#listen(field, parameter);
    return { parameter, name, row: row(head(name), made("td", {}, field), gradient, made("td", {}, spark)), field, gradient, spark };
  }

  /** @param {HTMLInputElement} field @param {number} parameter */
  #listen(field, parameter) {
    /** @type {number | undefined} */ let timer;
    const edit = () => {
      clearTimeout(timer);
      timer = undefined;
      const value = field.valueAsNumber;
      if (Number.isFinite(value)) this.onEdit(parameter, value);
    };
    field.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && Number.isNaN(field.valueAsNumber)) this.#refuse(field);
      const way = { ArrowUp: 1, ArrowDown: -1 }[event.key];
      if (!way || Number.isNaN(field.valueAsNumber)) return;
      event.preventDefault(); // the browser's own steps begin at 0
      field.value = String(Number((field.valueAsNumber + way * STEP).toPrecision(DIGITS)));
      field.dispatchEvent(new Event("input"));
    });
    field.addEventListener("blur", () => {
      this.#refuse(null);
      if (Number.isNaN(field.valueAsNumber)) field.value = field.dataset.shown ?? "";
    });
    field.addEventListener("input", () => {
      this.#refuse(null);
      clearTimeout(timer);
      timer = window.setTimeout(edit, PAUSE);
    });
    field.addEventListener("change", () => timer !== undefined && edit());
  }

  /** Show or clear the error of an empty field. @param {HTMLInputElement | null} field */
  #refuse(field) {
    for (const row of this.rows) row.field.setAttribute("aria-invalid", String(row.field === field));
    this.refusal.hidden = !field;
    this.refusal.textContent = field ? "Enter a number; 0 cuts the connection, Tab keeps the weight." : "";
  }

  /** @param {Run} run @param {Snapshot} snapshot */
  settle({ query, snapshots }, snapshot) {
    if (!this.isOpen) return;
    const [layer, index] = this.neuron;
    this.link.href = pathTo("open", query, { step: snapshot.step, part: `${layer}.${index + 1}` });
    for (const { parameter, field, gradient, spark } of this.rows) {
      if (!snapshot.isRough) field.dataset.shown = String(Number(snapshot.parameters[parameter].toPrecision(4)));
      if (field !== document.activeElement) field.value = field.dataset.shown ?? "";
      gradient.textContent = snapshot.gradient ? brief(snapshot.gradient[parameter]) : "–";
      drawHistory(spark, snapshots.history((kept) => kept.parameters[parameter]), snapshot.step, this.colour);
    }
  }

  close(hasFocus = true) {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.box.hidden = true;
    this.network.choose(null);
    if (hasFocus) this.network.at(...this.neuron)?.button.focus();
  }
}
