/** The segments of a run: consecutive steps with one set of settings, between changes in mid-run. */

/** @typedef {import("./types.js").Setup} Setup */
/**
 * @typedef {{
 *   start: number, words: string, batch: number, drawn_since: number, steps_per_epoch: number, epochs: number, penalty: boolean, partial: boolean,
 *   settings: Record<string, any>,
 * }} Segment  partial: whether a step sees a batch or dropout; words: what changed at its start; batch: the size; drawn_since: the step at which its batches began
 */

/** The segment with the update after `step` updates. @param {Setup} setup @param {number} step @returns {Segment} */
export function segmentAt({ segments }, step) {
  return segments[Math.max(0, segments.findLastIndex(({ start }) => start <= step))];
}

/** The size of the batch after `step` updates, of so many training samples. @param {Setup} setup @param {number} step @param {number} samples */
export function batchSize(setup, step, samples) {
  const { batch, drawn_since: since, steps_per_epoch: steps } = segmentAt(setup, step);
  return Math.min(batch, samples - ((step - since) % steps) * batch);
}

/** The first step of the epoch after that of `step`. @param {Setup} setup @param {number} step */
export function nextEpoch(setup, step) {
  const { drawn_since: since, steps_per_epoch: steps } = segmentAt(setup, step);
  const next = since + (Math.floor((step - since) / steps) + 1) * steps;
  const later = setup.segments.find(({ start, drawn_since: drawn }) => start > step && drawn === start);
  return later ? Math.min(next, later.start) : next;
}

/** The whole passes over the training data so far in words; "" where each step is one. @param {Setup} setup @param {number} step */
export function epochsInWords(setup, step) {
  if (setup.segments.every(({ steps_per_epoch: steps }) => steps === 1)) return "";
  const { drawn_since: since, steps_per_epoch: steps, epochs } = segmentAt(setup, step);
  const count = epochs + Math.floor((step - since) / steps);
  return `${count.toLocaleString("en")} ${count === 1 ? "epoch" : "epochs"}`;
}

/** Whether steps see other losses than that of all training data: batches, or dropout. @param {{segments?: Segment[]}} setup */
export const isPartial = ({ segments = [] }) => segments.some(({ partial }) => partial);

/** Whether a penalty is part of the loss. @param {{segments?: Segment[]}} setup */
export const hasPenalty = ({ segments = [] }) => segments.some(({ penalty }) => penalty);

/** The changes in mid-run, drawn as marks. @param {Segment[]} segments */
export const marksOf = (segments) => segments.slice(1).map(({ start: step, words }) => ({ step, words }));
