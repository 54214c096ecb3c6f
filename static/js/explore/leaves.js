/** The leaves, each with a slider and a number field, and the derivative with respect to one of them as a sentence. */
import { short } from "../common/numbers.js";

/** @typedef {{row: HTMLElement, slider: HTMLInputElement, field: HTMLInputElement, initial: string}} Leaf */
/** @typedef {import("./trace.js").Trace} Trace */
/** @typedef {import("./grains.js").Step} Step */

/** The controls of the leaves; requests include the changed ones. */
export class Leaves {
  /**
   * @param {object} listeners
   * @param {() => void} listeners.onChange called after a leaf has changed
   * @param {(key: string) => void} listeners.onTouch called when the visitor changes a leaf
   * @param {() => void} listeners.onRelease called at the end of a change
   */
  constructor({ onChange, onTouch, onRelease }) {
    /** @type {Map<string, Leaf>} */ this.leaves = new Map();
    /** @type {Map<string, string>} the leaves that differ from the program */ this.changed = new Map();
    /** The changes that the server's rows include. */ this.written = "";
    /** @type {HTMLInputElement | null} the slider being dragged */ this.held = null;
    this.isPressed = false;
    /** @type {(() => void) | null} what waits until no leaf is being changed */ this.waiting = null;
    this.onChange = onChange;
    this.onTouch = onTouch;
    // In the capture phase, so that the field is up to date before htmx builds the request.
    document.addEventListener("input", (event) => this.#input(event), { capture: true });
    document.addEventListener("click", (event) => {
      if (event.target instanceof Element && event.target.closest("#reset")) this.reset();
    });
    // Long numbers are shown in full while edited.
    document.addEventListener("focusin", (event) => this.#edit(event.target, true));
    document.addEventListener("focusout", (event) => this.#edit(event.target, false));
    document.addEventListener("pointerdown", (event) => this.#hold(event.target));
    for (const name of ["pointerup", "pointercancel", "change"]) {
      document.addEventListener(name, () => {
        this.isPressed = false;
        this.#release();
      });
    }
    document.addEventListener("change", (event) => {
      if (!(event.target instanceof Element && event.target.closest("#leaves"))) return;
      onRelease();
      this.waiting?.();
      this.waiting = null;
    });
    this.words = "";
  }

  /** Load the controls of a new result, including which leaves are changed. */
  load() {
    this.leaves.clear();
    this.changed.clear();
    this.waiting = null;
    for (const row of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("#leaves .leaf"))) {
      const slider = /** @type {HTMLInputElement} */ (row.querySelector("input[type=range]"));
      const field = /** @type {HTMLInputElement} */ (row.querySelector("input[type=number]"));
      const leaf = { row, slider, field, initial: row.dataset.default ?? "" };
      const key = row.dataset.key ?? "";
      this.leaves.set(key, leaf);
      this.#set(key, leaf, field.dataset.value ?? field.value);
    }
    const filter = /** @type {HTMLInputElement | null} */ (document.querySelector("#leaf-filter"));
    if (filter && this.words) filter.value = this.words;
    this.#filter(filter?.value ?? "");
    this.written = JSON.stringify([...this.changed]);
    this.#mark();
  }

  /** Call `act` once no leaf is being dragged or typed, such as for a new picture with new rows.
   * @param {() => void} act */
  whenIdle(act) {
    const isBusy = this.isPressed || document.activeElement?.matches("#leaves input[type=number]");
    this.waiting = isBusy ? act : null;
    if (!isBusy) act();
  }

  reset() {
    for (const key of [...this.changed.keys()]) {
      const leaf = this.leaves.get(key);
      if (leaf) this.#set(key, leaf, leaf.initial);
    }
    this.#mark();
    this.onChange();
    document.querySelector("#leaves")?.dispatchEvent(new Event("renew"));
    // The focused button is now disabled: move the focus nearby.
    /** @type {HTMLElement | null} */ (document.querySelector("#leaves"))?.focus();
  }

  /** @param {Event} event */
  #input(event) {
    const input = event.target;
    if (!(input instanceof HTMLInputElement)) return;
    if (input.id === "leaf-filter") {
      this.words = input.value;
      this.#filter(input.value);
      return;
    }
    const row = /** @type {HTMLElement | null} */ (input.closest("#leaves .leaf"));
    const key = row?.dataset.key ?? "";
    const leaf = this.leaves.get(key);
    if (!leaf) return;
    if (input === leaf.field && !Number.isFinite(input.valueAsNumber)) {
      event.stopPropagation(); // an incomplete number such as "-" or "1e"
      return;
    }
    this.#set(key, leaf, input.value, input === leaf.field);
    this.#mark();
    this.onTouch(key);
    this.onChange();
  }

  /** @param {string} key @param {Leaf} leaf @param {string} text @param {boolean} [typed] */
  #set(key, leaf, text, typed = false) {
    const { slider, field } = leaf;
    const value = Number(text);
    if (Number.isFinite(value)) {
      if (value < Number(slider.min)) slider.min = String(value);
      if (value > Number(slider.max)) slider.max = String(value);
    }
    field.dataset.value = text;
    field.title = text;
    if (!typed) field.value = typable(text, document.activeElement === field);
    if (Number.isFinite(value) && slider.value !== text) slider.value = text;
    const span = Number(slider.max) - Number(slider.min) || 1;
    slider.style.setProperty("--at", `${((Number(slider.value) - Number(slider.min)) / span) * 100}%`);
    const same = text === leaf.initial || value === Number(leaf.initial); // "nan" and "inf" have no equal number
    if (same) this.changed.delete(key);
    else this.changed.set(key, text);
    leaf.row.classList.toggle("moved", !same);
  }

  /** @param {EventTarget | null} target @param {boolean} whole */
  #edit(target, whole) {
    if (!(target instanceof HTMLInputElement) || target.type !== "number" || !target.closest("#leaves")) return;
    const text = target.dataset.value ?? "";
    target.value = typable(text, whole);
  }

  /** Blur a slider after dragging, so that arrow keys step through frames again; not one focused by Tab.
   * @param {EventTarget | null} target */
  #hold(target) {
    const isSlider = target instanceof HTMLInputElement && target.type === "range" && target.closest("#leaves");
    this.isPressed = Boolean(isSlider);
    this.held = isSlider && target !== document.activeElement ? target : null;
  }

  #release() {
    const slider = this.held;
    this.held = null;
    if (slider) window.setTimeout(() => slider.blur()); // after the browser's default action
  }

  #mark() {
    const isWritten = JSON.stringify([...this.changed]) === this.written;
    document.querySelector("#leaves")?.classList.toggle("dragged", !isWritten);
    const button = /** @type {HTMLButtonElement | null} */ (document.querySelector("#reset"));
    if (button) button.disabled = this.changed.size === 0;
  }

  /** @param {string} words */
  #filter(words) {
    const wanted = words.trim().toLowerCase();
    for (const { row } of this.leaves.values()) {
      row.hidden = !(row.querySelector("label")?.textContent ?? "").toLowerCase().includes(wanted);
    }
  }
}

/** A number for its field, which takes no nan and no inf: its placeholder shows them. @param {string} text @param {boolean} whole */
function typable(text, whole) {
  if (!Number.isFinite(Number(text))) return "";
  return whole ? text : brief(text);
}

/** A number that fits in its field. @param {string} text */
function brief(text) {
  return text.length <= 9 ? text : short(Number(text));
}

/** The derivative with respect to one leaf in words (`app/explore/leaf_sentence.py`). It is the answer that the
 * backward pass leads to, and so stands there once the pass is done with the leaf, or once the visitor asks for it by
 * changing or choosing the leaf. */
export class Sentence {
  constructor() {
    /** @type {string | null} the leaf that the visitor changed or chose last */ this.touched = null;
    /** @type {Step | null} the step shown; null for the last */ this.step = null;
  }

  /** Describe this leaf from now on. @param {string} key */
  touch(key) {
    this.touched = key;
  }

  /** Describe the Value that was chosen, if it is a leaf. @param {Trace} trace @param {string | null} id */
  choose(trace, id) {
    const key = trace.byId.get(id ?? "")?.key;
    if (!key) return;
    this.touch(key);
    this.show(trace);
  }

  /** @param {Trace} trace @param {Step | null} [step] the one shown from now on */
  show(trace, step = this.step) {
    this.step = step;
    document.getElementById("sentence")?.replaceChildren(...this.#words(trace));
  }

  /** @param {Trace} trace @returns {(string | HTMLElement)[]} [] without a known derivative, and before its frame */
  #words(trace) {
    const node = this.#subject(trace);
    if (!node || !(node.key === this.touched || this.#isReached(trace, node.id))) return [];
    const parts = trace.explain.sentences[node.id];
    return parts ? ["If ", strong(node.label || node.key || ""), parts[0], strong(trace.name(trace.output)), parts[1]] : [];
  }

  /** Whether the backward pass has brought all that a leaf receives. @param {Trace} trace @param {string} id */
  #isReached(trace, id) {
    if (!this.step) return true;
    const [now, end] = [trace.shown(id, this.step.frame, this.step.slot), trace.shown(id, trace.last)];
    return now.at >= end.at && now.gradText === end.gradText;
  }

  /** The leaf changed last, or else the first with a gradient. @param {Trace} trace */
  #subject({ nodes }) {
    return nodes.find(({ key }) => key !== null && key === this.touched) ??
      nodes.find(({ key, grad }) => key !== null && grad !== null);
  }
}

/** @param {string} text */
const strong = (text) => Object.assign(document.createElement("b"), { textContent: text });
