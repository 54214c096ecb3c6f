/** Completion and hover help: the words that fit, each with one line of help. */
import { EditorView, Prec, StateEffect, StateField, hoverTooltip, keymap, more, showTooltip, syntaxTree } from "./codemirror.js";
import { Program, Table } from "./words.js";

/** @typedef {import("./words.js").Word} Word */

const MEMBER = /((?:\w+\.)*\w+|["'\])])\s*\.(\w*)$/;
const REACH = 500; // letters of a line that are read on either side: a longer one would stop the page
const CALL = /((?:\w+\.)*\w+)\([^()]*\)$/;
const QUIET = new Set(["String", "FormatString", "Comment", "Number"]);
const LEAST = 2; // letters of a word before its completions open by themselves
const TYPES = /** @type {Record<string, string>} */ ({ op: "function", function: "function", method: "method", class: "class", type: "class", module: "namespace", keyword: "keyword", exception: "class" });

/** @param {any} state @param {number} at */
const isQuiet = (state, at) => QUIET.has(syntaxTree(state).resolveInner(at, -1).name);

/** What stands before the dot. @param {string} before the line up to it @param {string} last the match's */
function expression(before, last) {
  if (last === '"' || last === "'") return '""';
  if (last === "]") return "";
  return last === ")" ? before.match(CALL)?.[0] ?? "" : last;
}

/** The words that may stand at a place, and where the word starts. @param {any} state @param {number} at @param {Table} table
 * @returns {Promise<{from: number, words: Word[], isMember: boolean}>} */
async function fitting(state, at, table) {
  const line = state.doc.lineAt(at);
  const before = line.text.slice(Math.max(0, at - line.from - REACH), at - line.from);
  const words = await table.words();
  const program = new Program(state);
  const member = before.match(MEMBER);
  if (member) {
    const start = at - member[2].length;
    const head = before.slice(0, before.length - member[2].length).replace(/\s*\.$/, "");
    return { from: start, words: program.reach(expression(head, member[1]), line.number, words), isMember: true };
  }
  const from = at - (before.match(/[A-Za-z_]\w*$/)?.[0].length ?? 0);
  const imported = before.match(/^\s*(?:from\s+([\w.]+)\s+import\s+.*|(?:import|from)\s+[\w.]*)$/);
  if (imported) return { from, words: imported[1] ? words.modules[imported[1]] ?? [] : modules(words), isMember: false };
  const own = program.names(at);
  const known = new Set(own.map(({ name }) => name));
  return { from, words: [...own, ...words.names.filter(({ name }) => !known.has(name))], isMember: false };
}

/** @param {import("./words.js").Words} words @returns {Word[]} */
const modules = (words) => Object.keys(words.modules).map((name) => ({ name, kind: "module", help: `module ${name}` }));

/** @param {Table} table */
const source = (table) => async (/** @type {any} */ context) => {
  if (isQuiet(context.state, context.pos)) return null;
  const typed = context.matchBefore(/\w*$/);
  const isAfterDot = /\.\w*$/.test(context.state.sliceDoc(Math.max(0, context.pos - 80), context.pos));
  if (!context.explicit && !isAfterDot && (typed?.text.length ?? 0) < LEAST) return null;
  const { from, words } = await fitting(context.state, context.pos, table);
  if (context.aborted || !words.length) return null;
  const options = words.map(({ name, kind = "", help }, at) => ({ label: name, type: TYPES[kind] ?? "variable", help, boost: name.startsWith("_") ? -50 : -Math.min(at, 40) / 2 }));
  return { from, options, validFor: /^\w*$/ };
};

/** The word under a place. @param {any} state @param {number} at */
function wordAt(state, at) {
  const line = state.doc.lineAt(at);
  const [left] = line.text.slice(Math.max(0, at - line.from - REACH), at - line.from).match(/\w*$/) ?? [""];
  const [right] = line.text.slice(at - line.from, at - line.from + REACH).match(/^\w*/) ?? [""];
  return { name: left + right, from: at - left.length, to: at + right.length };
}

/** @param {Table} table */
const hover = (table) => async (/** @type {any} */ view, /** @type {number} */ at) => {
  const { state } = view;
  const { name, from, to } = wordAt(state, at);
  if (!/^[A-Za-z_]/.test(name) || isQuiet(state, at)) return null;
  const found = (await fitting(state, to, table)).words.find((word) => word.name === name) ?? definition(state, name);
  return found ? { pos: from, end: to, above: true, create: () => ({ dom: card(found) }) } : null;
};

/** @param {any} state @param {string} name */
const definition = (state, name) => new Program(state).names(-1).find((word) => word.name === name);

/** @param {Word} word */
function card({ name, call, help }) {
  const dom = document.createElement("div");
  dom.append(Object.assign(document.createElement("code"), { textContent: call ?? name }), Object.assign(document.createElement("p"), { textContent: help }));
  return dom;
}

/** @type {any} a tooltip */ const setCard = StateEffect.define();

/** The help that was asked for by a key, until the caret moves. */
const cardAtCaret = StateField.define({
  create: () => null,
  update(tip, transaction) {
    for (const effect of transaction.effects) if (effect.is(setCard)) return effect.value;
    return transaction.docChanged || transaction.selection ? null : tip;
  },
  provide: (own) => showTooltip.from(own),
});

/** Help for the word at the caret: shown, and read out. @param {Table} table */
const helpAtCaret = (table) => (/** @type {any} */ view) => {
  hover(table)(view, view.state.selection.main.head).then((tip) => {
    const words = tip?.create().dom.innerText ?? "There is no help for this word.";
    const create = () => ({ dom: Object.assign(tip.create().dom, { className: "cm-tooltip-hover" }) });
    view.dispatch({ effects: [setCard.of(tip && { pos: tip.pos, above: true, create }), EditorView.announce.of(words)] });
  });
  return true;
};

/** @param {any} view */
const closeCard = (view) => {
  if (!view.state.field(cardAtCaret)) return false;
  view.dispatch({ effects: setCard.of(null) });
  return true;
};

/** Help on the words of the program, by pointer and by key. @param {Table} table */
const help = (table) => [
  hoverTooltip(hover(table)),
  cardAtCaret,
  keymap.of([{ key: "F1", run: helpAtCaret(table), preventDefault: true }, { key: "Escape", run: closeCard }]),
];

/** The extensions that come once somebody works in the editor. @param {string} address of the table of words */
export async function working(address) {
  const table = new Table(address);
  table.words();
  const { acceptCompletion, autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap, completionStatus, highlightSelectionMatches, moveCompletionSelection, search, searchKeymap } = await more();
  const row = (/** @type {any} */ { help: words }) => Object.assign(document.createElement("span"), { className: "help", textContent: words });
  const takeFirst = (/** @type {any} */ view) => completionStatus(view.state) === "active" && (acceptCompletion(view) || (moveCompletionSelection(true)(view) && acceptCompletion(view)));
  // While completions are still sought there is nothing to close: Escape is the editor's.
  const keys = completionKeymap.map((/** @type {any} */ one) =>
    (one.key === "Escape" ? { ...one, run: (/** @type {any} */ view) => completionStatus(view.state) === "active" && one.run(view) } : one));
  return [
    help(table),
    autocompletion({ override: [source(table)], selectOnOpen: false, icons: false, filterStrict: true, addToOptions: [{ render: row, position: 70 }], defaultKeymap: false }),
    closeBrackets(),
    highlightSelectionMatches({ minSelectionLength: 2 }),
    search({ top: true }),
    Prec.highest(keymap.of([{ key: "Tab", run: takeFirst }, ...keys])),
    Prec.high(keymap.of([...closeBracketsKeymap, ...searchKeymap])),
  ];
}
