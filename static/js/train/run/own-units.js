/** The inputs of samples in their own units: before standardisation. */

const DIGITS = 12; // of an input that was scaled and is scaled back

/**
 * @param {{scales: [number, number][]}} setup shift and scale of each input, none if inputs are left alone
 * @param {number[]} inputs as the network sees them
 */
export function inOwnUnits({ scales }, inputs) {
  if (!scales.length) return inputs;
  return inputs.map((x, i) => Number((x * scales[i][1] + scales[i][0]).toPrecision(DIGITS)));
}
