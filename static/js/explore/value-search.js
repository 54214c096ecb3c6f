/** The search of Values by name, source text and number: a pure function of the trace, tried at each key press. */
import { full, inEquation, short } from "../common/numbers.js";

/** @typedef {import("./trace.js").Trace} Trace */
/** @typedef {{id: string, name: string, source: string, data: string, grad: string}} Found  what a row of the results shows */
/** @typedef {{found: Found, names: string[], source: string, numbers: string[]}} Entry */

const NUMBER = /^[-+]?(\d|\.\d|inf|nan)/;

/** Every Value, with the texts by which it is found: those of a step, and those of the last.
 * @param {Trace} trace @param {import("./grains.js").Step} step @returns {Entry[]} */
export function entries(trace, { frame, slot }) {
  return trace.nodes.map(({ id, label, name, data, grad }) => {
    const now = trace.shown(id, frame, slot);
    const last = trace.shown(id, trace.last);
    const source = trace.explain.sources[id] ?? name;
    const numbers = [data, now.grad, last.grad ?? grad].flatMap((x) => (x === null ? [] : [short(x), full(x)]));
    return {
      found: { id, name, source, data: inEquation(data), grad: grad === null ? "" : last.gradText },
      names: [name, label].map(plain), source: plain(source), numbers: numbers.map(plain),
    };
  });
}

/** The Values that a text finds: by the whole name, its start, the start of a number, a part of the name, of the source.
 * @param {Entry[]} all @param {string} text @returns {Found[]} */
export function search(all, text) {
  const wanted = plain(text.trim());
  if (!wanted) return [];
  const number = NUMBER.test(wanted) ? wanted.replace(/^\+/, "") : null;
  /** @type {((entry: Entry) => boolean)[]} */
  const ranks = [
    ({ names }) => names.includes(wanted),
    ({ names }) => names.some((name) => name.startsWith(wanted)),
    ({ numbers }) => number !== null && numbers.some((each) => each.startsWith(number)),
    ({ names }) => names.some((name) => name.includes(wanted)),
    ({ source }) => source.includes(wanted),
  ];
  const ranked = all.map((entry) => ({ entry, rank: ranks.findIndex((isSo) => isSo(entry)) })).filter(({ rank }) => rank >= 0);
  return ranked.sort((a, b) => a.rank - b.rank).map(({ entry }) => entry.found);
}

/** A text as it is compared: L₁ is l1, and a minus sign a hyphen. @param {string} text */
const plain = (text) => text.normalize("NFKC").toLowerCase().replaceAll("−", "-");
