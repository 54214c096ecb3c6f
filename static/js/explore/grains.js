/**
 * The grain of stepping: which frames, or parts of frames, are one step. The same as in `app/picture/grains.py`.
 *
 * @typedef {import("./trace.js").Trace} Trace
 * @typedef {import("./trace.js").Frame} Frame
 * @typedef {{frame: number, frames: number[], slot: number | null}} Step  its last frame, whose numbers it shows, and all
 *   its frames; with a slot, of the frame only the contribution to the arg in this slot
 * @typedef {{key?: (trace: Trace, frame: Frame) => string | null, place?: (trace: Trace, frame: Frame) => string, bySlot?: boolean}} Grain
 *   key: consecutive frames of a pass with equal keys are one step; place: names the frames of a step together
 */

const NO_CALLS = new Set(["loop", "iteration", "formula", "array"]); // kinds of groups
const RUNS = new Set(["iteration", "function"]); // in each of which a line runs anew

export const DEFAULT = "op";

/** Every grain by name, from fine to coarse. @type {Map<string, Grain>} */
export const GRAINS = new Map(Object.entries({
  contribution: { bySlot: true },
  op: {},
  line: { key: (trace, frame) => `${lineOf(trace, frame)} ${around(trace, frame, (kind) => RUNS.has(kind))}`, place: (trace, frame) => `line ${lineOf(trace, frame)}` },
  call: { key: callOf, place: (trace, frame) => trace.groups.find(({ id }) => id === callOf(trace, frame))?.title ?? "" },
  pass: { key: (_, { pass }) => pass, place: (_, { pass }) => `the ${pass} pass` },
}));

/** The line of the program that a frame belongs to: of the write, or of the Value. @param {Trace} trace @param {Frame} frame */
function lineOf(trace, { written, node }) {
  return (written?.span ?? trace.byId.get(node)?.span)?.[0] ?? 0;
}

/** The innermost call, of a function, a layer or a neuron. @param {Trace} trace @param {Frame} frame */
function callOf(trace, frame) {
  return around(trace, frame, (kind) => !NO_CALLS.has(kind));
}

/** The innermost group of some kinds around the Value of a frame.
 * @param {Trace} trace @param {Frame} frame @param {(kind: string) => boolean} isKind @returns {string | null} */
function around({ byId, groupOf }, { node }, isKind) {
  let home = groupOf.get(byId.get(node)?.group ?? "");
  while (home && !isKind(home.kind)) home = groupOf.get(home.parent ?? "");
  return home?.id ?? null;
}

/** The steps of a grain. @param {Trace} trace @param {number[]} among its frames, less those inside closed formulas
 * @param {string} name of the grain @returns {Step[]} */
export function stepsBy(trace, among, name) {
  const grain = GRAINS.get(name) ?? {};
  return runs(trace, among, grain, name).flatMap((frames) => {
    const frame = frames[frames.length - 1];
    const slots = grain.bySlot ? (trace.frames[frame].contributions ?? []).map(({ slot }) => slot) : [];
    return (slots.length > 1 ? slots : [null]).map((slot) => ({ frame, frames, slot }));
  });
}

/** Frames by steps: the given numbers and the seed of a pass stand alone.
 * @param {Trace} trace @param {number[]} among @param {Grain} grain @param {string} name @returns {number[][]} */
function runs(trace, among, { key = () => null }, name) {
  /** @type {number[][]} */ const found = [];
  /** @type {string | null} */ let before = null;
  for (const at of among) {
    const frame = trace.frames[at];
    const isStart = frame.given || (frame.seed != null && name !== "pass");
    const own = isStart ? null : key(trace, frame);
    const now = own === null ? null : `${frame.pass} ${own}`;
    if (now !== null && now === before) found[found.length - 1].push(at);
    else found.push([at]);
    before = now;
  }
  return found;
}

/** The step that ends with a frame; of one inside a step, the frame alone.
 * @param {Step[]} among @param {number} frame @param {number | null} [slot] @returns {Step} */
export function stepAt(among, frame, slot = null) {
  const here = among.slice(firstFrom(among, frame)).filter((step) => step.frame === frame);
  return here.find((step) => step.slot === slot) ?? here.find((step) => step.slot === null) ?? { frame, frames: [frame], slot: null };
}

/** The place of the first step that ends with `frame` or later. @param {Step[]} among @param {number} frame */
export function firstFrom(among, frame) {
  let [low, high] = [0, among.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (among[middle].frame < frame) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The place of a step; of a frame inside one, that of this; of a frame shown whole where its contributions are steps,
 * that of the last. @param {Step[]} among @param {Step} step */
export function placeOf(among, step) {
  const start = firstFrom(among, step.frame);
  const end = firstFrom(among, step.frame + 1);
  for (let at = start; at < end; at += 1) if (among[at].slot === step.slot) return at;
  return Math.max(start, end - 1);
}

/** What a step of several frames consists of; empty for one frame. @param {Trace} trace @param {Step} step @param {string} name */
export function inWords(trace, step, name) {
  if (step.frames.length < 2) return "";
  const frames = step.frames.map((at) => trace.frames[at]);
  const count = frames.filter(({ seed }) => seed == null).length;
  const noun = frames.some(({ written }) => written) ? "gradient write" : "operation";
  return `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"} of ${GRAINS.get(name)?.place?.(trace, frames[frames.length - 1])}`;
}
