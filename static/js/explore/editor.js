/** The editor: a plain textarea over a mirror that shows syntax colours, marks and line numbers. */

/** @typedef {import("./trace.js").Span} Span */
/** @typedef {{span: Span, look: string}} Mark */

const TOKENS = /(#.*)|("(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?)|\b(and|as|assert|break|class|continue|def|del|elif|else|except|False|finally|for|from|global|if|import|in|is|lambda|None|nonlocal|not|or|pass|print|raise|range|return|True|try|while|with|yield)\b|(?<![\w.])(\d[\d_]*\.?\d*(?:[eE][+-]?\d+)?|\.\d+)/g;
const LOOKS = ["comment", "text", "word", "number"];
const ROWS = [3, 18];
const MARKED = 4000; // maximum lines that are highlighted; more would slow down typing
const TAKEN = 4; // maximum size of a paste, in programs of the maximum size; more would block the browser

export class Editor {
  /** @param {HTMLElement} root @param {(size: number) => void} onLeftOut called with the bytes of a rejected paste
   * @param {() => void} onRun at Ctrl+Enter */
  constructor(root, onLeftOut, onRun) {
    this.onRun = onRun;
    this.root = root;
    this.area = /** @type {HTMLTextAreaElement} */ (root.querySelector("textarea"));
    this.mirror = /** @type {HTMLElement} */ (root.querySelector(".mirror"));
    this.gutter = document.createElement("div");
    this.gutter.className = "gutter-lines";
    root.querySelector(".gutter")?.replaceChildren(this.gutter);
    /** The server's limit on the size of a program in bytes. */ this.most = Number(this.area.dataset.mostBytes) || Infinity;
    /** @type {string[]} the highlighted lines */ this.lines = [];
    /** @type {Mark | null} the frame's or the chosen Value's span */ this.mark = null;
    /** @type {Mark | null} */ this.error = null;
    this.revealing = 0;
    this.area.addEventListener("input", () => this.typed());
    this.area.addEventListener("beforeinput", (event) => {
      const size = event.data && event.data.length > this.most ? bytes(event.data) : 0;
      if (size <= TAKEN * this.most) return;
      event.preventDefault();
      onLeftOut(size);
    });
    this.area.addEventListener("scroll", () => this.#scroll());
    this.area.addEventListener("keydown", (event) => this.#key(event));
    this.draw();
  }

  get text() {
    return this.area.value;
  }

  set text(text) {
    if (this.area.value !== text) this.area.value = text;
    this.typed();
  }

  /** Replace the text as if typed: it can be undone. @param {string} text */
  replace(text) {
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
    this.draw();
  }

  /** Bytes of the text beyond the server's limit, 0 if within it. */
  get excess() {
    const { text } = this;
    const size = text.length * 3 > this.most ? bytes(text) : 0;
    return Math.max(0, size - this.most);
  }

  draw() {
    const lines = this.area.value.split("\n");
    const isPlain = lines.length > MARKED || this.excess > 0;
    this.root.toggleAttribute("data-plain", isPlain);
    this.lines = isPlain ? [] : lines;
    this.root.style.setProperty("--digits", String(String(lines.length).length));
    this.area.rows = Math.min(Math.max(lines.length, ROWS[0]), ROWS[1]);
    this.mirror.replaceChildren(...this.lines.map(() => document.createElement("div")));
    this.gutter.replaceChildren(...this.lines.map((_, at) => {
      const number = document.createElement("div");
      number.textContent = String(at + 1);
      return number;
    }));
    this.lines.forEach((_, at) => this.#line(at));
    this.#scroll();
  }

  /** Mark the source of a Value; null removes the mark. @param {Mark | null} mark */
  show(mark) {
    const old = this.#shown();
    this.mark = mark;
    this.#redraw(old, this.#shown());
  }

  /** Underline an error. @param {Span} span @param {boolean} [reveal] scroll it into view */
  refuse(span, reveal = false) {
    const old = this.#shown();
    this.error = { span, look: "error" };
    this.area.setAttribute("aria-invalid", "true");
    this.#redraw(old, this.error);
    if (reveal) this.#reveal(span[0]);
  }

  #shown() {
    return this.error ?? this.mark;
  }

  /** @param {Mark | null} old @param {Mark | null} now */
  #redraw(old, now) {
    const touched = new Set();
    for (const mark of [old, now]) {
      for (let line = mark?.span[0] ?? 1; line <= (mark?.span[2] ?? 0); line += 1) touched.add(line - 1);
    }
    for (const at of touched) if (at < this.lines.length) this.#line(at);
    if (now && !this.error && document.activeElement !== this.area) this.#reveal(now.span[0]);
  }

  /** @param {number} at index of a line */
  #line(at) {
    const text = this.lines[at];
    const mark = this.#shown();
    const inMark = mark !== null && at + 1 >= mark.span[0] && at + 1 <= mark.span[2];
    const number = this.gutter.children[at];
    number.className = inMark && mark.look !== "error" ? `on ${mark.look}` : "";
    const row = this.mirror.children[at];
    row.replaceChildren();
    const [start, end] = inMark ? place(text, at + 1, mark) : [0, 0];
    paint(row, text, 0, start);
    if (inMark) {
      const part = document.createElement("mark");
      part.className = mark.look;
      paint(part, text, start, end);
      if (start === end) part.append(" ");
      row.append(part);
    }
    paint(row, text, end, text.length);
    row.append("\n");
  }

  /** Scroll the marked line into view, above the message at the bottom. @param {number} line */
  #reveal(line) {
    cancelAnimationFrame(this.revealing);
    this.revealing = requestAnimationFrame(() => {
      const row = /** @type {HTMLElement | undefined} */ (this.mirror.children[line - 1]);
      if (!row) return;
      const { scrollTop, clientHeight } = this.area;
      const message = this.error ? Number.parseFloat(getComputedStyle(this.area).paddingBottom) : 0;
      const height = clientHeight - message;
      if (row.offsetTop < scrollTop || row.offsetTop + row.offsetHeight > scrollTop + height) {
        this.area.scrollTop = row.offsetTop - height / 2;
      }
    });
  }

  #scroll() {
    const { scrollLeft, scrollTop } = this.area;
    this.mirror.style.transform = `translate(${-scrollLeft}px, ${-scrollTop}px)`;
    this.gutter.style.transform = `translateY(${-scrollTop}px)`;
  }

  /** Auto-indent new lines; Ctrl+Enter runs the program. Tab still leaves the field.
   * @param {KeyboardEvent} event */
  #key(event) {
    if (event.key !== "Enter") return;
    if (event.ctrlKey || event.metaKey) {
      event.preventDefault();
      this.onRun();
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

/** The range of line number `line` that a mark covers, as indices into its text.
 * @param {string} text @param {number} line @param {Mark} mark @returns {[number, number]} */
function place(text, line, mark) {
  const [first, column, last, endColumn] = mark.span;
  const start = line === first ? index(text, column - 1) : text.length - text.trimStart().length;
  const end = line === last ? index(text, endColumn - 1) : text.length;
  return [Math.min(start, text.length), Math.max(Math.min(end, text.length), Math.min(start, text.length))];
}

/** The UTF-16 index of code point number `count`. @param {string} text @param {number} count */
function index(text, count) {
  return /[\ud800-\udfff]/.test(text) ? Array.from(text).slice(0, count).join("").length : count;
}

/** @param {Element} target @param {string} text @param {number} start @param {number} end */
function paint(target, text, start, end) {
  let at = start;
  for (const match of text.matchAll(TOKENS)) {
    const [from, to] = [Math.max(match.index, start), Math.min(match.index + match[0].length, end)];
    if (from >= to) continue;
    if (from > at) target.append(text.slice(at, from));
    const piece = document.createElement("span");
    piece.className = LOOKS[match.slice(1).findIndex((group) => group !== undefined)];
    piece.textContent = text.slice(from, to);
    target.append(piece);
    at = to;
  }
  if (end > at) target.append(text.slice(at, end));
}
