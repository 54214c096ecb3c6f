/** Indices of weights and biases in the flat list of parameters. */

/** The index of the first parameter of each layer; a neuron's bias follows its weights. @param {number[]} layers */
export function firstParameters(layers) {
  const found = [0];
  for (let i = 1; i < layers.length; i += 1) found.push(found[i - 1] + (layers[i - 1] + 1) * layers[i]);
  return found;
}

/** The index of a weight, or of the bias if `input` is the layer's number of inputs.
 * @param {number[]} layers @param {number} layer @param {number} index @param {number} input */
export function parameterOf(layers, layer, index, input) {
  return firstParameters(layers)[layer - 1] + index * (layers[layer - 1] + 1) + input;
}
