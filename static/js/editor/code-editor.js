/**
 * The code editor: CodeMirror in a shadow root, where constructed style sheets satisfy the policy.
 *
 * It knows nothing of the page: what it shows is handed to it, and what happens in it is reported.
 */
import {
  ChangeSet, Compartment, EditorSelection, EditorState, EditorView, Prec, bracketMatching, defaultKeymap, drawSelection, dropCursor, history,
  historyKeymap, indentLess, indentMore, isolateHistory, keymap, more, rectangularSelection, undo,
} from "./codemirror.js";
import { diagnose, problems } from "./diagnostics.js";
import { Unfolding, foldClasses, folding } from "./folding.js";
import { frames, hasValues, offerFrames, showValues } from "./frames.js";
import { keep, kept } from "./kept-history.js";
import { byLine, calleeMark, markCallee, markPointed, markSource, pointedMark, rangeOf, sourceMark } from "./marks.js";
import { python } from "./python.js";
import { listenToMargin, showStops, stopLines, stops } from "./stops.js";
import { theme } from "./theme.js";

/** @typedef {import("../explore/trace.js").Span} Span */
/** @typedef {import("./diagnostics.js").Diagnostic} Diagnostic */
/** @typedef {import("./diagnostics.js").Change} Change */
/**
 * @typedef {{
 *   text: string, first: string, selection: [number, number], rows: number, most: number, words: string,
 *   onChange: (text: string, isPasted: boolean) => void, takes: (text: string) => boolean, onRun: () => void,
 *   onLine: (line: number, by: 1 | -1) => void,
 * }} Options  first: the text that the page was loaded with, to which undo leads back; rows: lines that fit the box;
 *   takes: whether a paste of more than `most` letters is taken; words: the address of the table of words
 */

const KEPT_AFTER = 2000; // milliseconds without typing until the history is kept
const ROOM = 120; // pixels beside a line that is to be read, for the message below it
const PASTED = ["input.paste", "input.drop", "input.replace"];
const LABELS = { "aria-label": "Program", "aria-keyshortcuts": "Control+Enter F8 F9 F1 Alt+Enter", "aria-describedby": "program-problem program-keys", spellcheck: "false", autocapitalize: "off", autocorrect: "off", translate: "no", tabindex: "0" };
const KEYS = "Tab indents. To leave the editor, press Escape, then Tab.";

export class CodeEditor {
  /** @param {HTMLElement} host @param {Options} options */
  constructor(host, options) {
    this.host = host;
    this.options = options;
    host.dataset.keys = "own"; // the page's shortcuts are letters here
    this.root = host.attachShadow({ mode: "open" });
    /** @type {HTMLElement} the error, for screen readers: references end at a shadow root */ this.problem = hidden("program-problem", "");
    this.isInvalid = new Compartment();
    this.isWorking = new Compartment();
    /** @type {number | undefined} */ this.keeping = undefined;
    this.isPointed = false;
    this.view = new EditorView({ state: this.#state(), root: this.root, parent: this.root });
    this.root.append(this.problem, hidden("program-keys", KEYS));
    this.unfolding = new Unfolding(this.view);
    /** @type {Promise<void> | null} */ this.begun = null;
    for (const name of ["focusin", "pointerenter"]) host.addEventListener(name, () => this.#begin());
    /** @type {(line: number) => void} */ this.onStop = () => {};
    /** @type {(lines: number[]) => void} */ this.onStops = () => {};
    listenToMargin(this.view, (line) => this.onStop(line));
    this.#passTab();
    window.addEventListener("pagehide", () => {
      this.view.observer.flush();
      keep(this.view.state);
    });
  }

  #state() {
    const { text, first, selection: [anchor, head] } = this.options;
    const extensions = this.#extensions();
    const before = kept(text, extensions);
    if (before) return before;
    const start = EditorState.create({ doc: first, extensions });
    const change = difference(start.doc.toString(), text);
    return start.update({ changes: change, selection: EditorSelection.single(Math.min(anchor, text.length), Math.min(head, text.length)) }).state;
  }

  #extensions() {
    const { options } = this;
    return [
      Prec.highest(keymap.of([
        { key: "Mod-Enter", run: () => (options.onRun(), true) },
        { key: "Alt-Enter", run: () => this.#toFrame(1), shift: () => this.#toFrame(-1), preventDefault: true },
      ])),
      this.isWorking.of(keymap.of([{ key: "Mod-f", run: () => (this.#search(), true) }])),
      problems,
      frames((line) => options.onLine(line, 1)),
      stops,
      keymap.of([{ key: "F9", run: () => this.#toggleStop() }]),
      folding,
      history(),
      drawSelection({ cursorBlinkRate: matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 1200 }),
      dropCursor(),
      EditorState.allowMultipleSelections.of(true),
      rectangularSelection(),
      bracketMatching(),
      python,
      sourceMark,
      calleeMark,
      pointedMark,
      theme,
      keymap.of([{ key: "Tab", run: indentMore, shift: indentLess }, ...historyKeymap, ...defaultKeymap]),
      EditorView.contentAttributes.of(LABELS),
      this.isInvalid.of([]),
      EditorView.scrollMargins.of((/** @type {any} */ view) => ({ top: 4, bottom: Number.parseFloat(getComputedStyle(view.contentDOM).paddingBottom) || 0 })),
      EditorState.changeFilter.of((/** @type {any} */ transaction) => this.#isSmallEnough(transaction)),
      EditorView.domEventHandlers({
        drop: (/** @type {DragEvent} */ event) => event.dataTransfer?.types.includes("Files"), // the page reads them
        beforeinput: insertLines,
      }),
      EditorView.updateListener.of((/** @type {any} */ update) => {
        if (update.docChanged) this.#changed(update);
        this.host.toggleAttribute("data-panel", update.view.dom.querySelector(".cm-panel") !== null); // which needs room
      }),
    ];
  }

  /** What was just asked of the keyboard: the frames of the caret's line. @param {1 | -1} by */
  #toFrame(by) {
    const { doc, selection } = this.view.state;
    this.options.onLine(doc.lineAt(selection.main.head).number, by);
    return true;
  }

  /** Load completion, help, closing brackets and search, once somebody comes here: a page opens without them. */
  async #begin() {
    this.begun ??= this.#load();
    await this.begun;
  }

  async #load() {
    try {
      const { working } = await import("./completion.js");
      this.view.dispatch({ effects: this.isWorking.reconfigure(await working(this.options.words)) });
      this.host.dataset.complete = "true";
    } catch {
      this.begun = null; // the server is away: tried again later
    }
  }

  /** Search, asked for before it is loaded. */
  async #search() {
    await this.#begin();
    (await more()).openSearchPanel(this.view);
  }

  /** Whoever passes through the page by Tab passes the editor as well; after any other key, or a click, Tab indents. */
  #passTab() {
    let isPointed = false;
    const { view } = this;
    this.root.addEventListener("pointerdown", () => {
      isPointed = true;
      view.setTabFocusMode(false);
    }, true);
    view.contentDOM.addEventListener("focus", () => {
      view.setTabFocusMode(!isPointed);
      isPointed = false;
    });
    view.contentDOM.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
      if (!["Tab", "Shift", "Escape"].includes(event.key)) view.setTabFocusMode(false);
    }, true);
  }

  /** @param {any} transaction */
  #isSmallEnough(transaction) {
    if (!PASTED.some((event) => transaction.isUserEvent(event))) return true;
    let isTaken = true;
    transaction.changes.iterChanges((/** @type {any} */ _a, /** @type {any} */ _b, /** @type {any} */ _c, /** @type {any} */ _d, /** @type {any} */ text) => {
      if (text.length > this.options.most) isTaken &&= this.options.takes(text.toString());
    });
    return isTaken;
  }

  /** @param {any} update */
  #changed({ state, transactions }) {
    this.unfolding.forget();
    const isPasted = transactions.some((/** @type {any} */ one) => PASTED.some((event) => one.isUserEvent(event)));
    this.options.onChange(state.doc.toString(), isPasted);
    this.onStops(stopLines(state));
    clearTimeout(this.keeping);
    this.keeping = window.setTimeout(() => keep(this.view.state), KEPT_AFTER);
  }

  get text() {
    return this.view.state.doc.toString();
  }

  get hasFocus() {
    return this.view.hasFocus;
  }

  focus() {
    this.view.focus();
  }

  blur() {
    /** @type {HTMLElement | null} */ (this.root.activeElement)?.blur();
  }

  /** Replace the text; one step of undo, and of its own. @param {string} text @param {"input.replace" | "restore"} how */
  replace(text, how) {
    const changes = how === "restore" ? difference(this.text, text) : { from: 0, to: this.view.state.doc.length, insert: text };
    const selection = how === "restore" ? undefined : { anchor: 0 };
    this.view.dispatch({ changes, selection, scrollIntoView: !!selection, userEvent: how, annotations: isolateHistory.of("full") });
  }

  /** Make a change that one step of undo takes back. @param {Change} change @returns {Applied} */
  apply(change) {
    const { view } = this;
    const inverse = ChangeSet.of([change], view.state.doc.length).invert(view.state.doc);
    view.dispatch({ changes: change, userEvent: "input.fix", annotations: isolateHistory.of("full") });
    this.showLine(change.from);
    return new Applied(view, inverse);
  }

  /** Mark the source of a Value; null removes the mark. @param {{span: Span, look: string} | null} mark @param {boolean} reveals */
  show(mark, reveals) {
    const { doc } = this.view.state;
    const range = mark && rangeOf(doc, mark.span);
    const callee = mark?.callee && { ranges: byLine(doc, rangeOf(doc, mark.callee)), look: "callee" };
    this.view.dispatch({ effects: [markSource(range && { ranges: byLine(doc, range), look: mark.look }), markCallee(callee)] });
    if (!range || !reveals) return;
    this.unfolding.show(range.from, true);
    this.#reveal(range.from);
  }

  /** Mark what is pointed at elsewhere; null: nothing. @param {Span | null} span */
  point(span) {
    if (!span && !this.isPointed) return;
    this.isPointed = span !== null;
    const { doc } = this.view.state;
    this.view.dispatch({ effects: markPointed(span && { ranges: byLine(doc, rangeOf(doc, span)), look: "pointed" }) });
  }

  /** Listen to the place of the pointer or the caret; null: it has left. @param {(offset: number | null) => void} onPoint */
  onPoint(onPoint) {
    const { contentDOM } = this.view;
    contentDOM.addEventListener("pointermove", (/** @type {PointerEvent} */ event) => {
      onPoint(this.view.posAtCoords({ x: event.clientX, y: event.clientY }));
    });
    for (const name of ["pointerleave", "blur"]) contentDOM.addEventListener(name, () => onPoint(null));
    contentDOM.addEventListener("keyup", () => onPoint(this.view.state.selection.main.head));
  }

  /** Mark the program as wrong; null: right. @param {{span: Span, message: string} | null} error
   * @param {boolean} reveals */
  refuse(error, reveals) {
    const { doc } = this.view.state;
    const range = error && rangeOf(doc, error.span);
    const list = range ? [{ ...range, severity: /** @type {const} */ ("error"), message: error.message }] : [];
    this.view.dispatch({ effects: diagnose("error", list) });
    if (!range) return;
    this.unfolding.show(range.from, false);
    if (reveals) this.#reveal(range.from);
  }

  /** @param {boolean} isInvalid @param {string} words the error in words, for screen readers */
  describe(isInvalid, words) {
    if (this.problem.textContent !== words) this.problem.textContent = words;
    const attributes = isInvalid ? EditorView.contentAttributes.of({ "aria-invalid": "true" }) : [];
    if (this.view.contentDOM.hasAttribute("aria-invalid") !== isInvalid) this.view.dispatch({ effects: this.isInvalid.reconfigure(attributes) });
  }

  /** Replace the mistakes and notes. @param {Diagnostic[]} list */
  setDiagnostics(list) {
    this.view.dispatch({ effects: diagnose("page", list) });
    for (const { from, severity } of list) if (severity !== "note") this.unfolding.show(from, false);
  }

  /** The offsets of a span. @param {Span} span */
  rangeOf(span) {
    return rangeOf(this.view.state.doc, span);
  }

  /** Scroll to the line of an offset, unfolded. @param {number} from */
  showLine(from) {
    this.unfolding.show(from, false);
    this.#reveal(from, Math.min(ROOM, this.view.scrollDOM.clientHeight / 3));
  }

  /** @param {number} from @param {number} [margin] pixels above and below */
  #reveal(from, margin = 24) {
    this.view.dispatch({ effects: EditorView.scrollIntoView(from, { y: "nearest", yMargin: margin }) });
  }

  /** Fold the classes of a long program, except where there is something to see. @param {Span[]} spans */
  foldClasses(spans) {
    const places = spans.map((span) => this.rangeOf(span).from);
    foldClasses(this.view, this.options.rows, places);
    if (places.length) this.#reveal(places[0]);
  }

  /** @param {number[]} lines that have frames, in ascending order */
  offerFrames(lines) {
    this.view.dispatch({ effects: offerFrames(lines) });
  }

  /** The line of the caret is to have a breakpoint, or none. */
  #toggleStop() {
    const { doc, selection } = this.view.state;
    this.onStop(doc.lineAt(selection.main.head).number);
    return true;
  }

  /** @param {(line: number) => void} onStop called when a line is to have a breakpoint, or none
   * @param {(lines: number[]) => void} onStops called with the lines that have one after an edit */
  listenToStops(onStop, onStops) {
    this.onStop = onStop;
    this.onStops = onStops;
  }

  /** @param {number[]} lines with breakpoints */
  showStops(lines) {
    if ([...lines].sort((a, b) => a - b).join() === stopLines(this.view.state).join()) return; // an update lays the page out
    this.view.dispatch({ effects: showStops(lines) });
  }

  /** @param {import("./frames.js").LineValues} values */
  showValues(values) {
    if (!values.size && !hasValues(this.view.state)) return;
    this.view.dispatch({ effects: showValues(values) });
  }
}

/** A change that was made, and can be taken back, whatever was typed since. */
export class Applied {
  /** @param {any} view @param {any} inverse */
  constructor(view, inverse) {
    this.view = view;
    this.inverse = inverse;
    this.doc = view.state.doc;
  }

  /** Take the change back: by undo if it is the last, else by its inverse. @returns {boolean} whether its text was still there */
  undo() {
    const { view } = this;
    if (view.state.doc.eq(this.doc)) return undo(view);
    const changes = difference(this.doc.toString(), view.state.doc.toString());
    const since = ChangeSet.of(changes ? [changes] : [], this.doc.length);
    let isTouched = false;
    this.inverse.iterChangedRanges((/** @type {number} */ from, /** @type {number} */ to) => (isTouched ||= Boolean(since.touchesRange(from, to))));
    if (isTouched) return false;
    view.dispatch({ changes: this.inverse.map(since), userEvent: "input.fix", annotations: isolateHistory.of("full") });
    return true;
  }
}

/** Insert text of several lines, as on-screen keyboards do: a browser would copy the style of the text around it into
 * attributes, which the policy forbids. @param {InputEvent} event @param {any} view */
function insertLines(event, view) {
  if (event.isComposing || event.inputType !== "insertText" || !event.data?.includes("\n")) return false;
  view.dispatch(view.state.replaceSelection(event.data), { userEvent: "input.type", scrollIntoView: true });
  return true;
}

/** The one change that leads from a text to another; undefined if they are equal. @param {string} before @param {string} after
 * @returns {Change | undefined} */
function difference(before, after) {
  if (before === after) return undefined;
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < most - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1;
  return { from: start, to: before.length - end, insert: after.slice(start, after.length - end) };
}

/** @param {string} id @param {string} text */
function hidden(id, text) {
  return Object.assign(document.createElement("p"), { id, textContent: text, hidden: true });
}
