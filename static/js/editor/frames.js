/** The trace beside the program: numbers of lines that lead to their frames, and numbers at the ends of lines. */
import { Decoration, EditorView, GutterMarker, RangeSet, StateEffect, StateField, WidgetType, gutterLineClass, lineNumbers } from "./codemirror.js";

/** @typedef {Map<number, {data: string, grad: string | null}>} LineValues  by line, from 1 */

/** @type {any} number[] */ const setFramed = StateEffect.define();
/** @type {any} LineValues */ const setValues = StateEffect.define();

const ALIGNED = 40; // letters; the numbers of longer lines stand at their own ends

const HAS_FRAMES = new (class extends GutterMarker {
  elementClass = "has-frames";
})();

const framed = StateField.define({
  create: () => RangeSet.empty,
  update(lines, transaction) {
    for (const effect of transaction.effects) if (effect.is(setFramed)) return starts(transaction.state.doc, effect.value);
    return transaction.docChanged ? RangeSet.empty : lines;
  },
  provide: (own) => gutterLineClass.from(own),
});

/** @param {any} doc @param {number[]} numbers in ascending order */
const starts = (doc, numbers) => RangeSet.of(numbers.filter((at) => at <= doc.lines).map((at) => HAS_FRAMES.range(doc.line(at).from)));

const values = StateField.define({
  create: () => Decoration.none,
  update(found, transaction) {
    for (const effect of transaction.effects) if (effect.is(setValues)) return atEnds(transaction.state.doc, effect.value);
    return transaction.docChanged ? Decoration.none : found;
  },
  provide: (own) => EditorView.decorations.from(own),
});

/** @param {any} doc @param {LineValues} numbers */
function atEnds(doc, numbers) {
  const shown = [...numbers].filter(([line]) => line <= doc.lines).sort(([a], [b]) => a - b);
  const lengths = shown.map(([line]) => doc.line(line).length).filter((length) => length <= ALIGNED);
  const column = Math.max(0, ...lengths) + 2;
  const width = Math.max(0, ...shown.map(([, { data }]) => data.length));
  return Decoration.set(shown.map(([line, { data, grad }]) => {
    const { to, length } = doc.line(line);
    return Decoration.widget({ widget: new Numbers(data, grad, Math.max(2, column - length), width), side: 2 }).range(to);
  }));
}

class Numbers extends WidgetType {
  /** @param {string} data @param {string | null} grad @param {number} space in letters before them @param {number} width of data */
  constructor(data, grad, space, width) {
    super();
    this.data = data;
    this.grad = grad;
    this.space = space;
    this.width = width;
  }

  /** @param {Numbers} other */
  eq(other) {
    return other.data === this.data && other.grad === this.grad && other.space === this.space && other.width === this.width;
  }

  toDOM() {
    const box = Object.assign(document.createElement("span"), { className: "values" });
    box.style.marginLeft = `${this.space}ch`;
    box.append(part("data", this.data.padStart(this.width)));
    if (this.grad !== null) box.append("  ", part("grad", this.grad));
    box.setAttribute("role", "img");
    box.setAttribute("aria-label", `, data ${this.data}${this.grad === null ? "" : `, grad ${this.grad}`}`);
    return box;
  }
}

/** @param {string} className @param {string} textContent */
const part = (className, textContent) => Object.assign(document.createElement("span"), { className, textContent });

/** The effect that tells which lines have frames. @param {number[]} lines in ascending order */
export const offerFrames = (lines) => setFramed.of(lines);

/** The effect that shows numbers at the ends of lines. @param {LineValues} numbers */
export const showValues = (numbers) => setValues.of(numbers);

/** Whether some lines have numbers at their ends. @param {any} state @returns {boolean} */
export const hasValues = (state) => state.field(values).size > 0;

/** @param {(line: number) => void} onLine called for a click on the number of a line */
export const frames = (onLine) => [
  framed,
  values,
  lineNumbers({
    domEventHandlers: {
      click: (/** @type {any} */ view, /** @type {any} */ line) => {
        onLine(view.state.doc.lineAt(line.from).number);
        return true;
      },
    },
  }),
];
