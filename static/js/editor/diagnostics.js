/** Errors, mistakes and notes: underlined, with a sign in the margin, a tooltip, a message below the line, and a list. */
import {
  Decoration, EditorView, GutterMarker, RangeSet, StateEffect, StateField, WidgetType, gutter, gutterLineClass, hoverTooltip, keymap,
  showPanel,
} from "./codemirror.js";
import { byLine } from "./marks.js";

/**
 * @typedef {{from: number, to: number, insert: string}} Change
 * @typedef {{from: number, to: number, severity: "error" | "mistake" | "note", message: string, fix?: Change, below?: boolean}} Diagnostic
 *   offsets in the text; fix: the change that would put it right; below: whether the message stands below its line as
 *   well, by default that of a mistake
 */

const SIGNS = { error: "!", mistake: "!", note: "i" };
const NAMES = { error: "Error", mistake: "Mistake", note: "Note" };

/** @type {any} {source: string, list: Diagnostic[]} */ const setList = StateEffect.define();
/** @type {any} boolean */ const openList = StateEffect.define();

/** The effect that replaces the diagnostics of a source. @param {string} source @param {Diagnostic[]} list */
export const diagnose = (source, list) => setList.of({ source, list });

/** @typedef {{by: Record<string, Diagnostic[]>, all: Diagnostic[], text: any, signs: any, lines: any}} Shown */

/** All diagnostics of a state, in the order of the text. @param {any} state @returns {Diagnostic[]} */
export const diagnostics = (state) => state.field(field).all;

const field = StateField.define({
  create: () => shown(null, {}),
  update(value, transaction) {
    let { by } = value;
    const set = transaction.effects.filter((/** @type {any} */ effect) => effect.is(setList));
    if (transaction.docChanged && value.all.length) by = moved(by, transaction.changes);
    for (const { value: { source, list } } of set) by = { ...by, [source]: list };
    return by === value.by ? value : shown(transaction.state.doc, by);
  },
  provide: (own) => [
    EditorView.decorations.from(own, (value) => value.text),
    gutterLineClass.from(own, (value) => value.lines),
  ],
});

/** Diagnostics after a change; those whose text is deleted are dropped. @param {Record<string, Diagnostic[]>} by @param {any} changes */
function moved(by, changes) {
  const move = (/** @type {Diagnostic} */ one) => {
    const [from, to] = [changes.mapPos(one.from, 1), changes.mapPos(one.to, -1)];
    const gone = to < from || (to === from && one.to > one.from);
    return gone ? [] : [{ ...one, from, to, fix: one.fix && movedChange(one.fix, changes) }];
  };
  return Object.fromEntries(Object.entries(by).map(([source, list]) => [source, list.flatMap(move)]));
}

/** A change after others; none if they touch its text. @param {Change} change @param {any} changes @returns {Change | undefined} */
export function movedChange({ from, to, insert }, changes) {
  if (changes.touchesRange(from, to)) return undefined;
  return { from: changes.mapPos(from, 1), to: changes.mapPos(to, -1), insert };
}

/** @param {any} doc @param {Record<string, Diagnostic[]>} by @returns {Shown} */
function shown(doc, by) {
  const all = Object.values(by).flat().map((one) => within(doc, one)).sort((a, b) => a.from - b.from);
  const lines = new Map();
  for (const one of all) {
    const { from } = doc.lineAt(one.from);
    const worst = lines.get(from);
    if (!worst || (worst.severity === "note" && one.severity !== "note")) lines.set(from, one);
  }
  const signs = [...lines].sort(([a], [b]) => a - b);
  return {
    by,
    all,
    text: Decoration.set(all.flatMap((one) => painted(doc, one)), true),
    signs: RangeSet.of(signs.map(([from, { severity }]) => new Sign(severity).range(from))),
    lines: RangeSet.of(signs.flatMap(([from, { severity }]) => (severity === "note" ? [] : [BAD[/** @type {"error" | "mistake"} */ (severity)].range(from)]))),
  };
}

/** @param {any} doc @param {Diagnostic} one @returns {Diagnostic} */
function within(doc, one) {
  const from = Math.min(Math.max(one.from, 0), doc.length);
  return { ...one, from, to: Math.min(Math.max(one.to, from), doc.length) };
}

/** @param {any} doc @param {Diagnostic} one */
function painted(doc, one) {
  const { severity } = one;
  const parts = byLine(doc, one).map((part) => visible(doc, part));
  const line = doc.lineAt(one.from);
  const found = parts.map(({ from, to }) => from < to
    ? Decoration.mark({ tagName: "mark", class: severity }).range(from, to)
    : Decoration.widget({ widget: new Blank(severity), side: 1 }).range(from));
  if (severity === "mistake") found.push(Decoration.line({ class: severity }).range(line.from));
  if (one.below ?? severity === "mistake") found.push(Decoration.widget({ widget: new Below(doc, one), side: 1, block: true }).range(doc.lineAt(one.to).to));
  return found;
}

/** An empty range gets the letter beside it, if there is one. @param {any} doc @param {{from: number, to: number}} part */
function visible(doc, { from, to }) {
  const line = doc.lineAt(from);
  return from < to || from === line.to ? { from, to } : { from, to: from + 1 };
}

/** A space with an underline, where there is no letter. */
class Blank extends WidgetType {
  /** @param {string} severity */
  constructor(severity) {
    super();
    this.severity = severity;
  }

  /** @param {Blank} other */
  eq(other) {
    return other.severity === this.severity;
  }

  toDOM() {
    return Object.assign(document.createElement("mark"), { className: this.severity, textContent: " " });
  }
}

/** The message below its line, and the line as it should be. */
class Below extends WidgetType {
  /** @param {any} doc @param {Diagnostic} one */
  constructor(doc, { severity, message, fix }) {
    super();
    this.severity = severity;
    this.message = message;
    const line = fix && doc.lineAt(fix.from);
    this.fixed = fix ? [doc.sliceString(line.from, fix.from).trimStart(), fix.insert, doc.sliceString(fix.to, doc.lineAt(fix.to).to)] : [];
  }

  /** @param {Below} other */
  eq(other) {
    return [this.severity, this.message, ...this.fixed].join("\0") === [other.severity, other.message, ...other.fixed].join("\0");
  }

  toDOM() {
    const box = Object.assign(document.createElement("div"), { className: `below ${this.severity}`, textContent: this.message });
    if (!this.fixed.length) return box;
    const [before, inserted, after] = this.fixed;
    const right = Object.assign(document.createElement("div"), { className: "right" });
    const code = document.createElement("code");
    code.append(before, Object.assign(document.createElement("ins"), { textContent: inserted }), after);
    right.append(Object.assign(document.createElement("b"), { textContent: "right" }), code);
    box.append(right);
    return box;
  }

  ignoreEvent() {
    return true;
  }
}

class Sign extends GutterMarker {
  /** @param {Diagnostic["severity"]} severity */
  constructor(severity) {
    super();
    this.severity = severity;
  }

  /** @param {Sign} other */
  eq(other) {
    return other.severity === this.severity;
  }

  toDOM() {
    return Object.assign(document.createElement("span"), { className: this.severity, textContent: SIGNS[this.severity], title: "Show the list (Ctrl+Shift+M)" });
  }
}

class BadLine extends GutterMarker {
  /** @param {string} elementClass */
  constructor(elementClass) {
    super();
    this.elementClass = elementClass;
  }
}
const BAD = { error: new BadLine("is-bad"), mistake: new BadLine("is-bad is-mistake") };

// --- the list

/** @type {((view: any) => any) | null} */ let panel = null;
const listIsOpen = StateField.define({
  create: () => false,
  update(isOpen, transaction) {
    for (const effect of transaction.effects) if (effect.is(openList)) return effect.value;
    return isOpen && transaction.state.field(field).all.length > 0;
  },
  provide: (own) => showPanel.from(own, (isOpen) => (isOpen ? panel : null)),
});

/** @param {any} view */
function showList(view) {
  if (!diagnostics(view.state).length) {
    view.dispatch({ effects: EditorView.announce.of("No errors, mistakes or notes.") });
    return true;
  }
  open(view);
  return true;
}

/** The list comes with its first use. @param {any} view */
async function open(view) {
  const found = await import("./problem-list.js").catch(() => null); // the server may be away
  if (!found) return;
  panel = (over) => found.listPanel(over, { all: diagnostics, field, close: openList.of(false), signs: SIGNS, names: NAMES });
  view.dispatch({ effects: openList.of(true) });
  view.dom.querySelector(".problems")?.focus();
}

/** A command that goes to the next or the previous one, around the end. @param {1 | -1} by */
const goOn = (by) => (/** @type {any} */ view) => {
  const all = diagnostics(view.state);
  if (!all.length) return showList(view);
  const { head } = view.state.selection.main;
  const next = by > 0 ? all.find(({ from }) => from > head) ?? all[0] : all.findLast(({ from }) => from < head) ?? all[all.length - 1];
  const words = `${NAMES[next.severity]} in line ${view.state.doc.lineAt(next.from).number}: ${next.message}`;
  view.dispatch({ selection: { anchor: next.from }, scrollIntoView: true, effects: EditorView.announce.of(words) });
  return true;
};

/** @param {any} view @param {number} at */
function tip(view, at) {
  const here = diagnostics(view.state).filter(({ from, to }) => from <= at && at <= Math.max(to, from + 1));
  if (!here.length) return null;
  return {
    pos: here[0].from,
    end: here[0].to,
    create: () => {
      const dom = document.createElement("div");
      dom.append(...here.map(({ severity, message }) => Object.assign(document.createElement("p"), { className: severity, textContent: message })));
      return { dom };
    },
  };
}

export const problems = [
  field,
  listIsOpen,
  hoverTooltip(tip),
  gutter({
    class: "cm-marks",
    markers: (/** @type {any} */ view) => view.state.field(field).signs,
    initialSpacer: () => new Sign("error"),
    widgetMarker: (/** @type {any} */ _view, /** @type {any} */ widget) => (widget instanceof Below && widget.severity === "mistake" ? BAD.mistake : null),
    domEventHandlers: { click: (/** @type {any} */ view, /** @type {any} */ line) => diagnostics(view.state).some(({ from }) => view.state.doc.lineAt(from).from === line.from) && showList(view) },
  }),
  keymap.of([
    { key: "F8", run: goOn(1), shift: goOn(-1) },
    { key: "Mod-Shift-m", run: showList, preventDefault: true },
  ]),
];
