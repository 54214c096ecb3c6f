/**
 * The form of a run: from its controls to a query and back, with refusals beside the control they are about.
 *
 * A change is tried a moment later. After other data, rows or another loss the server answers with
 * the layers, loss and test share that fit them: the rules are its own.
 */

import { at, write } from "../../common/elements.js";
import { gist } from "./words.js";

const PAUSE = 350; // milliseconds without typing after which a run is tried
const OTHERS = new Set(["hide", "scale", "speed", "step"]); // hidden fields that are not the run's
const DECISIVE = new Set(["data", "rows", "loss"]); // controls that the others have to fit

/** @typedef {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement} Control */
/** @typedef {import("../run/types.js").Setup} Setup */
/** @typedef {import("../run/types.js").Sample} Sample */
/** @typedef {import("../run/types.js").Texts} Texts */

export class Form {
  /** @param {HTMLFormElement} form */
  constructor(form) {
    this.form = form;
    /** Told a moment after a change. */ this.onChange = () => {};
    /** Told of a change at once. */ this.onTyped = () => {};
    /** The control that the others have to fit, until the server has said how. */ this.fit = "";
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
      params.append(name, text);
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

  /** Show another run, whatever was being typed. @param {Texts} controls */
  fill(controls) {
    this.fit = "";
    if (document.activeElement instanceof HTMLElement && this.form.contains(document.activeElement)) document.activeElement.blur();
    for (const [name, text] of Object.entries(controls)) this.#put(name, text);
    this.hints();
  }

  /** @param {string} name @param {string} text */
  #put(name, text) {
    const control = this.#control(name);
    if (control instanceof HTMLInputElement && control.type === "radio") this.#pick(name, text);
    else if (control instanceof HTMLInputElement && control.type === "checkbox") control.checked = text === "false";
    else if (control) this.#write(control, text);
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
    this.#put(name, text);
    this.hints();
    this.#changed(0);
  }

  /** Other data, rows or another loss: the server says what fits them. @param {{name: string}} control */
  #adapt({ name }) {
    this.hints();
    if (!DECISIVE.has(name)) return;
    if (this.#value("data") === "rows") this.#beginRows();
    if (this.fit !== "data") this.fit = name; // what fits other data fits their rows and loss
    this.#changed(0);
  }

  /** Controls that the server made to fit; what was typed since the request stays.
   * @param {Texts | undefined} fitted @param {string} query of the request @param {string} fit */
  take(fitted, query, fit) {
    if (!fitted) return;
    if (this.fit === fit) this.fit = "";
    const sent = new URLSearchParams(query);
    for (const [name, text] of Object.entries(fitted)) {
      const control = this.#control(name);
      if (control && control.value.trim() === (sent.get(name) ?? "")) control.value = text;
    }
    this.hints();
    this.onTyped(); // what was made to fit is kept like what was typed
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
    this.#adapt({ name: "data" });
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

/** What is above the page, or behind the steps below it, is not read. @param {HTMLElement} line */
function bringIntoView(line) {
  const { top, bottom, height } = line.getBoundingClientRect();
  const player = document.getElementById("player")?.getBoundingClientRect().top ?? innerHeight;
  if (height && (top < 0 || bottom > Math.min(player, innerHeight))) line.scrollIntoView({ block: "center" });
}

/** Samples as rows of text: the inputs, then the label. Two classes are −1 and 1, which every loss takes for classes.
 * @param {Sample[]} samples @param {Setup} setup */
function asRows(samples, { kind, classes }) {
  const isPair = kind === "classes" && classes === 2;
  return samples.map(({ x, y }) => [...x, isPair && y === 0 ? -1 : y].join(", ")).join("\n");
}
