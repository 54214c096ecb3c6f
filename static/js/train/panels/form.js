/**
 * The form of a run: from its controls to a query and back, with refusals beside the control they are about.
 *
 * What is typed is tried a moment later. Whoever takes other data gets a network that fits it: the
 * first and last layer, and a loss that there is for it.
 */

import { gist } from "./words.js";
import { at, write } from "../../common/elements.js";

const PAUSE = 350; // milliseconds without typing after which a run is tried
const OTHERS = new Set(["hide", "scale", "speed", "step"]); // hidden fields that are not the run's
const ROWS = 2000; // samples that are turned into rows

/** @typedef {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement} Control */
/** @typedef {import("../run/types.js").Setup} Setup */
/** @typedef {import("../run/types.js").Sample} Sample */

export class Form {
  /** @param {HTMLFormElement} form */
  constructor(form) {
    this.form = form;
    /** Told a moment after a change. */ this.onChange = () => {};
    /** Told of a change at once. */ this.onTyped = () => {};
    /** Whether what it says is not, or not yet, the run that is shown. */ this.isAhead = false;
    /** @type {number | undefined} */ this.timer = undefined;
    /** @type {Setup | null} of the run that is shown */ this.setup = null;
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#changed(0);
    });
    form.addEventListener("input", (event) => {
      const control = /** @type {Control} */ (event.target);
      if (control.name) this.#changed(control.matches("[type=radio], [type=checkbox], select") ? 0 : PAUSE);
    });
    form.addEventListener("change", (event) => this.#adapt(/** @type {Control} */ (event.target)));
  }

  /** @param {number} pause */
  #changed(pause) {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => {
      this.isAhead = true;
      this.onChange();
    }, pause);
    this.isAhead = true;
    this.onTyped();
  }

  /** Another run. @param {{setup: Setup}} run */
  load({ setup }) {
    this.setup = setup;
    write(at("gist"), gist(setup));
  }

  /** The boxes of the mistakes that are made on purpose. */
  get mistakes() {
    return /** @type {HTMLInputElement[]} */ ([...this.form.querySelectorAll("input[data-why]:checked")]);
  }

  /** All fields letter by letter, whatever they are worth. @returns {string} */
  typed() {
    const fields = [...new FormData(this.form)].filter(([name]) => !OTHERS.has(name));
    return String(new URLSearchParams(fields.map(([name, value]) => [name, String(value)])));
  }

  /** Fields as they were. @param {string} typed @param {boolean} isOpen they have not become a run yet */
  restore(typed, isOpen) {
    const params = new URLSearchParams(typed);
    for (const control of /** @type {Iterable<Control>} */ (this.form.elements)) {
      const value = params.get(control.name);
      if (control instanceof HTMLInputElement && control.type === "checkbox") control.checked = value !== null;
      else if (control instanceof HTMLInputElement && control.type === "radio") control.checked = value === control.value;
      else if (value !== null && control.type !== "hidden") control.value = value;
    }
    this.hints();
    if (isOpen) this.#changed(0);
  }

  /** All fields as the address of a run has them. @returns {string} */
  query() {
    const params = new URLSearchParams();
    const isOwn = this.#value("data") === "rows";
    for (const [name, value] of new FormData(this.form)) {
      const text = String(value).trim();
      if (!text || OTHERS.has(name) || (name === "rows" && !isOwn)) continue;
      params.append(name, name === "rows" ? addressed(text) : text);
    }
    return String(params);
  }

  /** @param {string} name @returns {Control | null} */
  #control(name) {
    const found = this.form.elements.namedItem(name);
    if (found instanceof RadioNodeList) return /** @type {Control} */ (found[0]);
    return /** @type {Control | null} */ (found);
  }

  /** @param {string} name */
  #value(name) {
    const found = this.form.elements.namedItem(name);
    return found && "value" in found ? String(found.value) : "";
  }

  /** Show another spec, whatever was being typed. @param {Record<string, any>} spec */
  fill(spec) {
    if (document.activeElement instanceof HTMLElement && this.form.contains(document.activeElement)) document.activeElement.blur();
    for (const [name, value] of Object.entries(spec)) {
      const control = this.#control(name);
      if (!control) continue;
      const text = written(name, value);
      if (control instanceof HTMLInputElement && control.type === "checkbox") control.checked = value === false;
      else if (control instanceof HTMLInputElement && control.type === "radio") this.#pick(name, text);
      else this.#write(control, text);
    }
    this.hints();
  }

  /** @param {string} name @param {string} value */
  #pick(name, value) {
    const radios = /** @type {NodeListOf<HTMLInputElement>} */ (this.form.querySelectorAll(`input[type=radio][name="${name}"]`));
    for (const radio of radios) radio.checked = radio.value === value;
  }

  /** What is typed right now is not written over by its own meaning. @param {Control} control @param {string} text */
  #write(control, text) {
    if (control === document.activeElement && !(control instanceof HTMLSelectElement)) return;
    if (control instanceof HTMLSelectElement && ![...control.options].some((option) => option.value === text)) {
      control.append(new Option(text, text));
    }
    if (control.value !== text) control.value = text;
  }

  /** @param {string} name @param {string} text */
  set(name, text) {
    const control = this.#control(name);
    if (control instanceof HTMLInputElement && control.type === "radio") this.#pick(name, text);
    else if (control instanceof HTMLInputElement && control.type === "checkbox") control.checked = text === "false";
    else if (control) this.#write(control, text);
    this.hints();
    this.#changed(0);
  }

  /** Other data, another loss: make the network fit. @param {Control} control */
  #adapt(control) {
    this.hints();
    if (!["data", "loss", "rows"].includes(control.name)) return;
    const data = /** @type {HTMLInputElement | null} */ (this.form.querySelector("input[name=data]:checked"));
    if (!data) return;
    if (data.value === "rows") this.#beginRows();
    const share = this.#control("test_share");
    if (control.name === "data" && data.value === "four_points" && share) share.value = "0"; // all four are needed
    const inputs = data.value === "rows" ? this.#columns() - 1 : Number(data.dataset.inputs);
    const classes = data.value === "rows" ? this.#classes() : Number(data.dataset.classes);
    if (control.name === "data" && !classes && !this.#lossData().regression) this.set("loss", "mse");
    this.#fitLayers(inputs, classes);
    this.#changed(0);
  }

  /** The target that says "not this class". */
  get no() {
    return Number(this.#lossOption().no ?? -1);
  }

  /** @returns {DOMStringMap} */
  #lossOption() {
    const loss = /** @type {HTMLSelectElement | null} */ (this.#control("loss"));
    return loss?.selectedOptions?.[0]?.dataset ?? {};
  }

  #lossData() {
    const data = this.#lossOption();
    return { regression: data.regression === "1", least: Number(data.least ?? 1) };
  }

  /** @param {number} inputs @param {number} classes */
  #fitLayers(inputs, classes) {
    const layers = this.#value("layers").match(/\d+/g)?.map(Number) ?? [];
    if (layers.length < 2 || !inputs) return;
    const last = layers[layers.length - 1];
    const { least } = this.#lossData();
    const fit = classes > 2 ? classes : classes === 2 ? Math.max(least, last === 2 ? 2 : 1) : 1;
    if (layers[0] === inputs && last === fit) return;
    layers[0] = inputs;
    layers[layers.length - 1] = fit;
    const control = this.#control("layers");
    if (control) control.value = layers.join(" → ");
  }

  /** Own rows begin as the samples that are shown. */
  #beginRows() {
    const rows = this.#control("rows");
    if (rows && !rows.value.trim() && this.setup) rows.value = asRows(this.setup.samples, this.setup);
  }

  /** Points that were moved by hand: the data are now rows. @param {Sample[]} samples */
  setSamples(samples) {
    const control = this.#control("rows");
    if (!control || !this.setup) return;
    control.value = asRows(samples, this.setup);
    this.#pick("data", "rows");
    this.#adapt(/** @type {Control} */ (this.form.querySelector("input[name=data]:checked") ?? control));
  }

  #outputs() {
    return Number(this.#value("layers").match(/\d+/g)?.at(-1) ?? 1);
  }

  #columns() {
    return table(this.#value("rows"))[0]?.length ?? 0;
  }

  /** How many classes the rows have; 0 where their labels are not whole numbers. */
  #classes() {
    const last = new Set(table(this.#value("rows")).map((cells) => cells.at(-1) ?? ""));
    if ([...last].some((word) => Number.isNaN(Number(word)))) return last.size;
    const labels = new Set([...last].map(Number));
    if (labels.size === 2 && labels.has(-1) && labels.has(1)) return 2;
    const whole = [...labels].every((label) => Number.isInteger(label) && label >= 0);
    if (!whole || (this.#lossData().regression && this.#outputs() === 1)) return 0;
    return Math.max(2, Math.max(...labels) + 1);
  }

  /** What the choice of each control means, beside it. */
  hints() {
    for (const select of this.form.querySelectorAll("select, input[type=radio]:checked")) {
      const control = /** @type {HTMLInputElement | HTMLSelectElement} */ (select);
      const hint = document.getElementById(`hint-${control.name}`);
      const chosen = control instanceof HTMLSelectElement ? control.selectedOptions[0] : control;
      if (!hint || !chosen) continue;
      const [help, formula] = [hint.querySelector(".hint-help"), hint.querySelector(".hint-formula")];
      if (help) help.textContent = chosen.dataset.help ?? "";
      if (formula) formula.textContent = chosen.dataset.formula ?? "";
    }
  }

  /** Beside the control it is about. @param {string} field @param {string} message */
  refuse(field, message) {
    this.#clear();
    const line = document.getElementById(`error-${field}`) ?? document.getElementById("error-spec");
    if (!line) return;
    line.textContent = message;
    line.hidden = false;
    at("fold-refused").hidden = false;
    this.#control(field)?.setAttribute("aria-invalid", "true");
    bringIntoView(line);
  }

  /** What it says is a run. */
  accept() {
    this.#clear();
    this.isAhead = false;
  }

  #clear() {
    at("fold-refused").hidden = true;
    for (const line of this.form.querySelectorAll(".field-error")) {
      line.textContent = "";
      /** @type {HTMLElement} */ (line).hidden = true;
    }
    for (const control of this.form.querySelectorAll("[aria-invalid]")) control.removeAttribute("aria-invalid");
  }
}

/** Pasted rows as an address has them: plain numbers in short, anything else as it was pasted. @param {string} text */
function addressed(text) {
  const isPlain = !text.includes("\n") || /^[-+\d\s.,eE]*$/.test(text);
  return isPlain ? text.split(/\s*[\n;]\s*/).filter(Boolean).join(";") : text;
}

/** The cells of pasted rows, without a header. @param {string} text */
function table(text) {
  const lines = text.trim().split(text.includes("\n") ? "\n" : ";").filter((line) => line.trim());
  const sign = ["\t", ";"].find((found) => lines[0]?.includes(found));
  const rows = lines.map((line) => (sign ? line.replaceAll(",", ".").split(sign) : line.trim().split(/[\s,]+/)).map((cell) => cell.trim()));
  const isHeader = rows[0]?.every((cell) => cell === "" || Number.isNaN(Number(cell)));
  return isHeader && rows.length > 1 ? rows.slice(1) : rows;
}

/** What is above the page, or behind the steps below it, is not read. @param {HTMLElement} line */
function bringIntoView(line) {
  const { top, bottom, height } = line.getBoundingClientRect();
  const player = document.getElementById("player")?.getBoundingClientRect().top ?? innerHeight;
  if (height && (top < 0 || bottom > Math.min(player, innerHeight))) line.scrollIntoView({ block: "center" });
}

/** A value of a spec as its control holds it. @param {string} name @param {any} value */
function written(name, value) {
  if (name === "layers") return value.join(" → ");
  if (name === "rows") return value.map((/** @type {number[]} */ row) => row.join(", ")).join("\n");
  return Array.isArray(value) ? value.join(",") : String(value);
}

/** Samples as rows of text: the inputs, then the label. Two classes are −1 and 1, which every loss takes for classes.
 * @param {Sample[]} samples @param {Setup} setup */
function asRows(samples, { kind, classes }) {
  const isPair = kind === "classes" && classes === 2;
  return samples.slice(0, ROWS).map(({ x, y }) => [...x, isPair && y === 0 ? -1 : y].join(", ")).join("\n");
}
