/** Python in the editor: its grammar, its blocks and how they are indented. */
import { EditorState, LRLanguage, foldService, indentOnInput, indentService, indentUnit, parser, syntaxTree } from "./codemirror.js";

/** @typedef {{from: number, to: number}} Range */

const UNIT = 4; // spaces
const BRACKETS = new Set([
  "ParenthesizedExpression", "ArgList", "ParamList", "TupleExpression", "ArrayExpression", "DictionaryExpression", "SetExpression",
  "ArrayComprehensionExpression", "ComprehensionExpression", "DictionaryComprehensionExpression", "SetComprehensionExpression", "MemberExpression",
]);
const OPENS = /:\s*(#.*)?$/;
const ENDS = /^\s*(return|pass|break|continue|raise)\b/;
/** Lines that continue a statement, and the statements that they may continue. */
const CONTINUES = /** @type {[RegExp, RegExp][]} */ ([
  [/^\s*elif\b/, /^\s*(if|elif)\b/],
  [/^\s*else\s*:/, /^\s*(if|elif|for|while|try|except)\b/],
  [/^\s*(except|finally)\b/, /^\s*(try|except|else)\b/],
]);

const language = LRLanguage.define({
  name: "python",
  parser,
  languageData: {
    closeBrackets: { brackets: ["(", "[", "{", "'", '"', "'''", '"""'], stringPrefixes: ["f", "F", "r", "R", "b", "B", "rb", "fr", "u"] },
    commentTokens: { line: "#" },
    indentOnInput: /^\s*([)\]}]|elif |else:|except\b.?|finally:)$/,
  },
});

/** The columns by which a line is indented. @param {string} text @returns {number} */
const indentation = (text) => text.slice(0, text.length - text.trimStart().length).replaceAll("\t", " ".repeat(UNIT)).length;

/** The columns by which a line is indented: by the brackets around it, else by the lines before it.
 * @param {any} context @param {number} at @returns {number | null} */
function indent(context, at) {
  const { state } = context;
  const line = state.doc.lineAt(at);
  const isNew = context.simulatedBreak === at;
  const own = !isNew ? line.text : context.options.simulateDoubleBreak ? "" : line.text.slice(at - line.from);
  const bracket = enclosing(state, at, isNew);
  if (bracket) {
    const opening = indentation(state.doc.lineAt(bracket.from).text);
    return /^\s*[)\]}]/.test(own) ? opening : opening + UNIT;
  }
  if (isNew) {
    const before = line.text.slice(0, at - line.from);
    if (!before.trim()) return before.length;
    return after(before);
  }
  for (const [continuation, opener] of CONTINUES) if (continuation.test(own)) return matching(state.doc, line, opener);
  const previous = filled(state.doc, line.number - 1);
  return previous === null ? 0 : after(previous);
}

/** The indentation after a line. @param {string} text */
function after(text) {
  const columns = indentation(text);
  return OPENS.test(text) && !text.trimStart().startsWith("#") ? columns + UNIT : ENDS.test(text) ? Math.max(0, columns - UNIT) : columns;
}

/** The innermost bracket around a place that opens on an earlier line or, for a new line, on this one.
 * @param {EditorState} state @param {number} at @param {boolean} isNew */
function enclosing(state, at, isNew) {
  const start = state.doc.lineAt(at).from;
  for (let node = syntaxTree(state).resolveInner(at, -1); node.parent; node = node.parent) {
    if (BRACKETS.has(node.name) && node.from < (isNew ? at : start) && (isNew ? node.to > at || !closes(state, node) : node.to > start)) return node;
  }
  return null;
}

/** @param {EditorState} state @param {Range} node */
const closes = (state, node) => /[)\]}]/.test(state.sliceDoc(node.to - 1, node.to));

/** @param {any} doc @param {number} number @returns {string | null} the text of the nearest line upwards that is not blank */
function filled(doc, number) {
  for (let at = number; at > 0; at -= 1) if (doc.line(at).text.trim()) return doc.line(at).text;
  return null;
}

/** The indentation of the nearest statement above that a line can continue. @param {any} doc @param {any} line @param {RegExp} opener */
function matching(doc, line, opener) {
  let least = indentation(line.text) + 1;
  for (let at = line.number - 1; at > 0; at -= 1) {
    const { text } = doc.line(at);
    if (!text.trim()) continue;
    const columns = indentation(text);
    if (columns < least && opener.test(text)) return columns;
    least = Math.min(least, columns);
    if (least === 0) break;
  }
  return null;
}

/** The range that hides the block below a line: all lines that are indented deeper, up to the last that is not blank.
 * @param {EditorState} state @param {number} start @returns {Range | null} */
export function block(state, start) {
  const first = state.doc.lineAt(start);
  if (!OPENS.test(first.text) && !/[([{]\s*(#.*)?$/.test(first.text)) return null;
  const columns = indentation(first.text);
  let end = first.to;
  for (let at = first.number + 1; at <= state.doc.lines; at += 1) {
    const line = state.doc.line(at);
    if (!line.text.trim()) continue;
    if (indentation(line.text) <= columns) break;
    end = line.to;
  }
  return end > first.to ? { from: first.to, to: end } : null;
}

export const python = [
  language,
  indentUnit.of(" ".repeat(UNIT)),
  EditorState.tabSize.of(UNIT),
  indentService.of(indent),
  indentOnInput(),
  foldService.of((state, start) => block(state, start)),
];
