/** Breakpoints in the margin: lines at which playing pauses. A click beside the number of a line, or F9, sets one or takes it
 * back; they move with their lines. */
import { GutterMarker, RangeSet, StateEffect, StateField, gutterLineClass } from "./codemirror.js";

/** @type {any} number[] */ const setStops = StateEffect.define();

const STOP = new (class extends GutterMarker {
  elementClass = "is-stop";
})();

const field = StateField.define({
  create: () => RangeSet.empty,
  update(lines, transaction) {
    for (const effect of transaction.effects) if (effect.is(setStops)) return atStarts(transaction.state.doc, effect.value);
    if (!transaction.docChanged) return lines;
    const { doc } = transaction.state;
    return atStarts(doc, numbers(lines.map(transaction.changes), doc));
  },
  provide: (own) => gutterLineClass.from(own),
});

/** @param {any} doc @param {number[]} lines */
function atStarts(doc, lines) {
  const there = [...new Set(lines)].filter((line) => line <= doc.lines).sort((a, b) => a - b);
  return RangeSet.of(there.map((line) => STOP.range(doc.line(line).from)));
}

/** @param {any} set @param {any} doc @returns {number[]} */
function numbers(set, doc) {
  /** @type {number[]} */ const found = [];
  set.between(0, doc.length, (/** @type {number} */ from) => void found.push(doc.lineAt(from).number));
  return found;
}

export const stops = field;

/** The effect that shows breakpoints. @param {number[]} lines */
export const showStops = (lines) => setStops.of(lines);

/** The lines that have one. @param {any} state @returns {number[]} */
export const stopLines = (state) => numbers(state.field(field), state.doc);

/** Listen to clicks beside the numbers of lines. @param {any} view @param {(line: number) => void} onStop */
export function listenToMargin(view, onStop) {
  view.dom.addEventListener("click", (/** @type {MouseEvent} */ event) => {
    const margin = event.target instanceof Element ? event.target.closest(".cm-marks") : null;
    if (!margin || event.defaultPrevented) return;
    const block = view.lineBlockAtHeight(event.clientY - view.documentTop);
    onStop(view.state.doc.lineAt(block.from).number);
  });
}
