/**
 * The steps of a picture, which the server counts (`app/explore/steps_json.py`): which frames, or parts of frames, are one
 * step by each grain.
 *
 * @typedef {import("./trace.js").Frame} Frame
 * @typedef {{title: string, result: string, inner: string[], args: string[], operations: number}} Formula  one that is
 *   closed, and so one step: its Values are `inner` and the `result`
 * @typedef {{title: string, results: string[], args: string[], own: string[]}} BoxStep  of a closed box: its title, and its
 *   Values that a step shows; `own` are its leaves
 * @typedef {{formulas: Formula[], hidden: number[], joined: Record<string, [number, number, number, number | null][]>,
 *   words: string[], boxes: BoxStep[]}} PictureSteps  the frames inside closed formulas are `hidden`; by grain `joined` has
 *   the first and the last frame of a step, and the places of its words and its box
 * @typedef {{frame: number, frames: number[], slot: number | null, words?: string, box?: BoxStep}} Step  its last frame,
 *   whose numbers it shows, and all its frames, with what they are; with a slot, of the frame only the contribution to the
 *   arg in this slot
 */

export const DEFAULT = "op";
const BY_SLOT = "contribution"; // the grain of which each contribution is a step

/** @type {PictureSteps} */
export const NO_STEPS = { formulas: [], hidden: [], joined: {}, words: [], boxes: [] };

/** The steps of a grain. @param {Frame[]} frames @param {PictureSteps} known @param {string} grain @returns {Step[]} */
export function stepsBy(frames, { hidden, joined, words, boxes }, grain) {
  const isHidden = new Set(hidden);
  const among = frames.map((_, at) => at).filter((at) => !isHidden.has(at));
  /** @type {Step[]} */ const found = [];
  let next = 0; // in among
  const end = (/** @type {number} */ frame) => {
    const from = next;
    while (next < among.length && among[next] <= frame) next += 1;
    return among.slice(from, next);
  };
  for (const [first, last, text, box] of joined[grain] ?? []) {
    found.push(...end(first - 1).flatMap((at) => single(frames, at, grain)));
    found.push({ frame: last, frames: end(last), slot: null, words: words[text], box: box === null ? undefined : boxes[box] });
  }
  return [...found, ...end(frames.length).flatMap((at) => single(frames, at, grain))];
}

/** The steps of a frame that is joined to no other. @param {Frame[]} frames @param {number} at @param {string} grain @returns {Step[]} */
function single(frames, at, grain) {
  const slots = grain === BY_SLOT ? (frames[at].contributions ?? []).map(({ slot }) => slot) : [];
  return (slots.length > 1 ? slots : [null]).map((slot) => ({ frame: at, frames: [at], slot }));
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
