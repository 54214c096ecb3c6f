/**
 * The trace that the server sent, and what is known at each of its frames.
 *
 * @typedef {[number, number, number, number]} Span  line, column, end line, end column; from 1, end exclusive
 * @typedef {{id: string, label: string, name: string, op: string | null, args: string[], data: number,
 *   grad: number | null, span: Span | null, kind: string, key: string | null, group: string | null}} Node
 * @typedef {{to: string, slot: number, partial: number, upstream: number, amount: number,
 *   before: number, after: number}} Contribution
 * @typedef {{pass: "forward" | "backward", node: string, data: number, given?: string[],
 *   contributions?: Contribution[], seed?: number | null, kink?: boolean, remarks?: string[]}} Frame
 * @typedef {{id: string, parent: string | null, kind: string, title: string}} Group
 */
import { number } from "../common/numbers.js";

export class Trace {
  /** @param {string} json */
  constructor(json) {
    const plain = JSON.parse(json);
    /** @type {string} */ this.program = plain.program;
    /** @type {string} */ this.output = plain.output;
    /** @type {Node[]} */ this.nodes = plain.nodes;
    /** @type {Frame[]} */ this.frames = plain.frames;
    /** @type {Group[]} */ this.groups = plain.groups ?? [];
    revive(this.nodes, this.frames);
    /** @type {Map<string, Node>} */ this.byId = new Map(this.nodes.map((node) => [node.id, node]));
    /** @type {string[]} */ this.lines = this.program.split("\n");
    this.last = this.frames.length - 1;
    const backward = this.frames.findIndex((frame) => frame.pass === "backward");
    this.firstBackward = backward < 0 ? this.frames.length : backward;
    /** @type {Map<string, number>} the frame from which on the data of a Value is known */
    this.knownAt = new Map();
    /** @type {Map<string, [number, number][]>} frames at which a gradient changed, and to what */
    this.gradients = new Map();
    /** @type {string[][]} the Values whose numbers change in each frame */
    this.touched = this.frames.map(() => []);
    this.#index();
  }

  #index() {
    this.frames.forEach((frame, at) => {
      if (frame.pass === "forward") {
        for (const id of frame.given ?? [frame.node]) this.#know(id, at);
      } else if (frame.seed != null) {
        this.#receive(frame.node, at, frame.seed);
      }
      for (const part of frame.contributions ?? []) this.#receive(part.to, at, part.after);
    });
    for (const node of this.nodes) {
      if (!this.knownAt.has(node.id)) this.#know(node.id, 0);
      // The output does not depend on it: nothing ever arrives, and in the end its gradient is 0.
      if (node.grad !== null && !this.gradients.has(node.id)) this.#receive(node.id, this.last, node.grad);
    }
  }

  /** @param {string} id @param {number} at */
  #know(id, at) {
    this.knownAt.set(id, at);
    this.touched[at].push(id);
  }

  /** @param {string} id @param {number} at @param {number} grad */
  #receive(id, at, grad) {
    const list = this.gradients.get(id);
    if (list) list.push([at, grad]);
    else this.gradients.set(id, [[at, grad]]);
    this.touched[at].push(id);
  }

  /** @param {string} id @param {number} at @returns {number | null} */
  dataAt(id, at) {
    return (this.knownAt.get(id) ?? 0) <= at ? this.byId.get(id)?.data ?? null : null;
  }

  /** The sum of what `id` has received up to frame `at`, or null. @param {string} id @param {number} at */
  gradAt(id, at) {
    let grad = null;
    for (const [frame, value] of this.gradients.get(id) ?? []) {
      if (frame > at) break;
      grad = value;
    }
    return grad;
  }

  /** The Values whose numbers differ between two frames. @param {number} from @param {number} to */
  changedBetween(from, to) {
    const [low, high] = from < to ? [from, to] : [to, from];
    if (high - low > this.nodes.length) return new Set(this.byId.keys());
    return new Set(this.touched.slice(low + 1, high + 1).flat());
  }

  /** What a Value is called: its label, else its number or the text that made it. @param {string} id */
  name(id) {
    return this.byId.get(id)?.name ?? id;
  }

  /** The text that made a Value, on one line, at most 40 characters. @param {string} id */
  source(id) {
    const span = this.byId.get(id)?.span;
    if (!span) return "";
    const [line, column, endLine, endColumn] = span;
    const taken = this.lines.slice(line - 1, endLine).map((text, at, all) => {
      const characters = Array.from(text);
      const end = at === all.length - 1 ? endColumn - 1 : characters.length;
      return characters.slice(at === 0 ? column - 1 : 0, end).join("");
    });
    const text = taken.join(" ").replace(/\s+/g, " ").trim();
    return Array.from(text).length > 40 ? `${Array.from(text).slice(0, 39).join("")}…` : text;
  }

  /** The Values that use `id`. @param {string} id */
  users(id) {
    return this.nodes.filter((node) => node.args.includes(id)).map((node) => node.id);
  }

  /** Whether `other` is the same computation with, at most, other numbers. @param {Trace} other */
  sameShape(other) {
    return this.program === other.program && this.nodes.length === other.nodes.length &&
      this.frames.length === other.frames.length;
  }
}

/** Turn "nan", "inf" and "-inf" into the numbers they stand for. A loop, as a reviver given to
 * JSON.parse takes five times as long on a large trace. @param {Node[]} nodes @param {Frame[]} frames */
function revive(nodes, frames) {
  for (const node of nodes) {
    if (typeof node.data === "string") node.data = number(node.data);
    if (typeof node.grad === "string") node.grad = number(node.grad);
  }
  for (const frame of frames) {
    if (typeof frame.data === "string") frame.data = number(frame.data);
    for (const part of frame.contributions ?? []) {
      for (const key of /** @type {const} */ (["partial", "upstream", "amount", "before", "after"])) {
        if (typeof part[key] === "string") part[key] = number(part[key]);
      }
    }
  }
}
