/** The panel of a frame: buttons back and forth, its sentence in a live region, its arithmetic and its table. */
import { made, write } from "../../common/elements.js";
import { cell, head, row } from "./tables.js";

/** @typedef {import("../draw/phases.js").Frame} Frame */

export class FramePanel {
  /** @param {HTMLElement} stage @param {{back: () => void, on: () => void, end: () => void}} moves */
  constructor(stage, moves) {
    this.title = made("h2");
    this.count = made("span", { className: "aside" });
    this.words = made("p", { className: "phase-words", id: "phase-words", role: "status" });
    this.lines = made("div", { className: "frame-lines" });
    this.table = made("table");
    const head = made(
      "header", { className: "panel-head" },
      press("←", "Back one frame", "Back one frame (←)", moves.back),
      press("→", "Next frame", "Next frame (→)", moves.on),
      this.title, this.count,
      press("×", "End slow motion", "End slow motion (Esc)", moves.end),
    );
    const scroll = made("div", { className: "scroll", tabIndex: 0, role: "group", "aria-label": "Arithmetic" }, this.lines, this.table);
    this.box = made("section", { className: "frames", id: "frames", hidden: true, "aria-label": "Slow motion" }, head, this.words, scroll);
    stage.append(this.box);
    this.hadFocus = false;
  }

  /** @param {Frame} frame @param {number} number from 1 @param {number} count @param {number} step */
  show(frame, number, count, step) {
    this.box.hidden = false;
    write(this.title, frame.title);
    write(this.count, `step ${step.toLocaleString("en")}, frame ${number} of ${count}`);
    write(this.words, frame.sentence);
    this.lines.replaceChildren(...frame.lines.map((line) => made("p", {}, line)));
    this.table.replaceChildren(...(frame.table ? partsOf(frame.table) : []));
    this.table.hidden = !frame.table;
  }

  hide() {
    this.hadFocus = this.box.contains(document.activeElement);
    this.box.hidden = true;
  }
}

/** @param {{head: string[], rows: string[][]}} table */
function partsOf({ head: names, rows }) {
  const lines = rows.map(([name, ...texts]) => row(head(name), ...texts.map((text) => cell(text))));
  return [made("thead", {}, row(...names.map((name) => head(name, "col")))), made("tbody", {}, ...lines)];
}

/** @param {string} sign @param {string} name @param {string} title @param {() => void} move */
const press = (sign, name, title, move) => made("button", { type: "button", className: "button icon", title, "aria-label": name, onclick: move }, sign);
