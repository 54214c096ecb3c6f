/**
 * One neuron in numbers: its weights and its bias, each with value, gradient and how it came about;
 * a number typed here changes the weight at this step.
 */
import { parameterOf } from "../run/parameters.js";
import { brief } from "../../common/numbers.js";

/** @typedef {import("../run/types.js").Snapshot} Snapshot */
/** @typedef {import("../run/types.js").Setup} Setup */
/** @typedef {import("../run/store.js").Snapshots} Snapshots */
/** @typedef {{parameter: number, name: string, row: HTMLTableRowElement, field: HTMLInputElement, gradient: HTMLElement, spark: HTMLCanvasElement}} Row */

const PAUSE = 500;

export class Inspector {
  /** @param {HTMLElement} box @param {(parameter: number, value: number) => void} onEdit @param {() => void} onClose */
  constructor(box, onEdit, onClose) {
    this.box = box;
    this.onEdit = onEdit;
    this.onClose = onClose;
    /** @type {Setup | null} */ this.setup = null;
    /** @type {Row[]} */ this.rows = [];
    this.isOpen = false;
    this.colour = "currentcolor";
    this.refusal = Object.assign(document.createElement("p"), { className: "field-error", hidden: true });
    this.refusal.setAttribute("role", "alert");
    box.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      event.stopPropagation();
      this.close();
    });
  }

  /** @param {Setup} setup */
  load(setup) {
    this.setup = setup;
    this.close(false);
  }

  /** @param {number} layer @param {number} index @param {string} name @param {number} [input] the weight to begin with */
  open(layer, index, name, input) {
    const { setup } = this;
    if (!setup || layer === 0) return;
    const count = setup.layers[layer - 1];
    const names = Array.from({ length: count }, (_, i) => (layer === 1 ? `x${i + 1}` : `neuron ${i + 1}`));
    this.rows = [...names.map((from, i) => this.#row(parameterOf(setup.layers, layer, index, i), from)), this.#row(parameterOf(setup.layers, layer, index, count), "bias")];
    this.box.replaceChildren(this.#head(name), this.#table(), this.refusal);
    this.#refuse(null);
    this.box.hidden = false;
    this.isOpen = true;
    if (input !== undefined) this.rows[input]?.field.focus();
  }

  /** @param {string} name */
  #head(name) {
    const head = document.createElement("header");
    head.className = "panel-head";
    const title = document.createElement("h2");
    title.textContent = name;
    const close = document.createElement("button");
    close.type = "button";
    close.className = "button icon";
    close.textContent = "×";
    close.setAttribute("aria-label", "Close");
    close.addEventListener("click", () => this.close());
    head.append(title, close);
    return head;
  }

  #table() {
    const table = document.createElement("table");
    const head = table.createTHead().insertRow();
    for (const word of ["from", "weight", "gradient", "so far"]) {
      const th = document.createElement("th");
      th.scope = "col";
      th.textContent = word;
      head.append(th);
    }
    const body = table.createTBody();
    body.append(...this.rows.map(({ row }) => row));
    const scroll = document.createElement("div");
    scroll.className = "scroll";
    scroll.tabIndex = 0;
    scroll.setAttribute("role", "group");
    scroll.setAttribute("aria-label", "Weights");
    scroll.append(table);
    return scroll;
  }

  /** @param {number} parameter @param {string} name @returns {Row} */
  #row(parameter, name) {
    const row = document.createElement("tr");
    const th = document.createElement("th");
    th.scope = "row";
    th.textContent = name;
    const field = Object.assign(document.createElement("input"), { type: "number", step: "0.1" });
    field.setAttribute("aria-label", name === "bias" ? "bias" : `weight from ${name}`);
    const gradient = Object.assign(document.createElement("td"), { className: "grad" });
    const spark = Object.assign(document.createElement("canvas"), { width: 96, height: 28, className: "spark" });
    const [first, last] = [document.createElement("td"), document.createElement("td")];
    first.append(field);
    last.append(spark);
    row.append(th, first, gradient, last);
    this.#listen(field, parameter);
    return { parameter, name, row, field, gradient, spark };
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

  /** An empty field is no weight. @param {HTMLInputElement | null} field */
  #refuse(field) {
    for (const row of this.rows) row.field.setAttribute("aria-invalid", String(row.field === field));
    this.refusal.hidden = !field;
    this.refusal.textContent = field ? "Type a number, 0 to cut the link; Tab leaves the weight as it is." : "";
  }

  /** @param {Snapshot} snapshot @param {Snapshots} snapshots */
  draw(snapshot, snapshots) {
    if (!this.isOpen) return;
    for (const { parameter, field, gradient, spark } of this.rows) {
      field.dataset.shown = String(Number(snapshot.parameters[parameter].toPrecision(4)));
      if (field !== document.activeElement) field.value = field.dataset.shown;
      gradient.textContent = snapshot.gradient ? brief(snapshot.gradient[parameter]) : "–";
      drawHistory(spark, snapshots.history((kept) => kept.parameters[parameter]), snapshot.step, this.colour);
    }
  }

  close(tell = true) {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.box.hidden = true;
    if (tell) this.onClose();
  }
}

/** A number over the steps, as a line with a dot at the step shown.
 * @param {HTMLCanvasElement} canvas @param {[number, number][]} history @param {number} step @param {string} colour */
export function drawHistory(canvas, history, step, colour) {
  const context = canvas.getContext("2d");
  if (!context) return;
  const { width, height } = canvas;
  context.clearRect(0, 0, width, height);
  const finite = history.filter(([, value]) => Number.isFinite(value));
  if (!finite.length) return;
  const values = finite.map(([, value]) => value);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const last = Math.max(1, finite[finite.length - 1][0]);
  const place = (/** @type {[number, number]} */ [at, value]) =>
    /** @type {[number, number]} */ ([3 + (at / last) * (width - 6), height - 4 - ((value - low) / (high - low || 1)) * (height - 8)]);
  context.strokeStyle = context.fillStyle = colour;
  context.lineWidth = 2;
  context.beginPath();
  for (const point of finite) context.lineTo(...place(point));
  context.stroke();
  const now = finite.findLast(([at]) => at <= step) ?? finite[0];
  context.beginPath();
  context.arc(...place(now), 3.5, 0, 2 * Math.PI);
  context.fill();
}
