/** Operations opened in place: the signs on their discs, the crosses of their frames, the buttons beside the picture. */

import { expanded } from "./moves.js";

/** @typedef {import("./tools.js").Bench} Bench */
/** @typedef {import("./trace.js").Trace} Trace */
/** @typedef {import("./trace.js").Frame} Frame */

const CONTROL = "[data-expand]";
const INNER = /x[^x]*$/; // after the id of a Value, in those inside its op

export class Expansions {
  /** @param {Bench} bench */
  constructor({ stage, player, onShape }) {
    this.stage = stage;
    this.player = player;
    this.onShape = onShape;
    /** @type {Set<string>} the Values whose ops are open */ this.open = new Set();
    /** @type {Frame | null} the current frame; null for the last one */ this.frame = null;
    /** @type {{frame: Frame | null, focus: string} | null} what the next result is to show */ this.next = null;
    document.addEventListener("click", (event) => this.#act(event), { capture: true });
    document.addEventListener("keydown", (event) => {
      const isKey = event.key === "Enter" || event.key === " ";
      if (isKey && event.target instanceof SVGElement) this.#act(event);
    }, { capture: true });
  }

  /** The ids of the open ones, as in the address. */
  get text() {
    return [...this.open].join() || null;
  }

  /** @param {string | null} text of an address */
  take(text) {
    this.open = new Set(text?.split(",") ?? []);
  }

  /** After a new result: the same moment of the pass, in which the frames may have other numbers. @param {Trace | null} trace */
  load(trace) {
    const { next } = this;
    this.next = null;
    if (!next || !trace) return;
    queueMicrotask(() => {
      const found = next.frame && placeOf(next.frame, trace);
      if (found !== null && found >= 0) this.player.jump(found);
      /** @type {SVGElement | null} */ (document.querySelector(next.focus))?.focus({ preventScroll: true });
    });
  }

  /** @param {Trace} trace @param {number} k */
  show(trace, k) {
    this.frame = k === trace.last ? null : trace.frames[k];
  }

  /** @param {MouseEvent | KeyboardEvent} event */
  #act(event) {
    const control = event.target instanceof Element ? event.target.closest(CONTROL) : null;
    if (!control || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    event.stopPropagation();
    const id = control.getAttribute("data-expand") ?? "";
    const room = ["#picture", "#lenses", ".card-op"].find((name) => control.closest(name)) ?? "";
    this.next = { frame: this.frame, focus: `${room} [data-expand="${CSS.escape(id)}"]` };
    this.stage.turn(expanded(id), room === "#picture" && event instanceof MouseEvent ? event : null);
    this.#turn(id);
  }

  /** @param {string} id */
  #turn(id) {
    if (!this.open.delete(id)) this.open.add(id);
    else for (const other of this.open) if (other.startsWith(`${id}x`)) this.open.delete(other);
    this.onShape();
  }
}

/** The place of a frame in another trace; of one inside an op that is closed there, that of its Value.
 * @param {Frame} frame @param {Trace} trace @returns {number} */
function placeOf(frame, trace) {
  let { node } = frame;
  while (!trace.byId.has(node) && INNER.test(node)) node = node.replace(INNER, "");
  const isGiven = Boolean(frame.given);
  const isSeed = frame.seed != null;
  return trace.frames.findIndex((other) =>
    other.pass === frame.pass && other.node === node && Boolean(other.given) === isGiven && (other.seed != null) === isSeed);
}
