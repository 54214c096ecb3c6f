/**
 * Breakpoints: the steps at which playing pauses.
 *
 * A stop is a text, as in the address: `line:4` is reached when the line begins to run, in either pass; `value:v1` when the
 * Value gets data or gradient.
 */
import { firstFrom, stepsBy } from "./grains.js";
import { linesOf } from "./line-trace.js";

/** @typedef {import("./trace.js").Trace} Trace */

/** The stops of an address that are well formed. @param {string | null} text @returns {string[]} */
export const parsed = (text) => [...new Set((text ?? "").split(",").filter((stop) => /^(line:[1-9]\d{0,5}|value:\w+)$/.test(stop)))];

/** The frames that reach a stop. @param {Trace} trace @param {string} stop @returns {Set<number>} */
export function framesOf(trace, stop) {
  const [kind, which] = stop.split(":");
  const among = trace.frames.map((_, at) => at);
  if (kind === "value") return new Set(among.filter((at) => trace.frames[at].changes.some(({ node }) => node === which)));
  const runs = stepsBy(trace.frames, trace.known, "line");
  let before = -1;
  return new Set(among.filter((at) => {
    const now = linesOf(trace, at).has(Number(which)) ? firstFrom(runs, at) : -1;
    const begins = now >= 0 && now !== before;
    before = now;
    return begins;
  }));
}

/** The stops that a step reaches. @param {Trace} trace @param {Map<string, Set<number>>} stops with their frames
 * @param {number} place of the step @returns {string[]} */
export function reached(trace, stops, place) {
  const { frame, slot } = trace.steps[place];
  const before = trace.steps[place - 1]?.frame ?? -1;
  const from = Math.min(before, frame - 1) + 1;
  return [...stops].filter(([stop, frames]) => {
    if (slot !== null && stop.startsWith("value:")) return trace.lit(frame, slot).changed.includes(stop.slice(6));
    if (slot !== null && before === frame) return false;
    for (let at = from; at <= frame; at += 1) if (frames.has(at)) return true;
    return false;
  }).map(([stop]) => stop);
}

/** The place of the next step that reaches a stop; -1 without one. @param {Trace} trace @param {Map<string, Set<number>>} stops
 * @param {number} place where to begin, not counted */
export function next(trace, stops, place) {
  for (let at = place + 1; at < trace.steps.length; at += 1) if (reached(trace, stops, at).length) return at;
  return -1;
}
