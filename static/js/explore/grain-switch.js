/**
 * The choice of the grain and of the speed: in a menu of the player, the grain in the address, and remembered in this
 * browser. The form's field is a select; with scripts a list of all grains, with what they are, stands in its place.
 */
import { at, find, write } from "../common/elements.js";
import { Menu } from "../common/menu.js";
import { DEFAULT } from "./grains.js";

/** @typedef {import("./trace.js").Trace} Trace */

const KEPT = "seegrad.grain";

export class GrainSwitch {
  /** @param {import("./tools.js").Bench} bench */
  constructor({ stage, player, timeline }) {
    this.stage = stage;
    this.player = player;
    this.timeline = timeline;
    this.select = find("by", "select");
    this.row = row(this.select);
    this.speed = find("speed", "select");
    new Menu(find("pace-menu", "details"));
    this.speed.addEventListener("change", () => this.#say());
    for (const control of [this.select, this.row]) this.#listen(control);
    if (!new URLSearchParams(location.search).has("by")) this.#set(remembered());
  }

  /** @param {HTMLSelectElement | HTMLFieldSetElement} control */
  #listen(control) {
    let isPointed = false;
    for (const type of ["pointerdown", "keydown"]) control.addEventListener(type, () => (isPointed = type === "pointerdown"));
    control.addEventListener("change", ({ target }) => {
      const chosen = /** @type {HTMLSelectElement | HTMLInputElement} */ (target);
      remember(chosen.value);
      this.#turn(chosen.value || DEFAULT);
      if (isPointed) chosen.blur(); // the arrow keys step again
    });
  }

  /** The grain, and the slot of the contribution that is shown, as in the address. */
  get text() {
    const { grain, trace } = this.stage;
    const slot = trace ? this.player.step.slot : null;
    return grain === DEFAULT ? null : slot === null ? grain : `${grain}:${slot}`;
  }

  /** @param {string | null} text of an address */
  take(text) {
    if (text !== null || this.stage.trace) this.#set(text?.split(":")[0] ?? "");
  }

  /** @param {string} name */
  #set(name) {
    this.stage.grain = [...this.select.options].some(({ value }) => value === name) && name ? name : DEFAULT;
    const value = this.stage.grain === DEFAULT ? "" : this.stage.grain;
    this.select.value = value;
    for (const input of this.row.querySelectorAll("input")) input.checked = input.value === value;
    this.#say();
  }

  /** What the menu is closed over: "1× · by op". */
  #say() {
    write(at("pace-speed"), this.speed.selectedOptions[0]?.text ?? "1×");
    write(at("pace-grain"), this.stage.grain);
  }

  /** Step through the same frames by another grain. @param {string} name */
  #turn(name) {
    this.#set(name);
    const { trace } = this.stage;
    if (!trace) return;
    trace.stepBy(this.stage.grain);
    this.timeline.load(trace);
    this.player.load(trace.steps, this.player.at);
  }
}

/** The choices of a select as a list after it, which is not sent with the form. @param {HTMLSelectElement} select */
function row(select) {
  const found = Object.assign(document.createElement("fieldset"), { className: "grains" });
  const legend = Object.assign(document.createElement("legend"), { className: "visually-hidden", textContent: "step by" });
  found.append(legend, ...[...select.options].map(choice));
  select.closest("label")?.after(found);
  return found;
}

/** @param {HTMLOptionElement} option */
function choice({ value, text, title, selected }) {
  const label = document.createElement("label");
  const input = Object.assign(document.createElement("input"), { type: "radio", name: "grain", value, checked: selected, autocomplete: "off" });
  const words = document.createElement("span");
  words.append(Object.assign(document.createElement("b"), { textContent: text }), Object.assign(document.createElement("small"), { textContent: title }));
  label.append(input, words);
  return label;
}

function remembered() {
  try {
    return localStorage.getItem(KEPT) ?? "";
  } catch {
    return ""; // no storage
  }
}

/** @param {string} name */
function remember(name) {
  try {
    localStorage.setItem(KEPT, name);
  } catch {
    // Without storage, only the address keeps it.
  }
}
