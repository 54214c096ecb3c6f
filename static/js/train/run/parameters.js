/** Where weights and biases stand in the flat list of parameters. */

/** The first parameter of each layer; a neuron's weights are followed by its bias. @param {number[]} layers */
export function firstParameters(layers) {
  const found = [0];
  for (let i = 1; i < layers.length; i += 1) found.push(found[i - 1] + (layers[i - 1] + 1) * layers[i]);
  return found;
}

/** The place of a weight among the parameters; that of the bias with `input` = the layer's inputs.
 * @param {number[]} layers @param {number} layer @param {number} index @param {number} input */
export function parameterOf(layers, layer, index, input) {
  return firstParameters(layers)[layer - 1] + index * (layers[layer - 1] + 1) + input;
}
