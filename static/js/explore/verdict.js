/** The verdict on the gradients that the program wrote: the bar above the page, its mend, the marks in the editor. */
import { at } from "../common/elements.js";

/** @typedef {import("./trace.js").Span} Span */
/** @typedef {import("./trace.js").Trace} Trace */
/** @typedef {import("./editor.js").Editor} Editor */
/** @typedef {{span: Span, text: string}} Mend */

const WANTED = "[data-mend], #verdict [data-frame], #verdict [data-line], #verdict [data-undo]";

export class Verdict {
  /** @param {Editor} editor @param {(frame: number) => void} onFrame called with the frame of a write */
  constructor(editor, onFrame) {
    this.editor = editor;
    this.onFrame = onFrame;
    /** How the last mend is taken back, the text that it made, and where. @type {{undo: () => void, text: string, from: number} | null} */
    this.mended = null;
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
    if (this.mended?.text === trace.program) this.editor.showLine(this.mended.from);
    else if (this.isPasted || !this.editor.hasFocus) this.#reveal();
  }

  /** Mark the lines that a failure comes from, where they are not its own. @param {HTMLElement | null} report */
  refuse(report) {
    const { text } = this.editor;
    const hints = /** @type {HTMLElement[]} */ ([...(report?.querySelectorAll("[data-span]") ?? [])]);
    if (!report || !hints.length) return;
    const found = hints.map((hint) => ({
      span: /** @type {Span} */ (String(hint.dataset.span).split(" ").map(Number)), message: hint.textContent?.trim() ?? "",
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
      const list = trace.mistakes.map(({ span, why: message, mend }) => {
        const change = mend && { ...code.rangeOf(mend.span), insert: mend.text };
        return { ...code.rangeOf(span), severity: /** @type {const} */ ("mistake"), message, mend: change ?? undefined };
      });
      this.editor.setDiagnostics(list);
    });
  }

  /** @param {Event} event */
  #click(event) {
    const target = event.target instanceof Element ? event.target.closest(WANTED) : null;
    if (!(target instanceof HTMLElement)) return;
    event.preventDefault();
    const { frame, line, mend } = target.dataset;
    if (mend !== undefined) return this.#apply(JSON.parse(mend));
    if (frame !== undefined || line !== undefined) return this.#go(frame);
    this.mended?.undo();
    this.mended = null;
  }

  /** To the frame of the first mistake, if it has one, and to its line. @param {string} [frame] */
  #go(frame) {
    if (frame !== undefined) this.onFrame(Number(frame));
    else at("program-panel").setAttribute("open", "");
    this.#reveal();
  }

  /** @param {Mend} mend */
  #apply(mend) {
    const { editor } = this;
    const before = editor.text;
    const { code } = editor;
    const range = code?.rangeOf(mend.span);
    const applied = range ? editor.apply({ ...range, insert: mend.text }) : null;
    if (!applied) editor.replace(mended(before, mend));
    this.mended = { undo: () => (applied ? applied.undo() : editor.replace(before)), text: editor.text, from: range?.from ?? 0 };
  }

  /** A button that takes the mend back, as long as nothing else was typed. */
  #offerUndo() {
    if (this.mended?.text !== this.editor.text) return;
    const bar = at("verdict").querySelector(".verdict");
    if (!bar || bar.querySelector("[data-undo]")) return;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "button undo";
    button.dataset.undo = "";
    button.textContent = "Undo the mend";
    bar.append(button);
  }
}

/** The text with the mend; columns count characters, as on the server.
 * @param {string} text @param {Mend} mend */
export function mended(text, { span: [line, column, endLine, endColumn], text: put }) {
  const lines = text.split("\n");
  const before = [...lines.slice(0, line - 1), [...lines[line - 1]].slice(0, column - 1).join("")].join("\n");
  const after = [[...lines[endLine - 1]].slice(endColumn - 1).join(""), ...lines.slice(endLine)].join("\n");
  return before + put + after;
}
