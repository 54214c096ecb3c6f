/** The dialog that finds a Value: opened by a button, `/` or Ctrl+K; the arrow keys choose among the results. */
import { at, find, write } from "../common/elements.js";
import { entries, search } from "./value-search.js";

/** @typedef {import("./value-search.js").Found} Found */

const LISTED = 50;

export class FindValue {
  /** @param {import("./tools.js").Bench} bench */
  constructor({ stage, player, editor }) {
    this.stage = stage;
    this.player = player;
    this.dialog = find("find", "dialog");
    this.field = find("find-field", "input");
    this.list = at("find-list");
    /** @type {import("./value-search.js").Entry[]} */ this.all = [];
    /** @type {Found[]} */ this.found = [];
    this.chosen = 0;
    at("find-open").addEventListener("click", () => this.#open());
    document.addEventListener("keydown", (event) => {
      const isAsked = event.key === "k" && (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey;
      if (event.defaultPrevented || !(isAsked || (event.key === "/" && isFree(event)))) return;
      if (isAsked && editor.holds(event.target)) return; // where it deletes to the end of the line
      event.preventDefault();
      this.#open();
    });
    this.field.addEventListener("input", () => this.#search());
    this.dialog.addEventListener("keydown", (event) => this.#key(event));
    this.list.addEventListener("click", ({ target }) => {
      const row = target instanceof Element ? target.closest("li") : null;
      if (row) this.#take([...this.list.children].indexOf(row));
    });
  }

  /** @param {import("./trace.js").Trace | null} trace */
  load(trace) {
    at("find-open").hidden = trace === null;
  }

  #open() {
    const { trace } = this.stage;
    if (!trace || this.dialog.open) return;
    this.all = entries(trace, this.player.step);
    this.dialog.showModal();
    this.field.select();
    this.#search();
  }

  #search() {
    const { value } = this.field;
    this.found = search(this.all, value);
    this.list.replaceChildren(...this.found.slice(0, LISTED).map(row));
    const more = this.found.length > LISTED ? `, of which the first ${LISTED} are listed` : "";
    const count = this.found.length.toLocaleString("en");
    write(at("find-count"), value.trim() ? `${count} Value${this.found.length === 1 ? "" : "s"}${more}` : "By name, text of the program, data or grad.");
    this.#mark(0);
  }

  /** @param {number} to a place in the list, around its ends */
  #mark(to) {
    const rows = [...this.list.children];
    this.chosen = rows.length ? (to + rows.length) % rows.length : 0;
    rows.forEach((each, place) => each.setAttribute("aria-selected", String(place === this.chosen)));
    this.field.setAttribute("aria-expanded", String(rows.length > 0));
    this.field.setAttribute("aria-activedescendant", rows[this.chosen]?.id ?? "");
    rows[this.chosen]?.scrollIntoView({ block: "nearest" });
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.key === "Escape") return event.stopPropagation(); // the browser closes the dialog
    const moves = /** @type {Record<string, () => void>} */ ({
      ArrowDown: () => this.#mark(this.chosen + 1),
      ArrowUp: () => this.#mark(this.chosen - 1),
      Enter: () => this.#take(this.chosen),
    });
    if (event.target !== this.field || event.isComposing || !moves[event.key]) return;
    event.preventDefault();
    moves[event.key]();
  }

  /** @param {number} place in the list */
  #take(place) {
    const found = this.found[place];
    if (!found) return;
    this.dialog.close();
    this.stage.seek(found.id);
  }
}

/** Whether a letter is not typed into a field. @param {KeyboardEvent} event */
function isFree({ target, ctrlKey, metaKey, altKey }) {
  const isField = target instanceof Element && target.closest("input:not([type=radio], [type=checkbox], [type=range]), textarea, select, dialog, [data-keys=own]");
  return !isField && !ctrlKey && !metaKey && !altKey;
}

/** @param {Found} found @param {number} place */
function row({ name, source, data, grad }, place) {
  const item = document.createElement("li");
  item.id = `found-${place}`;
  item.setAttribute("role", "option");
  const [forward, backward] = [part("span", "data", data), part("span", "grad", grad)];
  forward.prepend(part("span", "visually-hidden", ", data "));
  if (grad) backward.prepend(part("span", "visually-hidden", ", grad "));
  item.append(part("b", "", name), part("code", "", source === name ? "" : source), forward, backward);
  return item;
}

/** @param {string} tag @param {string} className @param {string} textContent */
const part = (tag, className, textContent) => Object.assign(document.createElement(tag), { className, textContent });
