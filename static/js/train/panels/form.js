/**
 * The form of a run: conversion between its controls and a query, with errors beside their control.
 *
 * Changes are debounced. After a change of the data set, the rows or the loss, the server returns the
 * layers, loss and test share that fit.
 */

import { at, find, isNarrow, write } from "../../common/elements.js";
import { plain } from "../../common/numbers.js";
import { placed } from "../run/split.js";
import { InForce } from "./in-force.js";
import { asRows } from "./rows-text.js";
import { gist } from "./words.js";

const PAUSE = 350; // milliseconds of debounce while typing
const GLIDE = 60; // the same while a slider is dragged
const SEEDS = 10_000; // a die rolls seeds below
const OTHERS = new Set(["hide", "scale", "speed", "step"]); // hidden inputs that are not settings of the run
const DECISIVE = new Set(["data", "rows", "loss"]); // controls that others are fitted to

/** @typedef {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement} Control */
/** @typedef {import("../run/types.js").Setup} Setup */
/** @typedef {import("../run/types.js").Sample} Sample */
/** @typedef {import("../run/types.js").Texts} Texts */

export class Form {
  /** @param {HTMLFormElement} form */
  constructor(form) {
    this.form = form;
    /** Called after a change, debounced. */ this.onChange = () => {};
    /** Called at once on a change. */ this.onTyped = () => {};
    /** Called when controls were set, not typed. */ this.onPut = () => {};
    /** The control that others have to be fitted to, until the server has done so. */ this.fit = "";
    /** Whether the form differs from the run shown. */ this.isAhead = false;
    /** The data set at the first of several changes of it. */ this.was = "";
    /** What changed last, "" if each change of it is one of its own: those that are typed or dragged belong together. */ this.topic = "";
    /** Settings that changes in mid-run have taken over. */ this.inForce = new InForce((name) => this.#control(name));
    /** @type {Map<string, {from: string, to: string}>} the controls fitted to other data */ this.fitted = new Map();
    /** @type {number | undefined} */ this.timer = undefined;
    /** @type {Setup | null} of the run shown */ this.setup = null;
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#changed(0);
    });
    form.addEventListener("input", (event) => {
      const control = /** @type {Control} */ (event.target);
      const isChosen = control.matches("[type=radio], [type=checkbox], select");
      if (control.name) this.#changed(isChosen ? 0 : PAUSE, isChosen ? "" : control.name);
    });
    form.addEventListener("click", (event) => {
      const die = /** @type {Element} */ (event.target).closest("[data-roll]");
      if (die instanceof HTMLElement) this.set(die.dataset.roll ?? "", String(Math.floor(Math.random() * SEEDS)));
    });
    form.addEventListener("change", (event) => this.#adapt(/** @type {Control} */ (event.target)));
  }

  /** @param {number} pause @param {string} [topic] */
  #changed(pause, topic = "") {
    clearTimeout(this.timer);
    this.topic = topic;
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

  /** Show the settings in force at a step. @param {number} step @param {{setup: Setup}} run */
  move(step, { setup }) {
    if (!this.isAhead && this.inForce.show(setup, step)) this.onPut();
  }

  /** The checked boxes of deliberate mistakes. */
  get mistakes() {
    return /** @type {HTMLInputElement[]} */ ([...this.form.querySelectorAll("input[data-why]:checked")]);
  }

  /** All fields verbatim, valid or not. @returns {string} */
  typed() {
    const fields = [...new FormData(this.form)].filter(([name]) => !OTHERS.has(name));
    return String(new URLSearchParams(fields.map(([name, value]) => [name, this.inForce.textOf(name, String(value))])));
  }

  /** Restore fields. @param {string} typed @param {boolean} isOpen whether they still have to be submitted */
  restore(typed, isOpen) {
    const params = new URLSearchParams(typed);
    this.inForce.forget();
    for (const control of /** @type {Iterable<Control>} */ (this.form.elements)) {
      if (!control.name) continue;
      const value = params.get(control.name);
      if (control instanceof HTMLInputElement && control.type === "checkbox") this.#check(control, value ?? "");
      else if (control instanceof HTMLInputElement && control.type === "radio") control.checked = value === control.value;
      else if (value !== null && control.type !== "hidden") control.value = value;
    }
    this.hints();
    if (isOpen) this.#changed(0);
  }

  /** All fields as the query of a run. @returns {string} */
  query() {
    const params = new URLSearchParams();
    const isOwn = this.#value("data") === "rows";
    for (const [name, value] of new FormData(this.form)) {
      const text = this.inForce.textOf(name, String(value)).trim();
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

  /** Fill in another run, discarding pending input. @param {Texts} controls */
  fill(controls) {
    this.fit = "";
    this.was = "";
    this.fitted.clear();
    this.inForce.forget();
    if (document.activeElement instanceof HTMLElement && this.form.contains(document.activeElement)) document.activeElement.blur();
    for (const [name, text] of Object.entries(controls)) this.#put(name, text);
    this.hints();
  }

  /** @param {string} name @param {string} text */
  #put(name, text) {
    const control = this.#control(name);
    if (control instanceof HTMLInputElement && control.type === "radio") this.#pick(name, text);
    else if (control instanceof HTMLInputElement && control.type === "checkbox") this.#check(control, text);
    else if (control) this.#write(control, text);
  }

  /** Switches stand for a setting that is off, and weights of one's own for themselves. @param {HTMLInputElement} box @param {string} text */
  #check(box, text) {
    const isOwn = box.name === "initial";
    if (isOwn) {
      box.value = text;
      at("own-weights").hidden = !text;
    }
    box.checked = isOwn ? text !== "" : text === "false";
  }

  /** @param {string} name @param {string} value */
  #pick(name, value) {
    const radios = /** @type {NodeListOf<HTMLInputElement>} */ (this.form.querySelectorAll(`input[type=radio][name="${name}"]`));
    for (const radio of radios) radio.checked = radio.value === value;
  }

  /** Set a control, except for a text field with the focus. @param {Control} control @param {string} text */
  #write(control, text) {
    if (control === document.activeElement && !(control instanceof HTMLSelectElement)) return;
    if (control instanceof HTMLSelectElement && ![...control.options].some((option) => option.value === text)) {
      control.append(new Option(text, text));
    }
    if (control.value !== text) control.value = text;
  }

  /** A setting as the form has it. @param {string} name */
  text(name) {
    return this.#value(name);
  }

  /** Drag a setting. @param {string} name @param {string} text */
  slide(name, text) {
    this.#put(name, text);
    this.#changed(GLIDE, name);
  }

  /** Take over what was changed in mid-run: the fields stay as they are. @param {Texts} controls of the run @param {Iterable<string>} names of the settings */
  takeOver(controls, names) {
    this.#put("at", controls.at ?? "");
    for (const name of names) this.inForce.take(name, controls[name] ?? "");
    this.accept();
  }

  /** @param {string} name @param {string} text */
  set(name, text) {
    this.#put(name, text);
    this.hints();
    this.#changed(0);
  }

  /** Whether the page shows a control. @param {string} name */
  isOpen(name) {
    return (this.#control(name)?.type ?? "hidden") !== "hidden";
  }

  /** Set a control that others are fitted to. @param {string} name @param {string} text */
  choose(name, text) {
    this.fit ||= name;
    this.set(name, text);
  }

  /** Write a setting out as the run has it, unless it is being edited. @param {Texts} controls @param {string} name */
  complete(controls, name) {
    const control = this.#control(name);
    if (control && controls[name]) this.#write(control, controls[name]);
  }

  /** After a change of data, rows or loss, have the server fit the others. @param {{name: string}} control */
  #adapt({ name }) {
    this.hints();
    if (!DECISIVE.has(name)) return;
    if (name === "data") this.#unfit();
    if (this.#value("data") === "rows") this.#beginRows();
    if (this.fit !== "data") this.fit = name; // fitting to the data includes its rows and loss
    this.#changed(0);
  }

  /** Fill in the controls that the server fitted, except those edited since the request.
   * @param {Texts | undefined} fitted @param {string} query of the request @param {string} fit @param {string} [says] in words */
  take(fitted, query, fit, says = "") {
    if (!fitted) return;
    const words = at("fitted-says");
    words.hidden = !says;
    write(words, says);
    if (this.fit === fit) this.fit = "";
    const sent = new URLSearchParams(query);
    for (const [name, text] of Object.entries(fitted)) {
      const control = this.#control(name);
      if (!control || control.value.trim() !== (sent.get(name) ?? "")) continue;
      if (name === "initial") {
        this.#put(name, text);
        continue;
      }
      if (fit === "data") this.fitted.set(name, { from: control.value, to: text });
      control.value = text;
    }
    this.hints();
    this.onTyped(); // drafts include fitted values
  }

  /** Put back what was fitted to other data: each data set is fitted to from the same settings, in whatever order. */
  #unfit() {
    this.was ||= String(this.setup?.spec.data ?? "");
    for (const [name, { from, to }] of this.fitted) {
      const control = this.#control(name);
      if (control?.value.trim() === to) control.value = from;
    }
    this.fitted.clear();
  }

  /** Initialise custom rows with the samples shown. */
  #beginRows() {
    const rows = this.#control("rows");
    if (rows && !rows.value.trim() && this.setup) this.#write(rows, asRows(placed(this.setup), this.setup).text);
  }

  /** Switch to custom rows after points were edited. @param {Sample[]} samples */
  setSamples(samples) {
    if (!this.setup) return;
    const { text, share } = asRows(samples, this.setup);
    this.#put("test_share", plain(share));
    this.setRows(text);
  }

  /** Switch to these rows of a table. @param {string} text */
  setRows(text) {
    const control = this.#control("rows");
    if (!control) return;
    control.value = text;
    this.#pick("data", "rows");
    this.#adapt({ name: "data" });
  }

  /** Show help and formula of each selected choice. */
  hints() {
    this.onPut();
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

  /** Show an error beside its control. @param {string} field @param {string} message */
  refuse(field, message) {
    this.#clear();
    const line = document.getElementById(`error-${field}`) ?? document.getElementById("error-spec");
    if (!line) return;
    line.textContent = message;
    line.hidden = false;
    if (!line.checkVisibility() && !isNarrow()) find("at-large", "input").checked = true;
    at("fold-refused").hidden = false;
    this.#control(field)?.setAttribute("aria-invalid", "true");
    bringIntoView(line);
  }

  /** The form is valid and its run is shown. */
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

/** Scroll a message into view if it is outside the window or behind the player. @param {HTMLElement} line */
function bringIntoView(line) {
  const { top, bottom, height } = line.getBoundingClientRect();
  const player = document.getElementById("player")?.getBoundingClientRect().top ?? innerHeight;
  if (height && (top < 0 || bottom > Math.min(player, innerHeight))) line.scrollIntoView({ block: "center" });
}
