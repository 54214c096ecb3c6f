/** Folding: the methods of a program's classes, and the classes themselves, are folded when a long program opens. */
import { EditorView, codeFolding, ensureSyntaxTree, foldEffect, foldGutter, foldKeymap, foldedRanges, keymap, unfoldEffect } from "./codemirror.js";
import { block } from "./python.js";

/** @typedef {{from: number, to: number}} Range */
/** @typedef {Range & {start: number, methods: (Range & {start: number})[]}} ClassBlock  from, to: what a fold hides */

const PARSED = 200; // milliseconds for the syntax of a program, when it opens

/** The classes at the top level of a program, with their methods. @param {any} state @returns {ClassBlock[]} */
export function classes(state) {
  const tree = ensureSyntaxTree(state, state.doc.length, PARSED);
  const found = /** @type {ClassBlock[]} */ ([]);
  for (let node = tree?.topNode.firstChild; node; node = node.nextSibling) {
    const definition = node.name === "DecoratedStatement" ? node.lastChild : node;
    if (definition?.name !== "ClassDefinition") continue;
    const folded = block(state, definition.from);
    if (folded) found.push({ ...folded, start: node.from, methods: methods(state, definition) });
  }
  return found;
}

/** @param {any} state @param {any} definition of a class */
function methods(state, definition) {
  const found = [];
  for (let node = definition.getChild("Body")?.firstChild; node; node = node.nextSibling) {
    const method = node.name === "DecoratedStatement" ? node.lastChild : node;
    const folded = method?.name === "FunctionDefinition" ? block(state, method.from) : null;
    if (folded) found.push({ ...folded, start: node.from });
  }
  return found;
}

/** Whether lines of a program stand outside of its classes: those that use them. @param {any} state @param {ClassBlock[]} all */
function hasUse(state, all) {
  for (let at = 1; at <= state.doc.lines; at += 1) {
    const line = state.doc.line(at);
    if (/^(?!import\b|from\b|class\b|@|#)\S/.test(line.text) && !all.some(({ start, to }) => line.from >= start && line.from <= to)) return true;
  }
  return false;
}

/** Fold the classes of a program that is longer than the box, if lines outside of them use them. A class with one of the
 * places in it is open, down to the method of that place. @param {any} view @param {number} rows @param {number[]} places */
export function foldClasses(view, rows, places) {
  const { state } = view;
  if (state.doc.lines <= rows) return;
  const all = classes(state);
  if (!all.length || !hasUse(state, all)) return;
  const isHidden = (/** @type {Range} */ { from, to }) => !places.some((place) => place > from && place <= to);
  const hidden = all.flatMap((one) => [one, ...one.methods]).filter(isHidden);
  view.dispatch({ effects: hidden.map(({ from, to }) => foldEffect.of({ from, to })) });
}

/** The folds that hide a place. @param {any} state @param {number} place @returns {Range[]} */
function folds(state, place) {
  const found = /** @type {Range[]} */ ([]);
  foldedRanges(state).between(place, place, (/** @type {number} */ from, /** @type {number} */ to) => {
    if (from < place && place <= to) found.push({ from, to });
  });
  return found;
}

/** Shows the places that the page talks about, and folds again what it unfolded for the one before. */
export class Unfolding {
  /** @param {any} view */
  constructor(view) {
    this.view = view;
    /** @type {Range[]} */ this.opened = [];
  }

  /** Unfold what hides a place. @param {number} place @param {boolean} passing whether it is folded again with the next */
  show(place, passing) {
    const { state } = this.view;
    const hiding = folds(state, place);
    const closing = this.opened.filter(({ from, to }) => to <= state.doc.length && !(from < place && place <= to) && !this.#isUsed(from, to));
    this.opened = this.opened.filter((range) => !closing.includes(range) && from(range, place));
    if (passing) this.opened.push(...hiding);
    const effects = [...hiding.map((range) => unfoldEffect.of(range)), ...closing.map((range) => foldEffect.of(range))];
    if (effects.length) this.view.dispatch({ effects });
  }

  /** The text has changed: nothing is folded again. */
  forget() {
    this.opened = [];
  }

  /** @param {number} from @param {number} to */
  #isUsed(from, to) {
    const { head } = this.view.state.selection.main;
    return this.view.hasFocus && head > from && head <= to;
  }
}

/** @param {Range} range @param {number} place */
const from = (range, place) => range.from < place && place <= range.to;

/** @param {any} state @param {Range} range */
function lines(state, { from, to }) {
  const count = state.doc.lineAt(to).number - state.doc.lineAt(from).number;
  return `${count} line${count === 1 ? "" : "s"}`;
}

export const folding = [
  codeFolding({
    preparePlaceholder: (/** @type {any} */ state, /** @type {Range} */ range) => lines(state, range),
    placeholderDOM: (/** @type {any} */ view, /** @type {(event: Event) => void} */ unfold, /** @type {string} */ words) => {
      const chip = Object.assign(document.createElement("span"), { className: "folded", textContent: words, title: "Unfold (Ctrl+Shift+])" });
      chip.setAttribute("role", "button");
      chip.setAttribute("aria-label", `${words} folded`);
      chip.addEventListener("click", unfold);
      return chip;
    },
  }),
  foldGutter({
    markerDOM: (/** @type {boolean} */ isOpen) => Object.assign(document.createElement("span"), { className: isOpen ? "fold" : "fold closed", title: isOpen ? "Fold" : "Unfold" }),
  }),
  keymap.of(foldKeymap),
  EditorView.contentAttributes.of({ "aria-multiline": "true" }),
];
