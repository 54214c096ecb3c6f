/** Decoding of the server's JSON into typed arrays, once per state. */
import { number } from "../../common/numbers.js";

/** @typedef {import("./types.js").Answer} Answer */
/** @typedef {import("./types.js").Snapshot} Snapshot */
/** @typedef {import("./types.js").Log} Log */
/** @typedef {import("./types.js").Pictures} Pictures */

/** @param {string} text @returns {Uint8Array<ArrayBuffer>} */
export function bytes(text) {
  const packed = atob(text);
  const found = new Uint8Array(packed.length);
  for (let i = 0; i < packed.length; i += 1) found[i] = packed.charCodeAt(i);
  return found;
}

/** @param {(number | string | null)[]} list @returns {Float64Array} */
export function numbers(list) {
  const found = new Float64Array(list.length);
  for (let i = 0; i < list.length; i += 1) {
    const x = list[i];
    found[i] = typeof x === "number" ? x : x === null ? NaN : number(x);
  }
  return found;
}

/** @param {number | string | null | undefined} x */
const maybe = (x) => (x === null || x === undefined ? null : number(x));

/** @param {Answer} answer @returns {Pictures} */
function picturesOf({ grid, maps, curve }) {
  return { grid: grid ? bytes(grid) : null, maps: maps ? bytes(maps) : null, curve: curve ? curve.map(numbers) : null, isRough: false };
}

/** @param {Answer} answer @param {Pictures} [pictures] those of a lean answer @returns {Snapshot} */
export function snapshotOf(answer, pictures = picturesOf(answer)) {
  const { grid, maps } = pictures;
  const norms = answer.norms ?? [];
  return {
    step: answer.step,
    loss: number(answer.loss),
    accuracy: answer.accuracy ?? null,
    wholeLoss: maybe(answer.train_loss),
    wholeAccuracy: answer.train_accuracy ?? null,
    testLoss: maybe(answer.test_loss),
    penalty: number(answer.penalty),
    testAccuracy: answer.test_accuracy ?? null,
    rate: number(answer.learning_rate),
    parameters: numbers(answer.parameters),
    gradient: answer.gradient ? numbers(answer.gradient) : null,
    norms: norms.map(({ layer, weights, gradients, updates }) => ({ layer, weights: number(weights), gradients: number(gradients), updates: maybe(updates) })),
    predictions: answer.predictions ? answer.predictions.map((row) => row.map(number)) : null,
    activations: answer.activations ?? null,
    batch: answer.batch ?? null,
    ...pictures,
    bytes: (grid?.length ?? 0) + (maps?.length ?? 0) + 16 * answer.parameters.length + 1000,
  };
}

/** @param {Answer} answer @returns {Log | null} */
export function logOf(answer) {
  if (!answer.losses) return null;
  return {
    from: answer.losses_from ?? 0,
    losses: numbers(answer.losses),
    tests: answer.test_losses?.length ? numbers(answer.test_losses) : null,
    accuracies: answer.accuracies?.length ? numbers(answer.accuracies) : null,
    penalties: answer.penalties ? numbers(answer.penalties) : null,
  };
}
