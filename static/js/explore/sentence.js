/** "If a grows by 0.01, L grows by about 0.06": the derivative by one leaf as a sentence. */

/** @typedef {import("./trace.js").Trace} Trace */

const NUDGE = 0.01;

export class Sentence {
  constructor() {
    /** @type {string | null} the leaf that the visitor changed last */ this.touched = null;
  }

  /** Describe this leaf from now on. @param {string} key */
  touch(key) {
    this.touched = key;
  }

  /** @param {Trace} trace */
  speak(trace) {
    document.getElementById("sentence")?.replaceChildren(...this.#words(trace));
  }

  /** @param {Trace} trace @returns {(string | HTMLElement)[]} [] without a known derivative */
  #words(trace) {
    const node = this.#subject(trace);
    const slope = node ? trace.slope(node) : null;
    if (!node || slope === null) return [];
    const step = nudge(node.data);
    const change = slope * step;
    if (!Number.isFinite(change) || !Number.isFinite(trace.byId.get(trace.output)?.data ?? NaN)) return [];
    const [name, output] = [strong(node.label || node.key || ""), strong(trace.name(trace.output))];
    if (change === 0) return ["If ", name, ` grows by ${step}, `, output, " does not change to first order."];
    const amount = String(Number(Math.abs(change).toPrecision(3)));
    return ["If ", name, ` grows by ${step}, `, output, ` ${change < 0 ? "falls" : "grows"} by about ${amount}.`];
  }

  /** The leaf changed last, or else the first with a gradient. @param {Trace} trace */
  #subject({ nodes }) {
    return nodes.find(({ key }) => key !== null && key === this.touched) ??
      nodes.find(({ key, grad }) => key !== null && grad !== null);
  }
}

/** A step that is small relative to `x`. @param {number} x */
function nudge(x) {
  const size = Math.abs(x);
  return size === 0 || size >= 1 ? NUDGE : Number((size * NUDGE).toPrecision(1));
}

/** @param {string} text */
const strong = (text) => Object.assign(document.createElement("b"), { textContent: text });
