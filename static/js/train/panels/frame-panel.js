/** The panel of a frame: buttons back and forth, its sentence in a live region, its arithmetic and its table. */
import { write } from "../../common/elements.js";

/** @typedef {import("../draw/phases.js").Frame} Frame */

export class FramePanel {
  /** @param {HTMLElement} stage @param {{back: () => void, on: () => void, end: () => void}} moves */
  constructor(stage, moves) {
    this.box = make("section", "frames");
    this.box.id = "frames";
    this.box.hidden = true;
    this.box.setAttribute("aria-label", "Slow motion");
    this.title = make("h2", "");
    this.count = make("span", "aside");
    this.words = make("p", "phase-words");
    this.words.id = "phase-words";
    this.words.setAttribute("role", "status");
    this.lines = make("div", "frame-lines");
    this.table = make("table", "");
    const head = make("header", "panel-head");
    head.append(
      press("←", "Back one frame", "Back one frame (←)", moves.back),
      press("→", "Next frame", "Next frame (→)", moves.on),
      this.title, this.count,
      press("×", "End slow motion", "End slow motion (Esc)", moves.end),
    );
    const scroll = make("div", "scroll");
    scroll.tabIndex = 0;
    scroll.setAttribute("role", "group");
    scroll.setAttribute("aria-label", "Arithmetic");
    scroll.append(this.lines, this.table);
    this.box.append(head, this.words, scroll);
    stage.append(this.box);
    this.hadFocus = false;
  }

  /** @param {Frame} frame @param {number} number from 1 @param {number} count @param {number} step */
  show(frame, number, count, step) {
    this.box.hidden = false;
    write(this.title, frame.title);
    write(this.count, `step ${step.toLocaleString("en")}, frame ${number} of ${count}`);
    write(this.words, frame.sentence);
    this.lines.replaceChildren(...frame.lines.map((line) => Object.assign(make("p", ""), { textContent: line })));
    this.table.replaceChildren();
    this.table.hidden = !frame.table;
    if (frame.table) this.#fill(frame.table);
  }

  /** @param {{head: string[], rows: string[][]}} table */
  #fill({ head, rows }) {
    const top = document.createElement("thead").insertRow();
    top.append(...head.map((text) => cell("th", text, "col")));
    const body = document.createElement("tbody");
    for (const [name, ...texts] of rows) body.insertRow().append(cell("th", name, "row"), ...texts.map((text) => cell("td", text)));
    if (top.parentElement) this.table.append(top.parentElement, body);
  }

  hide() {
    this.hadFocus = this.box.contains(document.activeElement);
    this.box.hidden = true;
  }
}

/** @param {string} tag @param {string} text @param {string} [scope] */
function cell(tag, text, scope) {
  const found = document.createElement(tag);
  found.textContent = text;
  if (scope) found.setAttribute("scope", scope);
  return found;
}

/** @template {keyof HTMLElementTagNameMap} T @param {T} tag @param {string} look @returns {HTMLElementTagNameMap[T]} */
function make(tag, look) {
  const found = document.createElement(tag);
  found.className = look;
  return found;
}

/** @param {string} sign @param {string} name @param {string} title @param {() => void} move */
function press(sign, name, title, move) {
  const button = make("button", "button icon");
  Object.assign(button, { type: "button", textContent: sign, title });
  button.setAttribute("aria-label", name);
  button.addEventListener("click", move);
  return button;
}
