/** The verdict on the gradients that the program wrote: the bar above the page, its fix, the marks in the editor. */
import { at } from "../common/elements.js";

/** @typedef {import("./trace.js").Span} Span */
/** @typedef {import("./trace.js").Trace} Trace */
/** @typedef {import("./editor.js").Editor} Editor */
/** @typedef {{span: Span, text: string}} Fix */

const WANTED = "[data-fix], #verdict [data-frame], #verdict [data-line], #verdict [data-undo]";

export class Verdict {
  /** @param {Editor} editor @param {(frame: number) => void} onFrame called with the frame of a write */
  constructor(editor, onFrame) {
    this.editor = editor;
    this.onFrame = onFrame;
    /** How the last fix is taken back, the text that it made, and where. @type {{undo: () => void, text: string, from: number} | null} */
    this.fixed = null;
    /** The span of the first mistake, which the verdict speaks of. @type {Span | null} */ this.first = null;
    /** The program whose mistake was scrolled to. */ this.revealed = "";
    this.isPasted = false;
    document.addEventListener("click", (event) => this.#click(event));
    editor.area.addEventListener("input", (event) => {
      this.isPasted = /^insertFrom/.test(/** @type {InputEvent} */ (event).inputType ?? "");
    });
  }

  /** After a new result. @param {Trace} trace @param {boolean} [isAsked] whether a frame was asked for, whose line is in sight */
  load(trace, isAsked = false) {
    this.#mark(trace);
    this.#offerUndo();
    const isNew = this.revealed !== trace.program;
    this.revealed = trace.program;
    if (!isNew || isAsked) return;
    if (this.fixed?.text === trace.program) this.editor.showLine(this.fixed.from);
    else if (this.isPasted || !this.editor.hasFocus) this.#reveal();
  }

  /** Mark the lines that a failure comes from, where they are not its own. @param {HTMLElement | null} report */
  refuse(report) {
    const { text } = this.editor;
    const hints = /** @type {HTMLElement[]} */ ([...(report?.querySelectorAll("[data-span]") ?? [])]);
    if (!report || !hints.length) return;
    const found = hints.map((hint) => ({
      span: /** @type {Span} */ (String(hint.dataset.span).split(" ").map(Number)), message: (hint.querySelector(".why") ?? hint).textContent?.trim() ?? "",
    }));
    this.first = found[0].span;
    const elsewhere = found.filter(({ span }) => span[0] !== Number(report.dataset.line));
    this.editor.whenLoaded((code) => {
      if (this.editor.text !== text) return;
      this.editor.setDiagnostics(elsewhere.map(({ span, message }) => ({ ...code.rangeOf(span), severity: "mistake", message })));
    });
  }

  /** After new numbers of the same graph, which bring their own verdict. @param {Trace} trace */
  renew(trace) {
    const next = /** @type {HTMLTemplateElement | null} */ (document.getElementById("verdict-next"));
    at("verdict").replaceChildren(...(next ? [next.content.cloneNode(true)] : []));
    this.#mark(trace);
    this.#offerUndo();
  }

  /** Scroll the editor to the line of the first mistake; what is typed next scrolls back. */
  #reveal() {
    const { editor, first } = this;
    if (first) editor.whenLoaded((code) => first === this.first && code.showLine(code.rangeOf(first).from));
  }

  /** Mark the mistakes in the editor, unless its text has changed since. @param {Trace} trace */
  #mark(trace) {
    this.first = null;
    if (this.editor.text !== trace.program) return;
    this.first = trace.mistakes[0]?.span ?? null;
    this.editor.whenLoaded((code) => {
      if (this.editor.text !== trace.program) return;
      const list = trace.mistakes.map(({ span, why: message, fix }) => {
        const change = fix && { ...code.rangeOf(fix.span), insert: fix.text };
        return { ...code.rangeOf(span), severity: /** @type {const} */ ("mistake"), message, fix: change ?? undefined };
      });
      this.editor.setDiagnostics(list);
    });
  }

  /** @param {Event} event */
  #click(event) {
    const target = event.target instanceof Element ? event.target.closest(WANTED) : null;
    if (!(target instanceof HTMLElement)) return;
    event.preventDefault();
    const { frame, line, fix } = target.dataset;
    if (fix !== undefined) return this.#apply(JSON.parse(fix));
    if (frame !== undefined || line !== undefined) return this.#go(frame);
    this.fixed?.undo();
    this.fixed = null;
  }

  /** To the frame of the first mistake, if it has one, and to its line. @param {string} [frame] */
  #go(frame) {
    if (frame !== undefined) this.onFrame(Number(frame));
    else at("program-panel").setAttribute("open", "");
    this.#reveal();
  }

  /** @param {Fix} fix */
  #apply(fix) {
    const { editor } = this;
    const before = editor.text;
    const { code } = editor;
    const range = code?.rangeOf(fix.span);
    const applied = range ? editor.apply({ ...range, insert: fix.text }) : null;
    if (!applied) editor.replace(fixed(before, fix));
    this.fixed = { undo: () => (applied ? applied.undo() : editor.replace(before)), text: editor.text, from: range?.from ?? 0 };
  }

  /** A button that takes the fix back, as long as nothing else was typed. */
  #offerUndo() {
    if (this.fixed?.text !== this.editor.text) return;
    const bar = at("verdict").querySelector(".verdict");
    if (!bar || bar.querySelector("[data-undo]")) return;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "button undo";
    button.dataset.undo = "";
    button.textContent = "Undo fix";
    bar.append(button);
  }
}

/** The text with the fix; columns count characters, as on the server.
 * @param {string} text @param {Fix} fix */
export function fixed(text, { span: [line, column, endLine, endColumn], text: put }) {
  const lines = text.split("\n");
  const before = [...lines.slice(0, line - 1), [...lines[line - 1]].slice(0, column - 1).join("")].join("\n");
  const after = [[...lines[endLine - 1]].slice(endColumn - 1).join(""), ...lines.slice(endLine)].join("\n");
  return before + put + after;
}
