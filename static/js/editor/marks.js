/** Ranges of the text that the page marks: the source of the active or chosen Value. */
import { Decoration, EditorView, GutterMarker, RangeSet, StateEffect, StateField, gutterLineClass } from "./codemirror.js";

/** @typedef {{from: number, to: number}} Range */
/** @typedef {{ranges: Range[], look: string}} Mark */

const LOOKS = ["forward", "backward", "chosen", "pointed", "callee"];

class LineLook extends GutterMarker {
  /** @param {string} look */
  constructor(look) {
    super();
    this.elementClass = look;
  }
}
const lineLooks = Object.fromEntries(LOOKS.map((look) => [look, new LineLook(look)]));
const texts = Object.fromEntries(LOOKS.map((look) => [look, Decoration.mark({ tagName: "mark", class: look })]));

/** A mark of its own: the effect that sets it, null removing it, and the field that holds it. The next change of the text
 * removes it as well. @returns {[(mark: Mark | null) => any, any]} */
function marker() {
  /** @type {any} */ const setMark = StateEffect.define();
  const field = StateField.define({
    create: () => ({ text: Decoration.none, lines: RangeSet.empty }),
    update(value, transaction) {
      for (const effect of transaction.effects) if (effect.is(setMark)) return painted(transaction.state, effect.value);
      return transaction.docChanged ? { text: Decoration.none, lines: RangeSet.empty } : value;
    },
    provide: (own) => [
      EditorView.decorations.from(own, (value) => value.text),
      gutterLineClass.from(own, (value) => value.lines),
    ],
  });
  return [(mark) => setMark.of(mark), field];
}

/** @param {any} state @param {Mark | null} mark */
function painted(state, mark) {
  if (!mark) return { text: Decoration.none, lines: RangeSet.empty };
  const ranges = mark.ranges.filter(({ from, to }) => to > from);
  const lines = [...new Set(mark.ranges.map(({ from }) => state.doc.lineAt(from).from))];
  return {
    text: Decoration.set(ranges.map(({ from, to }) => texts[mark.look].range(from, to))),
    lines: RangeSet.of(lines.map((from) => lineLooks[mark.look].range(from))),
  };
}

/** The source of the active or chosen Value, and of the Value that is pointed at. */
const [markSource, sourceMark] = marker();
const [markPointed, pointedMark] = marker();
/** The line of the class that it called. */
const [markCallee, calleeMark] = marker();
export { calleeMark, markCallee, markPointed, markSource, pointedMark, sourceMark };

/** The parts of a range on each of its lines, without their indentation. @param {any} doc @param {Range} range @returns {Range[]} */
export function byLine(doc, { from, to }) {
  const parts = [];
  for (let line = doc.lineAt(from); ; line = doc.line(line.number + 1)) {
    const indent = line.text.length - line.text.trimStart().length;
    const start = Math.max(from, line.from + (line.from < from ? 0 : indent));
    const end = Math.min(to, line.to);
    if (end >= start) parts.push({ from: start, to: end });
    if (line.to >= to || line.number === doc.lines) return parts;
  }
}

/** The offsets of a span. @param {any} doc @param {import("../explore/trace.js").Span} span
 * @returns {Range} */
export function rangeOf(doc, [line, column, endLine, endColumn]) {
  const from = offset(doc, line, column);
  return { from, to: Math.max(from, offset(doc, endLine, endColumn)) };
}

/** @param {any} doc @param {number} number of a line @param {number} column in code points, from 1 */
function offset(doc, number, column) {
  const line = doc.line(Math.min(Math.max(number, 1), doc.lines));
  const before = /[\ud800-\udfff]/.test(line.text) ? Array.from(line.text).slice(0, column - 1).join("").length : column - 1;
  return line.from + Math.min(Math.max(before, 0), line.length);
}
