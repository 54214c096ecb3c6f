/** A program that is refused: its report is shown once nobody is in the middle of a line. */

/** @typedef {import("./editor.js").Editor} Editor */
/** @typedef {import("./problem.js").Problem} Problem */

const CALM = 800; // milliseconds without typing after which half a line may be called wrong

export class Refusal {
  /** @param {Editor} editor @param {Problem} problem @param {() => void} onShow */
  constructor(editor, problem, onShow) {
    this.editor = editor;
    this.problem = problem;
    this.onShow = onShow;
    /** @type {string | null} the text that was refused last */ this.text = null;
    /** Whether the report waits for the end of the typing. */ this.isWaiting = false;
    this.isDue = true; // at once: nobody is in the middle of a line
    this.typedAt = -Infinity;
    /** @type {number | undefined} */ this.timer = undefined;
    editor.area.addEventListener("input", (event) => this.#typed(/** @type {InputEvent} */ (event)));
    editor.area.addEventListener("blur", () => this.hurry());
  }

  /** Whether the text in the editor is known to be wrong. */
  get isCurrent() {
    return this.editor.text === this.text;
  }

  /** Whether the visitor was told so. */
  get isShown() {
    return this.isCurrent && !this.isWaiting;
  }

  /** The page came with a report: mark its place in the text. */
  begin() {
    const { report } = this.problem;
    if (!report) return;
    this.text = this.editor.text;
    this.editor.refuse(spanOf(report), true);
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

  /** A text that is too long is refused without the server. */
  takeTooLong() {
    const { editor } = this;
    this.drop();
    this.text = editor.text;
    editor.area.setAttribute("aria-invalid", "true");
    this.problem.say(`The program has ${inBytes(editor.most + editor.excess)}; at most ${editor.most.toLocaleString("en")} are read. Shorten it, or write a loop instead of repeated lines.`);
    this.onShow();
  }

  /** What was pasted is left out. @param {number} size in bytes */
  leaveOut(size) {
    this.problem.say(`What you pasted has ${inBytes(size)}; at most ${this.editor.most.toLocaleString("en")} are read. Your text is as it was.`);
  }

  /** The typing has come to an end: the report may be shown, now or as soon as it comes. */
  hurry() {
    this.isDue = true;
    if (this.isWaiting) this.#show();
  }

  /** A report that waits is not shown any more. */
  drop() {
    clearTimeout(this.timer);
    this.isWaiting = false;
  }

  /** The text may be sent again. */
  forget() {
    this.text = null;
  }

  /** The text is drawn: nothing is wrong with it. */
  settle() {
    this.forget();
    this.drop();
    this.problem.clear();
  }

  /** @param {InputEvent} event */
  #typed(event) {
    this.drop();
    this.typedAt = performance.now();
    this.isDue = /^insertFrom/.test(event.inputType ?? ""); // pasted or dropped
  }

  /** The picture of the last right program stays. */
  #show() {
    this.drop();
    const report = /** @type {HTMLElement | null} */ (document.querySelector("#refusal .report"));
    if (report) {
      this.problem.show(report);
      this.editor.refuse(spanOf(report), this.isDue);
    }
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
