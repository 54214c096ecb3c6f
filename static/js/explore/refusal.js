/** The error report of an invalid program, delayed while the visitor is typing. */

import { at } from "../common/elements.js";

/** @typedef {import("./editor.js").Editor} Editor */
/** @typedef {import("./problem.js").Problem} Problem */

const CALM = 800; // milliseconds without typing before an error is shown

export class Refusal {
  /** @param {Editor} editor @param {Problem} problem @param {() => void} onShow */
  constructor(editor, problem, onShow) {
    this.editor = editor;
    this.problem = problem;
    this.onShow = onShow;
    /** @type {string | null} the last invalid text */ this.text = null;
    /** Whether a report is pending until typing stops. */ this.isWaiting = false;
    this.isDue = true; // show reports at once: nothing is being typed
    this.typedAt = -Infinity;
    /** @type {number | undefined} */ this.timer = undefined;
    editor.area.addEventListener("input", (event) => this.#typed(/** @type {InputEvent} */ (event)));
    editor.whenLeft(() => this.hurry());
  }

  /** Whether the text in the editor is known to be invalid. */
  get isCurrent() {
    return this.editor.text === this.text;
  }

  /** Whether the report is shown. */
  get isShown() {
    return this.isCurrent && !this.isWaiting;
  }

  /** Mark the error that the page was loaded with. */
  begin() {
    const { report } = this.problem;
    if (!report) return;
    this.text = this.editor.text;
    this.editor.refuse(spanOf(report), wordsOf(report), true);
  }

  /** The server refused a program. @param {string} program */
  take(program) {
    if (this.editor.text !== program) return; // an answer to an older text
    this.text = program;
    this.isWaiting = true;
    clearTimeout(this.timer);
    if (this.isDue) this.#show();
    else this.timer = window.setTimeout(() => this.#show(), Math.max(0, this.typedAt + CALM - performance.now()));
  }

  /** Reject a text that is too long, without a request. */
  takeTooLong() {
    const { editor } = this;
    this.drop();
    this.text = editor.text;
    editor.invalidate();
    this.problem.showText(`The program has ${inBytes(editor.most + editor.excess)}; the limit is ${editor.most.toLocaleString("en")}. Shorten it, or write a loop instead of repeated lines.`);
    this.onShow();
  }

  /** Report a rejected paste. @param {number} size in bytes */
  leaveOut(size) {
    this.problem.showText(`The pasted text has ${inBytes(size)}; the limit is ${this.editor.most.toLocaleString("en")}. Your program is unchanged.`);
  }

  /** Typing has stopped: show the report now, or when it arrives. */
  hurry() {
    this.isDue = true;
    if (this.isWaiting) this.#show();
  }

  /** Drop a pending report. */
  drop() {
    clearTimeout(this.timer);
    this.isWaiting = false;
  }

  /** Allow the text to be sent again. */
  forget() {
    this.text = null;
  }

  /** The text is valid and drawn. */
  settle() {
    this.forget();
    this.drop();
    this.problem.clear();
  }

  /** Show another text, about which nothing is known yet. @param {string} text */
  replace(text) {
    this.settle();
    this.editor.text = text;
  }

  /** @param {InputEvent} event */
  #typed(event) {
    this.drop();
    this.typedAt = performance.now();
    this.isDue = /^insertFrom/.test(event.inputType ?? ""); // pasted or dropped
  }

  /** Show the report; the picture of the last valid program stays. */
  #show() {
    this.drop();
    const report = /** @type {HTMLElement | null} */ (document.querySelector("#refusal .report"));
    if (report) {
      this.problem.show(report);
      this.editor.refuse(spanOf(report), wordsOf(report), this.isDue);
    }
    const outcome = document.querySelector("#refusal .outcome");
    if (outcome) at("output").replaceChildren(outcome); // what it printed, and its traceback
    this.onShow();
  }
}

/** @param {number} size */
const inBytes = (size) => `${size.toLocaleString("en")} bytes`;

/** @param {HTMLElement} report @returns {import("./trace.js").Span} */
function spanOf(report) {
  const { line, column, endLine, endColumn } = report.dataset;
  return [Number(line), Number(column), Number(endLine ?? line), Number(endColumn ?? Number(column) + 1)];
}

/** @param {HTMLElement} report */
const wordsOf = (report) => (report.querySelector(".message") ?? report).textContent?.trim().replace(/\s+/g, " ") ?? "";
