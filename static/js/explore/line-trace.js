/** The trace by lines of the program: which frames a line has, and its numbers at a frame. */
import { at } from "../common/elements.js";

/** @typedef {import("./trace.js").Trace} Trace */
/** @typedef {import("../editor/frames.js").LineValues} LineValues */

const KEY = "seegrad.line-values";

export class LineTrace {
  /** @param {import("./editor.js").Editor} editor @param {import("./timeline.js").Player} player
   * @param {(words: string) => void} announce */
  constructor(editor, player, announce) {
    this.editor = editor;
    this.player = player;
    this.announce = announce;
    /** @type {Trace | null} */ this.trace = null;
    /** @type {Map<number, number[]>} the frames of each line */ this.frames = new Map();
    this.button = at("line-values");
    this.#press(read());
    this.button.addEventListener("click", () => {
      this.#press(!this.isOn);
      write(this.isOn);
      this.show();
    });
    editor.whenLoaded(() => this.#offer());
  }

  get isOn() {
    return this.button.getAttribute("aria-pressed") === "true";
  }

  /** @param {boolean} isOn */
  #press(isOn) {
    this.button.setAttribute("aria-pressed", String(isOn));
  }

  /** @param {Trace | null} trace null where nothing is drawn */
  load(trace) {
    this.trace = trace;
    this.frames = new Map();
    for (let frame = 0; frame < (trace?.frames.length ?? 0); frame += 1) {
      for (const line of trace ? linesOf(trace, frame) : []) {
        const there = this.frames.get(line);
        if (there) there.push(frame);
        else this.frames.set(line, [frame]);
      }
    }
    this.#offer();
  }

  #offer() {
    const lines = this.#isCurrent ? [...this.frames.keys()].sort((a, b) => a - b) : [];
    this.editor.code?.offerFrames(lines);
    this.show();
  }

  /** The text is that of the picture again, or no longer. */
  renew() {
    this.#offer();
  }

  get #isCurrent() {
    return this.trace !== null && this.editor.text === this.trace.program;
  }

  /** Show the numbers of the current frame, if they are wanted. */
  show() {
    const { trace } = this;
    this.editor.code?.showValues(trace && this.isOn && this.#isCurrent ? valuesAt(trace, this.player.at, this.player.step.slot) : new Map());
  }

  /** Go to the first frame of a line; from one of its frames, to the next or the one before, around the end.
   * @param {number} line @param {1 | -1} by */
  go(line, by) {
    if (!this.#isCurrent) return this.announce("The picture belongs to an earlier text.");
    const there = this.frames.get(line);
    if (!there) return this.announce(`Line ${line} has no frame.`);
    const place = there.indexOf(this.player.at);
    const next = place < 0 ? (by > 0 ? 0 : -1) : place + by;
    this.player.jump(/** @type {number} */ (there.at(next % there.length)));
  }
}

/** The lines that a frame belongs to: those of its source, or of the Values that are given at first.
 * @param {Trace} trace @param {number} frame @returns {Set<number>} */
export function linesOf(trace, frame) {
  const { given } = trace.frames[frame];
  const spans = given ? given.map((id) => trace.origin(id)) : [trace.source(frame), trace.callee(frame)];
  const found = /** @type {Set<number>} */ (new Set());
  for (const span of spans) for (let line = span?.[0] ?? 1; line <= (span?.[2] ?? 0); line += 1) found.add(line);
  return found;
}

/** Data and gradient of the Value that each line computed last before or in frame `k`; none before the first.
 * @param {Trace} trace @param {number} k @param {number | null} [slot] of its last contribution @returns {LineValues} */
export function valuesAt(trace, k, slot = null) {
  const found = /** @type {LineValues} */ (new Map());
  const steps = Math.min(k + 1, trace.firstBackward);
  const latest = /** @type {Map<number, import("./trace.js").Node>} */ (new Map());
  for (const node of trace.nodes) if (node.span && node.op === null) latest.set(node.span[2], node);
  for (const { node: id, given } of trace.frames.slice(0, steps)) {
    const node = given ? undefined : trace.byId.get(id);
    if (node?.span) latest.set(node.span[2], node);
  }
  for (const [line, { id, grad }] of latest) {
    const shown = trace.shown(id, k, slot);
    if (shown.data !== null) found.set(line, { data: shown.dataText, grad: grad === null ? null : shown.gradText });
  }
  return found;
}

function read() {
  try {
    return localStorage.getItem(KEY) === "1";
  } catch {
    return false;
  }
}

/** @param {boolean} isOn */
function write(isOn) {
  try {
    localStorage.setItem(KEY, isOn ? "1" : "0");
  } catch {
    // Without storage, the choice lasts as long as the page.
  }
}
