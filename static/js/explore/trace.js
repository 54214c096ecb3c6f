/**
 * The trace from the server. Each frame has a list of changes, which are applied or looked up; nothing is
 * computed here.
 *
 * @typedef {[number, number, number, number]} Span  line, column, end line, end column; from 1, end exclusive
 * @typedef {{id: string, label: string, name: string, op: string | null, args: string[], data: number,
 *   grad: number | null, true_grad: number | null, span: Span | null, kind: string, key: string | null, group: string | null,
 *   caller?: Span}} Node  of a method of the program's class, `caller` is the expression outside of it
 * @typedef {{to: string, slot: number, partial: number, upstream: number, amount: number,
 *   before: number, after: number}} Contribution
 * @typedef {import("./grains.js").Step} Step
 * @typedef {import("./grains.js").Formula} Formula
 * @typedef {import("./grains.js").PictureSteps} PictureSteps
 * @typedef {{node: string, data?: number, data_text?: string, grad?: number, grad_text?: string, due?: Due | null}} Change
 * @typedef {{pass: "forward" | "backward", node: string, data: number, changes: Change[],
 *   sources?: string[], slots?: number[], given?: string[], contributions?: Contribution[], seed?: number | null,
 *   remarks?: string[], written?: Written}} Frame  sources and slots in frames of an op
 * @typedef {{before: number, after: number, adds: boolean, span: Span, due: number | null, right: boolean | null,
 *   user?: string, amount?: number | null, arithmetic?: string}} Written  a gradient that the program
 *   itself sets, and what it should have set; as a contribution, `amount` came from the op of `user`
 * @typedef {{kind: string, span: Span, node: string | null, written: number | null, due: number | null, message: string,
 *   why: string, cure: string, frame: number | null, fix: {span: Span, text: string} | null}} Mistake
 * @typedef {{id: number, kind: string, span: Span, title: string, data: number | string | null}} Scene
 * @typedef {{id: string, parent: string | null, kind: string, title: string, shape?: number[],
 *   cells?: (string | null)[], op?: string}} Group  shape, cells and op of an array
 * @typedef {Record<string, string>} ById
 * @typedef {string | [string, string]} Symbol  of a name: the last letter of a MathML element with its text, and its subscript
 * @typedef {[card: string, sentence: string, full: string]} Due  the right gradient of a wrong one, in three ways
 * @typedef {{tags: ById, terms: ById, owners: ById, sources: ById, symbols: Record<string, Symbol[]>,
 *   flags: Record<number, string[]>, digits: Record<number, Record<string, number>>, sentences: Record<string, string[]>,
 *   writes?: Record<number, Record<string, string | boolean>>, statements?: Record<string, string>,
 *   due: Record<number, Record<string, Due | null>>, broken: ById}} Explain
 *   names of Values by id, if different from the name, and the symbols of names; flags and further digits of frames; sentences
 *   on leaves, after the names of leaf and output; what writes have besides numbers, and their lines by span;
 *   the right gradients of wrong ones from a frame on; the texts of gradients that a broken rule makes wrong
 * @typedef {{at: number, data: number | null, grad: number | null, dataText: string, gradText: string, due: Due | null}} Shown
 *   the contents of a card from frame `at` on
 */
import { inEquation, minus, number } from "../common/numbers.js";
import { DEFAULT, firstFrom, NO_STEPS, placeOf, stepsBy } from "./grains.js";

/** @type {Shown} nothing is known yet */
const NOTHING = { at: -1, data: null, grad: null, dataText: "·", gradText: "·", due: null };
/** @type {Explain} */
const NO_MORE = { tags: {}, terms: {}, owners: {}, sources: {}, symbols: {}, flags: {}, digits: {}, sentences: {}, due: {}, broken: {} };

export class Trace {
  /** @param {string} json */
  constructor(json) {
    const plain = JSON.parse(json);
    /** @type {string} */ this.program = plain.program;
    /** @type {string} */ this.output = plain.output;
    /** @type {Node[]} */ this.nodes = plain.nodes;
    /** @type {Frame[]} */ this.frames = plain.frames;
    /** @type {Group[]} */ this.groups = plain.groups ?? [];
    /** @type {Scene[]} */ this.scenes = plain.scenes ?? [];
    /** The drawn scene's id; null for the last one, and without scenes.
     * @type {number | null} */ this.scene = plain.scene === this.scenes.at(-1)?.id ? null : plain.scene ?? null;
    /** @type {Explain} */ this.explain = plain.explain ?? NO_MORE;
    revive(this.nodes, this.frames);
    /** @type {Map<string, Node>} */ this.byId = new Map(this.nodes.map((node) => [node.id, node]));
    /** @type {string[]} */ this.lines = this.program.split("\n");
    this.last = this.frames.length - 1;
    /** The steps of the picture. */ this.known = NO_STEPS;
    /** @type {Map<string, Formula>} the closed formulas by their results */ this.folded = new Map();
    /** @type {Map<string, Group>} */ this.groupOf = new Map(this.groups.map((group) => [group.id, group]));
    this.grain = DEFAULT;
    /** @type {Step[]} */ this.steps = this.frames.map((_, at) => ({ frame: at, frames: [at], slot: null }));
    this.isWritten = this.frames.some((frame) => frame.written);
    const backward = this.frames.findIndex((frame) => frame.pass === "backward");
    this.firstBackward = backward < 0 ? this.frames.length : backward;
    /** @type {Map<string, Shown[]>} what each Value shows, by the frames that change it */
    this.history = new Map();
    this.frames.forEach((frame, at) => {
      for (const change of frame.changes) this.#apply(change, at);
      for (const [node, due] of Object.entries(this.explain.due[at] ?? {})) this.#apply({ node, due }, at);
    });
    /** @type {Mistake[]} */ this.mistakes = plain.mistakes ?? [];
    /** Whether each object ends with its true gradient. @type {Record<string, boolean | null> | undefined} */
    this.ends = plain.verdict?.ends;
    /** The gradients after a pass with a broken rule, and the first wrong one.
     * @type {{grads: Record<string, number | string>, first: string | null} | null} */
    this.broken = plain.broken ?? null;
    for (const [node, grad] of Object.entries(this.broken?.grads ?? {})) {
      this.#apply({ node, grad: number(grad), grad_text: this.explain.broken[node] }, this.last);
    }
  }

  /** @param {Change} change @param {number} at */
  #apply({ node, data, data_text: dataText, grad, grad_text: gradText, due }, at) {
    const list = this.history.get(node) ?? [NOTHING];
    if (list.length === 1) this.history.set(node, list);
    const next = { ...list[list.length - 1], at };
    if (data !== undefined) Object.assign(next, { data, dataText: minus(dataText ?? "") });
    if (grad !== undefined) Object.assign(next, { grad, gradText: minus(gradText ?? "") });
    if (due !== undefined) next.due = due;
    list.push(next);
  }

  /** Step through a picture. @param {PictureSteps} known its steps */
  take(known) {
    this.known = known;
    this.folded = new Map(known.formulas.map((formula) => [formula.result, formula]));
    this.stepBy(this.grain);
  }

  /** Step by another grain. @param {string} grain */
  stepBy(grain) {
    this.grain = grain;
    this.steps = stepsBy(this.frames, this.known, grain);
  }

  /** The closed formula whose result frame `at` is. @param {number} at */
  foldAt(at) {
    const { pass, given, node } = this.frames[at];
    return pass === "forward" && !given ? this.folded.get(node) : undefined;
  }

  /** The place among the steps of a frame, or of the next step after one inside a formula. @param {number} at */
  stepOf(at) {
    return firstFrom(this.steps, at);
  }

  /** Whether a step is one frame, and all of it. @param {Step} step */
  isWhole({ frames, slot }) {
    return frames.length === 1 && slot === null;
  }

  /** A step in words: its place among all. @param {Step} step */
  place(step) {
    return `${this.grain === DEFAULT ? "frame" : "step"} ${placeOf(this.steps, step) + 1} of ${this.steps.length}`;
  }

  /** Whether the program never writes the gradient of a Value. @param {string} id */
  isUnwritten(id) {
    return this.isWritten && this.shown(id, this.last).grad === null;
  }

  /** The contents of the card of `id` at frame `at`; with a slot, after its contributions up to that one.
   * @param {string} id @param {number} at @param {number | null} [slot] @returns {Shown} */
  shown(id, at, slot = null) {
    const parts = this.frames[at]?.contributions ?? [];
    if (slot !== null && parts.some((part) => part.slot > slot)) {
      const come = parts.findLast((part) => part.to === id && part.slot <= slot);
      const before = this.shown(id, at - 1);
      return come ? { ...before, at, grad: come.after, gradText: inEquation(come.after) } : before;
    }
    return this.history.get(id)?.findLast((shown) => shown.at <= at) ?? NOTHING;
  }

  /** The Values whose gradients a broken rule makes wrong in a frame: the last one. @param {number} at */
  brokenAt(at) {
    return at === this.last ? Object.keys(this.broken?.grads ?? {}) : [];
  }

  /** The Values highlighted in a frame: those that get a number, and its sources; with a slot, by that contribution.
   * @param {number} at @param {number | null} [slot] */
  lit(at, slot = null) {
    const { changes, sources = [], contributions = [] } = this.frames[at];
    const receivers = contributions.filter((part) => part.slot === slot).map(({ to }) => to);
    return { changed: slot === null ? changes.map((change) => change.node) : receivers, sources: this.foldAt(at)?.args ?? sources };
  }

  /** The Values whose numbers may differ between two frames. @param {number} from @param {number} to */
  changedBetween(from, to) {
    const [low, high] = from < to ? [from, to] : [to, from];
    if (high - low > this.nodes.length) return new Set(this.byId.keys());
    const changed = new Set(this.frames.slice(low + 1, high + 1).flatMap((frame) => frame.changes.map((change) => change.node)));
    for (let at = low + 1; at <= high; at += 1) for (const id of Object.keys(this.explain.due[at] ?? {})) changed.add(id);
    return changed;
  }

  /** The text that made a frame: the source of its Value, or the write to a gradient; null if it has none.
   * @param {number} at @returns {Span | null} */
  source(at) {
    const { written, given, node } = this.frames[at];
    return written?.span ?? (given ? null : this.origin(node));
  }

  /** The text that a Value comes from: the learner's expression, also where a method of a class computed it.
   * @param {string} id @returns {Span | null} */
  origin(id) {
    const node = this.byId.get(id);
    return node?.caller ?? node?.span ?? null;
  }

  /** The line of a class that computed what a frame shows, if the learner's expression called for it. @param {number} at
   * @returns {Span | null} */
  callee(at) {
    const { written, given, node } = this.frames[at];
    const found = written || given ? null : this.byId.get(node);
    return found?.caller ? found.span : null;
  }

  /** The display name of a Value: its label, else its number or its source. @param {string} id */
  name(id) {
    return this.byId.get(id)?.name ?? id;
  }

  /** The Values that use `id`. @param {string} id */
  users(id) {
    return this.nodes.filter((node) => node.args.includes(id)).map((node) => node.id);
  }

  /** Whether `other` is the same computation, up to numbers. @param {Trace} other */
  sameShape(other) {
    const isAlike = (/** @type {Node} */ { op, args }, /** @type {number} */ at) => {
      const { nodes } = other;
      return op === nodes[at].op && args.every((arg, slot) => arg === nodes[at].args[slot]);
    };
    return this.program === other.program && this.nodes.length === other.nodes.length &&
      this.frames.length === other.frames.length && this.nodes.every(isAlike);
  }
}

/** Convert "nan", "inf" and "-inf" to numbers. A loop: a reviver of JSON.parse takes five times as long
 * on a large trace. @param {Node[]} nodes @param {Frame[]} frames */
function revive(nodes, frames) {
  const all = ["partial", "upstream", "amount", "before", "after"];
  for (const node of nodes) finite(node, ["data", "grad", "true_grad"]);
  for (const frame of frames) {
    finite(frame, ["data"]);
    for (const change of frame.changes) finite(change, ["data", "grad"]);
    if (frame.written) finite(frame.written, ["before", "after", "due", "amount"]);
    for (const part of frame.contributions ?? []) finite(part, all);
  }
}

/** @param {Record<string, any>} entry @param {string[]} keys */
function finite(entry, keys) {
  for (const key of keys) if (typeof entry[key] === "string") entry[key] = number(entry[key]);
}
