/**
 * The editor of points: a click adds one, dragging moves it, Delete removes it. The keyboard does the same
 * with a crosshair: arrows move it, Enter adds a point, Space picks one up, N and P select the next and the
 * previous point, digits choose the class.
 */

import { inOwnUnits } from "../run/own-units.js";

/** @typedef {import("../draw/boundary.js").Boundary} Boundary */
/** @typedef {import("../run/types.js").Sample} Sample */

const DIGITS = 3;
const CLICK = 4; // maximum movement of a click, in pixels
const STEPS = 40; // arrow key presses across the plane

export class Points {
  /**
   * @param {HTMLElement} plot @param {Boundary} boundary @param {(samples: Sample[]) => void} onChange
   * @param {(words: string) => void} announce
   */
  constructor(plot, boundary, onChange, announce) {
    this.plot = plot;
    this.boundary = boundary;
    this.onChange = onChange;
    this.announce = announce;
    this.isOn = false;
    this.label = 1;
    /** @type {number | null} the index of the point being moved */ this.held = null;
    /** @type {[number, number]} */ this.pressedAt = [0, 0];
    plot.addEventListener("pointerdown", (event) => this.#down(event));
    plot.addEventListener("pointermove", (event) => this.#move(event));
    plot.addEventListener("pointerup", (event) => this.#up(event));
    plot.addEventListener("keydown", (event) => this.#onKey(event));
  }

  /** @param {boolean} isOn */
  turn(isOn) {
    this.isOn = isOn;
    this.held = null;
    this.plot.classList.toggle("editing", isOn);
    this.plot.dataset.keys = isOn ? "own" : "";
    if (isOn) {
      this.plot.tabIndex = 0;
      this.plot.setAttribute("role", "application");
      this.plot.setAttribute("aria-label", "Points. Arrow keys move the crosshair, Enter adds a point or drops the one picked up, N and P select the next and previous point, Space picks it up, Delete removes it, digits choose the class.");
      this.boundary.cross ??= this.boundary.where(this.boundary.dots.width / 2, this.boundary.dots.height / 2);
    } else {
      for (const name of ["tabindex", "role", "aria-label"]) this.plot.removeAttribute(name);
      this.boundary.cross = null;
    }
    this.boundary.drawSamples();
  }

  /** Instructions, and the control for the class or the target of new points. @returns {(Node | string)[]} */
  hint() {
    const { setup } = this.boundary;
    const words = "Click to add a point, drag to move it, Delete or Alt+click to remove it. ";
    if (!setup || !this.hasLabel) return [words];
    const label = document.createElement("label");
    const control = this.isClass ? this.#classes(Math.max(2, setup.classes), setup.class_names) : Object.assign(document.createElement("input"), { type: "number", step: "0.1" });
    control.id = "point-class";
    control.value = String(this.label);
    control.addEventListener("change", () => (this.label = Number(control.value)));
    this.plot.addEventListener("classchosen", (event) => (control.value = String(/** @type {CustomEvent} */ (event).detail)));
    label.append(`${this.isClass ? "Class" : "Target"} of new points `, control);
    return [words, label];
  }

  /** @param {number} classes @param {string[]} names */
  #classes(classes, names) {
    const select = document.createElement("select");
    for (let i = 0; i < classes; i += 1) select.append(new Option(names[i] ?? String(i), String(i)));
    return select;
  }

  get samples() {
    return this.boundary.samples;
  }

  get isClass() {
    return this.boundary.setup?.kind === "classes";
  }

  /** Whether a point has a label of its own; otherwise its height is its target. */
  get hasLabel() {
    return this.isClass || this.boundary.isPlane;
  }

  /** @param {PointerEvent} event @returns {[number, number]} */
  #place(event) {
    const box = this.plot.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  /** @param {PointerEvent} event */
  #down(event) {
    if (!this.isOn || event.button !== 0) return;
    this.pressedAt = [event.clientX, event.clientY];
    this.held = this.boundary.nearest(...this.#place(event));
    if (this.held !== null) this.plot.setPointerCapture(event.pointerId);
  }

  /** @param {PointerEvent} event */
  #move(event) {
    if (!this.isOn || this.held === null || !event.buttons) return;
    this.#put(this.held, this.boundary.where(...this.#place(event)));
  }

  /** @param {PointerEvent} event */
  #up(event) {
    if (!this.isOn || event.button !== 0) return;
    const isClick = Math.hypot(event.clientX - this.pressedAt[0], event.clientY - this.pressedAt[1]) <= CLICK;
    const { held } = this;
    this.held = null;
    const at = this.boundary.where(...this.#place(event));
    if (held === null && isClick) this.#add(at);
    else if (held !== null && isClick && event.altKey) this.#remove(held);
    else if (held !== null && !isClick) this.#changed(`Point ${held + 1} moved.`);
    else if (held !== null) this.#choose(held);
  }

  /** @param {number} index */
  #choose(index) {
    const { x, y } = this.samples[index];
    this.boundary.cross = this.boundary.isPlane ? [x[0], x[1]] : [x[0], this.boundary.heightOf(y)];
    this.boundary.chosen = index;
    this.boundary.drawSamples();
    this.announce(`Point ${index + 1} at ${this.#told(this.boundary.cross)}${this.hasLabel ? `, ${this.isClass ? "class" : "target"} ${y}` : ""}.`);
  }

  /** A place in the samples' own units. @param {[number, number]} at */
  #told([x, y]) {
    const { setup, isPlane } = this.boundary;
    const [first, second = y] = setup ? inOwnUnits(setup, isPlane ? [x, y] : [x]) : [x];
    return `${rounded(first)}, ${rounded(second)}`;
  }

  /** The inputs and the label of a point. @param {[number, number]} at @param {number} label */
  #at([x, y], label) {
    return { x: this.boundary.isPlane ? [rounded(x), rounded(y)] : [rounded(x)], y: this.hasLabel ? label : rounded(y) };
  }

  /** @param {number} index @param {[number, number]} at */
  #put(index, [x, y]) {
    const sample = this.samples[index];
    this.boundary.samples = this.samples.with(index, { ...sample, ...this.#at([x, y], sample.y) });
    this.boundary.cross = [x, y];
    this.boundary.drawSamples();
  }

  /** @param {[number, number]} at */
  #add(at) {
    const sample = { ...this.#at(at, this.label), test: false };
    this.boundary.samples = [...this.samples, sample];
    this.boundary.chosen = this.samples.length - 1;
    this.#changed(`Point ${this.samples.length} added.`);
  }

  /** @param {number} index */
  #remove(index) {
    this.boundary.samples = this.samples.filter((_, i) => i !== index);
    this.boundary.chosen = null;
    this.#changed(`Point ${index + 1} removed, ${this.samples.length} left.`);
  }

  /** @param {string} words */
  #changed(words) {
    this.boundary.drawSamples();
    this.announce(words);
    this.onChange(this.samples);
  }

  /** @param {KeyboardEvent} event */
  #onKey(event) {
    if (!this.isOn || event.ctrlKey || event.metaKey || event.altKey) return;
    if (!this.#key(event.key, event.shiftKey)) return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** @param {string} key @param {boolean} shift @returns {boolean} whether the key was handled */
  #key(key, shift) {
    const { chosen } = this.boundary;
    const arrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
    if (key in arrows) this.#step(arrows[/** @type {keyof typeof arrows} */ (key)], shift ? 4 : 1);
    else if (key === "Enter") this.#enter();
    else if (key === " " && chosen !== null) this.held = this.held === null ? chosen : this.#drop(this.held);
    else if (key === "n" || key === "p") this.#go(key === "n" ? 1 : -1);
    else if ((key === "Delete" || key === "Backspace") && chosen !== null) this.#remove(chosen);
    else if (/^\d$/.test(key)) this.#class(Number(key));
    else return key === " ";
    return true;
  }

  #enter() {
    if (this.held !== null) this.held = this.#drop(this.held);
    else if (this.boundary.cross) this.#add(this.boundary.cross);
  }

  /** @param {number} held @returns {null} */
  #drop(held) {
    this.#changed(`Point ${held + 1} moved.`);
    return null;
  }

  /** @param {number[]} direction @param {number} times */
  #step([right, up], times) {
    const [x0, x1, y0, y1] = this.boundary.setup?.bounds ?? [0, 1, 0, 1];
    const [x, y] = this.boundary.cross ?? [0, 0];
    /** @type {[number, number]} */
    const next = [x + (right * times * (x1 - x0)) / STEPS, y + (up * times * (y1 - y0)) / STEPS];
    this.boundary.cross = next;
    if (this.held !== null) this.#put(this.held, next);
    else this.boundary.chosen = this.boundary.nearest(...this.boundary.place(...next));
    this.boundary.drawSamples();
    this.announce(`${this.#told(next)}${this.boundary.chosen === null ? "" : `: point ${this.boundary.chosen + 1}`}`);
  }

  /** @param {number} by */
  #go(by) {
    const count = this.samples.length;
    const from = this.boundary.chosen ?? (by > 0 ? -1 : 0);
    if (count) this.#choose((from + by + count) % count);
  }

  /** @param {number} label */
  #class(label) {
    this.label = label;
    this.announce(`Class of new points: ${label}.`);
    this.plot.dispatchEvent(new CustomEvent("classchosen", { detail: label }));
  }
}

/** @param {number} x */
const rounded = (x) => Number(x.toFixed(DIGITS)) + 0;
