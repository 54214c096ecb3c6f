"""The mistakes in gradients of arrays computed by hand: the words of each.

In `sentence` and `why`, `{name}` is the array with the wrong gradient, `{of}` what it is the
gradient of, `{line}` the line, `{told}` what the change that fixes it tells.
"""

from __future__ import annotations

from typing import NamedTuple


class HandKind(NamedTuple):
    """One kind of mistake."""

    title: str
    sentence: str
    why: str


HAND_KINDS: dict[str, HandKind] = {
    "transpose": HandKind(
        "Wrong transpose",
        "Line {line} multiplies the wrong sides for {name}.",
        "For y = x @ w the rules are ∂L/∂w = xᵀ · ∂L/∂y and ∂L/∂x = ∂L/∂y · wᵀ: the side that "
        "stays is transposed, and the shapes tell on which side it stands.",
    ),
    "missing_mean": HandKind(
        "Missing 1/n",
        "Line {line} leaves out the mean: {name} is {told} times too large.",
        "The loss is a mean, so each sample sends its gradient divided by their number. The "
        "division belongs at one place in the chain.",
    ),
    "extra_mean": HandKind(
        "1/n too often",
        "Line {line} divides once more than the loss does: {name} is {told} times too small.",
        "The division by the number of samples belongs at one place in the chain.",
    ),
    "factor": HandKind(
        "Wrong factor",
        "Line {line} makes {name} {told} times its true gradient.",
        "A constant factor comes from the loss: the square gives a 2, a half takes it back.",
    ),
    "sign": HandKind(
        "Wrong sign",
        "Line {line} gives {name} the wrong sign.",
        "The derivative of p − y by p is 1, and by y −1.",
    ),
    "sum_axis": HandKind(
        "Sum over the wrong axis",
        "Line {line} sums {name} over the wrong axis.",
        "{of} was broadcast along the axis of the samples. Along this axis its gradient is summed, "
        "and no other.",
    ),
    "missing_sum": HandKind(
        "Missing sum over the batch",
        "Line {line} leaves out the sum over the samples.",
        "{of} was broadcast: every sample uses the same numbers, so their contributions add up.",
    ),
    "mean_for_sum": HandKind(
        "Mean in place of sum",
        "Line {line} takes the {told} where {name} needs the other.",
        "Contributions of all uses are summed. If the loss is a mean, its 1/n is in the incoming "
        "gradient already.",
    ),
    "keepdims": HandKind(
        "Axis dropped",
        "Line {line} needs the summed axis to stay, with length 1.",
        "Without it the result is broadcast along the wrong axis.",
    ),
    "activation": HandKind(
        "Derivative of the activation left out",
        "Line {line} leaves out {told}.",
        "The gradient after {told} is not yet the one before it: it is multiplied, element by "
        "element, with the derivative.",
    ),
    "derivative": HandKind(
        "Derivative of another function",
        "Line {line} takes another derivative than that of {told}.",
        "With h = tanh(z) it is 1 − h², with h = σ(z) it is h(1 − h), with h = relu(z) it is 1 "
        "where z > 0.",
    ),
    "derivative_at": HandKind(
        "Derivative at the wrong place",
        "Line {line} takes the derivative at {told}.",
        "A derivative that is written with the result of the activation needs the result, one that "
        "is written with its input needs the input.",
    ),
    "operand": HandKind(
        "Another array",
        "Line {line} uses {told}.",
        "The rule of an operation uses the arrays that this operation computed with, and the "
        "gradient of its own result.",
    ),
    "stale": HandKind(
        "Weights that are already updated",
        "Line {line} uses {told} after its update.",
        "The backward pass belongs to the forward pass before it: it needs the weights that this "
        "one used.",
    ),
    "accumulate": HandKind(
        "Repeated index",
        "Line {line} keeps one of several contributions.",
        "Where an index repeats, each use adds its contribution: an assignment keeps the last one "
        "alone.",
    ),
    "overwritten": HandKind(
        "Assigned in place of added",
        "Line {line} replaces what {name} had received before.",
        "An array that is used twice receives a contribution from each use, and these are added.",
    ),
    "missing_target": HandKind(
        "Targets not subtracted",
        "After line {line} the targets are not subtracted from {name}.",
        "The gradient of softmax with cross-entropy is p − 1 at the right class, and p elsewhere.",
    ),
    "missing_use": HandKind(
        "A use left out",
        "Line {line} leaves out the contribution through {told}.",
        "{of} is used more than once. Its gradient is the sum over all uses.",
    ),
    "left_out": HandKind(
        "A factor left out",
        "Line {line} leaves out {told} for {name}.",
        "The chain rule multiplies the incoming gradient with the partial of each operation.",
    ),
    "arithmetic": HandKind(
        "Another formula",
        "Line {line} computes something else than the gradient of {of}.",
        "With the change shown the array is the true gradient.",
    ),
    "shape": HandKind(
        "Wrong shape",
        "Line {line} gives {name} another shape than that of {of}.",
        "A gradient has the shape of its array: one number for each of its elements.",
    ),
    "chain": HandKind(
        "Wrong gradient",
        "{name} is wrong; line {line} begins to compute it.",
        "No number that it is computed from is a gradient of the loss, so each line of its chain "
        "may be the wrong one.",
    ),
    "unknown": HandKind(
        "Wrong gradient",
        "From line {line} on, {name} is wrong.",
        "What this line computes from is right. What it and the lines after it compute, up to "
        "{name}, is none of the gradients of the loss.",
    ),
}
