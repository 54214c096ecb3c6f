/** Numbers and states in words, as they stand on the page and are read aloud. */
import { short } from "../common/numbers.js";

/** @typedef {import("./run/types.js").Frame} Frame */
/** @typedef {import("./run/types.js").Setup} Setup */
/** @typedef {import("./run/store.js").Losses} Losses */

/** A loss in few digits: 0.0039, 1.18, 2.3e-7. @param {number | null} x */
export function brief(x) {
  if (x === null) return "–";
  if (!Number.isFinite(x)) return short(x);
  const size = Math.abs(x);
  if (size === 0) return "0";
  if (size >= 1e5 || size < 1e-4) return x.toExponential(1).replace("e+", "e");
  return x.toFixed(size >= 100 ? 1 : size >= 10 ? 2 : size >= 1 ? 3 : 4);
}

/** @param {number | null} share */
export const percent = (share) => (share === null ? "–" : `${Number((100 * share).toFixed(1))}%`);

/** @param {Losses} losses @param {Frame} frame */
export function courseInWords(losses, frame) {
  const { known } = losses;
  if (!known) return `Loss ${brief(frame.loss)} before the first step`;
  const end = frame.step ? ` → ${brief(frame.loss)} after ${frame.step} ${frame.step === 1 ? "step" : "steps"}` : "";
  const test = frame.testLoss === null ? "" : `; test loss ${brief(frame.testLoss)}`;
  const right = frame.accuracy === null ? "" : `; accuracy ${percent(frame.accuracy)}`;
  return `loss ${brief(losses.losses[0])}${end}${test}${right}`;
}

/** @param {Setup} setup @param {Frame} frame */
export function planeInWords(setup, frame) {
  const count = setup.samples.length;
  const right = frame.accuracy === null ? "" : ` ${percent(frame.accuracy)} of the batch are on the right side.`;
  if (frame.curve) return `The fitted curve over ${count} samples at step ${frame.step}: loss ${brief(frame.loss)}.`;
  if (!frame.grid) return `The data has ${setup.inputs} inputs: no picture. The predictions are in the table.`;
  return `The plane of the two inputs at step ${frame.step}, coloured by the network's answer, with ${count} samples.${right}`;
}

/** "moons · 2 → 6 → 4 → 1 · tanh · sgd 0.1" @param {Setup} setup */
export function gist({ spec, layers }) {
  const activation = Array.isArray(spec.activation) ? spec.activation.join(" ") : spec.activation;
  return `${String(spec.data).replaceAll("_", " ")} · ${layers.join(" → ")} · ${activation} · ${spec.optimizer} ${spec.learning_rate}`;
}
