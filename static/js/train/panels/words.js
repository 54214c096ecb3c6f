/** Descriptions of states in words, for the page and for screen readers. */
import { brief, counted, percent, plain } from "../../common/numbers.js";

/** @typedef {import("../run/types.js").Snapshot} Snapshot */
/** @typedef {import("../run/types.js").Setup} Setup */
/** @typedef {import("../run/store.js").Losses} Losses */

/** Whether training steps use dropout, so that their metrics differ from the predictions'. @param {Setup} setup */
export function hasDropout({ spec }) {
  return Number(spec.dropout) > 0;
}

/** @param {Setup} setup @param {Losses} losses @param {Snapshot} snapshot */
export function courseInWords(setup, losses, snapshot) {
  const { known } = losses;
  if (!known) return `Loss ${brief(snapshot.loss)} before the first step`;
  const end = snapshot.step ? ` → ${brief(snapshot.loss)} after ${counted(snapshot.step, "step")}` : "";
  const test = snapshot.testLoss === null ? "" : `; test loss ${brief(snapshot.testLoss)}`;
  const whole = snapshot.wholeLoss === null ? "" : `; over all training data ${brief(snapshot.wholeLoss)}`;
  const penalty = snapshot.penalty ? `; penalty ${brief(snapshot.penalty)}, part of the loss` : "";
  const share = snapshot.wholeAccuracy ?? snapshot.accuracy;
  const right = share === null ? "" : `; accuracy ${percent(share)}`;
  return `${whole ? "batch " : ""}loss ${brief(losses.losses[0])}${end}${test}${whole}${penalty}${right}`;
}

/** @param {Setup} setup @param {Snapshot} snapshot */
export function planeInWords(setup, snapshot) {
  const count = setup.samples.length;
  const share = snapshot.wholeAccuracy ?? snapshot.accuracy;
  const right = share === null ? "" : ` ${percent(share)} of the training data on the correct side.`;
  if (!setup.bounds) return `No plot for ${setup.inputs} inputs; see the table of predictions.`;
  if (setup.inputs === 1) return `The fitted curve through ${count} samples at step ${snapshot.step}: loss ${brief(snapshot.loss)}.`;
  return `The plane of the two inputs at step ${snapshot.step}, coloured by the network's output, with ${count} samples.${right}`;
}

/** "moons · 2 → 6 → 4 → 1 · tanh · sgd 0.1" @param {Setup} setup */
export function gist({ spec, layers }) {
  const activation = Array.isArray(spec.activation) ? spec.activation.join(" ") : spec.activation;
  return `${String(spec.data).replaceAll("_", " ")} · ${layers.join(" → ")} · ${activation} · ${spec.optimizer} ${plain(Number(spec.learning_rate))}`;
}
