/**
 * The program's field: a textarea, and once it is loaded the code editor over it.
 *
 * The textarea stays the form's field: it always holds the text and fires `input` for every change.
 */

/** @typedef {import("./trace.js").Span} Span */
/** @typedef {{span: Span, callee?: Span | null, look: string}} Mark  with the line that does it, in a class */
/** @typedef {import("../editor/code-editor.js").CodeEditor} CodeEditor */
/** @typedef {import("../editor/diagnostics.js").Diagnostic} Diagnostic */
/** @typedef {import("../editor/diagnostics.js").Change} Change */
/** @typedef {{onLeftOut: (size: number) => void, onRun: () => void, onLine: (line: number, by: 1 | -1) => void}} Listeners
 *   called with the bytes of a rejected paste, at Ctrl+Enter, and when the frames of a line are asked for: 1 the next, -1 the one before */

const ROWS = [3, 18];
const TAKEN = 4; // maximum size of a paste, in programs of the maximum size

export class Editor {
  /** @param {HTMLElement} root @param {Listeners} listeners */
  constructor(root, listeners) {
    this.root = root;
    this.listeners = listeners;
    this.area = /** @type {HTMLTextAreaElement} */ (root.querySelector("textarea"));
    /** The server's limit on the size of a program in bytes. */ this.most = Number(this.area.dataset.mostBytes) || Infinity;
    /** @type {CodeEditor | null} null until it is loaded */ this.code = null;
    /** @type {Mark | null} the frame's or the chosen Value's span */ this.mark = null;
    /** @type {{span: Span, message: string} | null} */ this.error = null;
    /** @type {Diagnostic[]} */ this.diagnostics = [];
    /** @type {(() => void)[]} called once the code editor is there */ this.waiting = [];
    this.isSyncing = false;
    this.isComposing = false;
    for (const name of ["compositionstart", "compositionend"]) {
      this.area.addEventListener(name, () => (this.isComposing = name === "compositionstart"));
    }
    this.area.addEventListener("input", () => this.typed());
    this.area.addEventListener("beforeinput", (event) => {
      if (event.data && event.data.length > this.most && !this.#takes(event.data)) event.preventDefault();
    });
    this.area.addEventListener("keydown", (event) => this.#key(event));
    this.#measure();
  }

  /** The program's last line, in place of the editor while its panel is closed. @param {string} program */
  sumUp(program) {
    for (const gist of document.querySelectorAll(".gist")) gist.textContent = program.trim().split("\n").pop() ?? "";
  }

  get text() {
    return this.area.value;
  }

  set text(text) {
    if (this.area.value !== text) this.area.value = text;
    this.typed();
  }

  get hasFocus() {
    return document.activeElement === (this.code?.host ?? this.area);
  }

  focus() {
    (this.code ?? this.area).focus();
  }

  blur() {
    (this.code ?? this.area).blur();
  }

  /** Whether an event comes from the editor. @param {EventTarget | null} target */
  holds(target) {
    return target === this.area || (this.code !== null && target === this.code.host);
  }

  /** Take the focus out of the editor, or another field; false if an event comes from neither. @param {HTMLElement} target */
  leave(target) {
    const isOwn = this.holds(target);
    if (!isOwn && !target.matches("input, textarea, select")) return false;
    (isOwn ? this : target).blur();
    return true;
  }

  /** Listen to the moment when the focus leaves the editor. @param {() => void} onLeave */
  whenLeft(onLeave) {
    this.area.addEventListener("blur", onLeave);
    this.whenLoaded(({ host }) => host.addEventListener("blur", onLeave));
  }

  /** Use the code editor, now or once it is loaded. @param {(code: CodeEditor) => void} use */
  whenLoaded(use) {
    if (this.code) use(this.code);
    else this.waiting.push(() => use(/** @type {CodeEditor} */ (this.code)));
  }

  /** Replace the text as if typed: it can be undone. @param {string} text */
  replace(text) {
    if (this.code) {
      this.code.focus();
      this.code.replace(text, "input.replace");
      return;
    }
    this.area.focus();
    this.area.select();
    if (!document.execCommand("insertText", false, text)) this.area.setRangeText(text, 0, this.area.value.length, "end");
    this.area.setSelectionRange(0, 0);
    this.area.scrollTop = 0;
    this.area.dispatchEvent(new Event("input", { bubbles: true }));
  }

  /** Called after every change of the text, which invalidates marks. */
  typed() {
    this.error = null;
    this.mark = null;
    this.area.removeAttribute("aria-invalid");
    this.#measure();
    const { code } = this;
    if (!code) return;
    if (code.text !== this.text) {
      this.isSyncing = true;
      code.replace(this.text, "restore");
      this.isSyncing = false;
    }
    code.refuse(null, false);
    this.#describe();
  }

  /** Bytes of the text beyond the server's limit, 0 if within it. */
  get excess() {
    const { text } = this;
    const size = text.length * 3 > this.most ? bytes(text) : 0;
    return Math.max(0, size - this.most);
  }

  /** The box is as high as the text, within bounds; folding changes nothing. */
  #measure() {
    const lines = this.area.value.split("\n").length;
    const rows = Math.min(Math.max(lines, ROWS[0]), ROWS[1]);
    this.root.style.setProperty("--digits", String(String(lines).length));
    this.root.style.setProperty("--rows", String(rows));
    this.area.rows = rows;
  }

  /** Mark the source of a Value; null removes the mark. @param {Mark | null} mark */
  show(mark) {
    this.mark = mark;
    if (!this.error) this.code?.show(mark, !this.hasFocus);
  }

  /** Underline an error. @param {Span} span @param {string} message @param {boolean} [reveal] scroll it into view */
  refuse(span, message, reveal = false) {
    this.error = { span, message };
    this.invalidate();
    this.code?.show(null, false);
    this.code?.refuse(this.error, reveal);
  }

  /** The program is wrong as a whole. */
  invalidate() {
    this.area.setAttribute("aria-invalid", "true");
    this.#describe();
  }

  /** Replace the mistakes and notes; see the type. Offsets are those of the text; `whenLoaded` gives `rangeOf(span)`.
   * @param {Diagnostic[]} list */
  setDiagnostics(list) {
    this.diagnostics = list;
    this.code?.setDiagnostics(list);
  }

  /** Make a change, as one step of undo. The result takes it back with `undo()`. Null until the code editor is loaded.
   * @param {Change} change */
  apply(change) {
    return this.code?.apply(change) ?? null;
  }

  /** Scroll to the line of an offset, unfolded. @param {number} from */
  showLine(from) {
    this.code?.showLine(from);
  }

  /** Unfold the text, and show the line that begins with another text. @param {string} line */
  seek(line) {
    this.whenLoaded((code) => {
      let at = 0;
      const starts = this.text.split("\n").map((text) => ({ text, from: (at += text.length + 1) - text.length - 1 }));
      const found = starts.find(({ text }) => text.trimStart().startsWith(line));
      if (!found) return;
      for (const { from } of starts) code.unfolding.show(from, false);
      code.showLine(starts.at(-1)?.from ?? 0); // then up to the line, which so comes to the top
      code.showLine(found.from);
    });
  }

  /** Load the code editor and put it over the textarea; if that fails, the textarea stays.
   * @param {boolean} showsFrame whether a frame was asked for, whose line is then unfolded */
  async load(showsFrame) {
    const { modules = "", words = "" } = this.root.dataset;
    for (const href of modules.split(" ")) document.head.append(Object.assign(document.createElement("link"), { rel: "modulepreload", href }));
    const found = await import("../editor/code-editor.js").catch(() => null);
    if (!found) return;
    if (this.isComposing) await new Promise((done) => this.area.addEventListener("compositionend", () => setTimeout(done), { once: true }));
    const host = Object.assign(document.createElement("div"), { className: "code" });
    this.area.before(host);
    const { area, listeners } = this;
    const hadFocus = this.hasFocus;
    this.code = new found.CodeEditor(host, {
      text: this.text, first: area.defaultValue, selection: [area.selectionStart, area.selectionEnd], rows: ROWS[1], words,
      most: this.most, takes: (/** @type {string} */ text) => this.#takes(text), onRun: listeners.onRun, onLine: listeners.onLine,
      onChange: (/** @type {string} */ text, /** @type {boolean} */ isPasted) => this.#take(text, isPasted),
    });
    this.root.dataset.code = "true";
    if (hadFocus) this.code?.focus();
    this.#begin(showsFrame);
  }

  /** Show in the code editor what the textarea could not. @param {boolean} showsFrame */
  #begin(showsFrame) {
    const { code } = this;
    if (!code) return;
    code.foldClasses(this.error ? [this.error.span] : []);
    code.refuse(this.error, true);
    if (this.mark && !this.error) code.show(this.mark, showsFrame);
    code.setDiagnostics(this.diagnostics);
    const problem = document.getElementById("problem");
    if (problem) new MutationObserver(() => this.#describe()).observe(problem, { childList: true, subtree: true });
    this.#describe();
    document.addEventListener("click", (event) => {
      if (!(event.target instanceof Element) || !event.target.closest(`a[href="#${this.area.id}"]`)) return;
      event.preventDefault();
      this.focus();
    });
    for (const use of this.waiting) use();
    this.waiting = [];
    document.documentElement.dataset.editor = "ready";
  }

  #describe() {
    this.code?.describe(this.area.hasAttribute("aria-invalid"), wordsOf(document.getElementById("problem")));
  }

  /** The text was changed in the code editor. @param {string} text @param {boolean} isPasted */
  #take(text, isPasted) {
    if (this.isSyncing) return;
    this.area.value = text;
    this.area.dispatchEvent(new InputEvent("input", { bubbles: true, inputType: isPasted ? "insertFromPaste" : "insertText" }));
  }

  /** Whether a large paste is taken; if not, it is reported. @param {string} text */
  #takes(text) {
    const size = bytes(text);
    if (size <= TAKEN * this.most) return true;
    this.listeners.onLeftOut(size);
    return false;
  }

  /** Keys of the textarea: Ctrl+Enter runs the program, a new line is indented. @param {KeyboardEvent} event */
  #key(event) {
    if (event.key !== "Enter") return;
    if (event.ctrlKey || event.metaKey) {
      event.preventDefault();
      this.listeners.onRun();
      return;
    }
    if (event.shiftKey || event.altKey || event.isComposing) return;
    const before = this.area.value.slice(0, this.area.selectionStart).split("\n").pop() ?? "";
    const indent = (before.match(/^[ \t]*/)?.[0] ?? "") + (/:\s*$/.test(before) ? "    " : "");
    if (!indent) return;
    event.preventDefault();
    document.execCommand("insertText", false, `\n${indent}`); // the only way that preserves undo
  }
}

/** The size of a text as sent. @param {string} text */
const bytes = (text) => new TextEncoder().encode(text).length;

/** What is wrong, in words, without the preview of a recovery. @param {HTMLElement | null} problem */
function wordsOf(problem) {
  const parts = problem?.querySelectorAll(".message, .hint, .failure, .effects li") ?? [];
  return [...parts].map((part) => part.textContent?.trim().replace(/\s+/g, " ") ?? "").join(" ");
}
