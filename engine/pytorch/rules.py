"""What each Node of autograd does, in words, and in a formula for each argument.

Most Nodes are operations of `engine.array_ops`, whose words and rules are those of Seegrad's own
arrays. What PyTorch has besides stands here, by the Node's name without `Backward0`, in the same
small language: `g` is the incoming gradient, `y` the result, other names are arguments as PyTorch's
schemas call them. A Node that neither table has is shown with its numbers alone.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from typing import NamedTuple

from engine.array_ops.ops import ARRAY_OPS
from engine.array_ops.rules import Rule
from engine.array_ops.table import ArrayOp
from engine.pytorch.record import OperationFrame


class NodeRule(NamedTuple):
    """A sentence, and the formula of each argument by its name; there may be none."""

    words: str
    formulas: tuple[tuple[str, Rule], ...] = ()


def _rule(words: str, **formulas: str) -> NodeRule:
    return NodeRule(words, tuple((name, Rule(source)) for name, source in formulas.items()))


_ARRANGED = "the same numbers, arranged anew: their gradients go back to where they came from"
_TAKEN = "the numbers that were taken get their gradients, all others 0"
_JOINED = "the gradients of the parts are joined again"
_WINDOW = "each number gets its part of each window's gradient"
_ATTENTION = "softmax(q·kᵀ/√d)·v in one step"

OWN_RULES: Mapping[str, NodeRule] = {
    "Addmm": _rule(
        "a linear layer: the input times the transposed weights, plus the bias, which gets the sum "
        "over the rows",
        self="g", mat1="g @ T(mat2)", mat2="T(mat1) @ g",
    ),
    "Bmm": _rule(
        "one matrix product for each of the batch", self="g @ T(mat2)", mat2="T(self) @ g"
    ),
    "Baddbmm": _rule(
        "one matrix product for each of the batch, and a sum",
        self="g", batch1="g @ T(batch2)", batch2="T(batch1) @ g",
    ),
    "Mv": _rule("a matrix times a vector", vec="T(self) @ g"),
    "Dot": _rule(
        "the products of two vectors' numbers, added", self="g * tensor", tensor="g * self"
    ),
    "Rsub": _rule("a difference from a number", self="-g"),
    "Addcmul": _rule(
        "a sum, and a product",
        self="g", tensor1="g * value * tensor2", tensor2="g * value * tensor1",
    ),
    "T": _rule("transposed, and its gradient is transposed back", self="T(g)"),
    "UnsafeView": _rule(_ARRANGED),
    "ReshapeAlias": _rule(_ARRANGED),
    "AsStrided": _rule(_ARRANGED),
    "Alias": _rule("the same tensor: the incoming gradient passes on", self="g"),
    "ToCopy": _rule("converted to another type, and its gradient is converted back", self="g"),
    "Copy": _rule("the source gets the incoming gradient, what was overwritten gets 0", src="g"),
    "CopySlices": _rule(
        "a part of the tensor was changed in place: the gradients of that part go back through the "
        "change, all others pass on"
    ),
    "AsStridedScatter": _rule(_TAKEN),
    "Embedding": _rule(
        "rows of a table: each row gets the sum of the gradients of all places where it was looked "
        "up, the others get 0"
    ),
    "Select": _rule(_TAKEN),
    "Narrow": _rule(_TAKEN),
    "Unfold": _rule(_TAKEN),
    "Topk": _rule(_TAKEN),
    "MaskedFill": _rule("what was filled gets 0"),
    "MaskedScatter": _rule("what was overwritten gets 0, what was put there its own"),
    "IndexPut": _rule("what was overwritten gets 0, what was put there its own"),
    "Scatter": _rule("what was overwritten gets 0, what was put there its own"),
    "Split": _rule(_JOINED),
    "SplitWithSizes": _rule(_JOINED),
    "UnsafeSplit": _rule(_JOINED),
    "Unbind": _rule(_JOINED),
    "Max": _rule("the largest gets the incoming gradient, all others 0"),
    "Min": _rule("the smallest gets the incoming gradient, all others 0"),
    "VarMean": _rule("mean and variance: each number gets its part of both"),
    "NllLoss2D": _rule("minus the logarithm of the probability of the target, at each place"),
    "NativeDropout": _rule("what was dropped gets 0, the rest is scaled as in the forward pass"),
    "MkldnnConvolution": _rule(
        "a convolution: the kernel gets incoming gradient times input, summed over all places "
        "where "
        "it was laid"
    ),
    "MaxPool2DWithIndices": _rule("the largest of each window gets its gradient, all others 0"),
    "MaxPool1DWithIndices": _rule("the largest of each window gets its gradient, all others 0"),
    "AvgPool2D": _rule(_WINDOW),
    "AdaptiveAvgPool2D": _rule(_WINDOW),
    "MkldnnAdaptiveAvgPool2D": _rule(_WINDOW),
    "UpsampleNearest2D": _rule("each number gets the sum of its copies' gradients"),
    "UpsampleBilinear2D": _rule("each number gets its part of the gradients around it"),
    "ScaledDotProductFlashAttentionForCpu": _rule(_ATTENTION),
    "ScaledDotProductEfficientAttention": _rule(_ATTENTION),
    "ScaledDotProductFlashAttention": _rule(_ATTENTION),
    "ThnnFusedGruCell": _rule("the gates of a GRU in one step"),
    "ThnnFusedLstmCell": _rule("the gates of an LSTM in one step"),
    "MkldnnRnnLayer": _rule(
        "a recurrent layer in one step: its weights get the sum of the gradients of all time steps"
    ),
    "AccumulateGrad": _rule("a leaf: what comes in is added to its grad"),
    "BackwardHookFunction": _rule("hooks of a module see the gradient here, and it passes on"),
}  # fmt: skip
JAX = "jax::"
"""Before the name of a primitive of JAX, where PyTorch has the name of a Node."""
_PRIMITIVES = {
    "add": "+", "add_any": "+", "sub": "-", "mul": "*", "div": "/", "neg": "neg", "exp": "exp",
    "log": "log", "log1p": "log1p", "expm1": "expm1", "tanh": "tanh", "logistic": "sigmoid",
    "sin": "sin", "cos": "cos", "sqrt": "sqrt", "rsqrt": "rsqrt", "abs": "abs", "erf": "erf",
    "square": "square", "reduce_sum": "sum", "reshape": "reshape", "stack": "stack",
}  # fmt: skip
"""Primitives of JAX that are operations of the table."""
_NUMBER = re.compile(r"Backward\d*$")
_NAMED = {
    "ViewBackward0": "reshape",
    "MmBackward0": "@",
    "NllLossBackward0": "nll_loss",
    "ConvolutionBackward0": "conv2d",
    "SafeSoftmaxBackward0": "softmax",
}
"""Operations for Nodes that several have, or that have another name."""


def _of_nodes() -> Mapping[str, list[ArrayOp]]:
    found: dict[str, list[ArrayOp]] = defaultdict(list)
    for op in ARRAY_OPS.values():
        if op.node:
            found[_NUMBER.sub("Backward0", op.node)].append(op)
    return found


_BY_NODE = _of_nodes()


def rule_of(name: str, operation: OperationFrame | None = None) -> NodeRule | None:
    """The rule of a Node by its name; None for one that no table has, such as a Function's own."""
    if name.startswith(JAX):
        found = ARRAY_OPS.get(_PRIMITIVES.get(name.removeprefix(JAX), ""))
        return None if found is None else _of_table(found)
    own = OWN_RULES.get(_NUMBER.sub("", name))
    if own is not None:
        return own
    key = _NUMBER.sub("Backward0", name)
    several = _BY_NODE.get(key, [])
    short = operation.short.strip("_") if operation is not None else ""
    fitting = [op for op in several if short in op.torch]
    fitting = [ARRAY_OPS[_NAMED[key]]] if key in _NAMED else fitting or several[:1]
    if not fitting or _is_scaled(operation):
        return None
    op = fitting[0]
    if short == "gelu" and _argument(operation, "approximate") == "'tanh'":
        op = ARRAY_OPS["gelu_tanh"]
    return _of_table(op)


def _of_table(op: ArrayOp) -> NodeRule:
    rules = [(op.name_of(i), op.rule(i)) for i in range(len(op.args))]
    return NodeRule(op.words, tuple((name, rule) for name, rule in rules if rule.source))


def _is_scaled(operation: OperationFrame | None) -> bool:
    """Whether a sum has a factor, which the tables' sums have not."""
    factor = _argument(operation, "alpha")
    return factor not in ("", "1", "1.0") and operation is not None and operation.short != "elu"


def _argument(operation: OperationFrame | None, name: str) -> str:
    arguments = () if operation is None else operation.arguments
    return next((argument.text for argument in arguments if argument.name == name), "")
