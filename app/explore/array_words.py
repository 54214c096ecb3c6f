"""What one argument of an array operation receives, in words, with the shapes at hand."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from math import prod

from engine.array_ops.ops import ARRAY_OPS
from engine.array_ops.pointwise import Pointwise
from engine.numbers import counted
from engine.ops import OPS
from engine.trace.array_trace import TracedArray

_LOSSES = {
    "cross_entropy": ("Of each row, its probabilities less those of its target", "rows that count"),
    "nll_loss": ("Of each row, −1 at its target", "rows that count"),
    "mse_loss": ("Twice the distance of each cell from its target", "cells"),
}
_SAYS = {
    "sum": "Each cell of {x} counts once in its sum: it receives the gradient of that unchanged.",
    "mean": "Each cell of {x} counts 1/{n} in its mean: it receives that part of the gradient.",
    "amax": "Only the cell that is the largest receives the gradient, the others 0.",
    "amin": "Only the cell that is the smallest receives the gradient, the others 0.",
    "max_pool1d": "Only the largest cell of each window receives its gradient.",
    "max_pool2d": "Only the largest cell of each window receives its gradient.",
    "softmax": "More for one cell is less for the others of its sum: each receives its own "
    "gradient less the mean of these, weighted by the probabilities.",
    "log_softmax": "Each cell receives its own gradient, less its probability of their sum.",
    "logsumexp": "Each cell receives the gradient times its part of the sum, its softmax.",
    "cumsum": "Each cell is in all sums from it on: it receives the sum of their gradients.",
    "var": "Each cell receives the gradient times twice its distance from the mean, over the "
    "divisor of the variance.",
    "std": "Each cell receives the gradient times its distance from the mean, in deviations, over "
    "the divisor of the variance.",
    "norm": "Each cell receives the gradient times its part of the length.",
    "where": "Cells that were chosen receive their gradient, the others 0.",
    "dropout": "Cells that were dropped receive 0, the others their gradient, scaled alike.",
}
_NORMS = frozenset(["layer_norm", "batch_norm", "group_norm", "rms_norm"])
_OF_NORMS = (
    "The gradient times the weights, less what shifts or stretches all of them, over their spread.",
    "A weight receives the sum of the gradients times the normalised numbers that it scaled.",
    "A bias receives the sum of the gradients of the cells that it was added to.",
)
_MOVED = frozenset(
    [
        "reshape",
        "flatten",
        "permute",
        "transpose",
        "moveaxis",
        "squeeze",
        "unsqueeze",
        "flip",
        "roll",
        "copy",
        "sort",
    ]
)
_PICKED = frozenset(["slice", "diagonal", "take", "gather", "index", "masked_select"])
_JOINED = frozenset(["concatenate", "stack", "pad"])
_COPIED = frozenset(["expand", "repeat", "tile"])


def backward_words(node: TracedArray, args: Sequence[TracedArray], slot: int) -> str:
    """Why argument `slot` of a node receives what it does."""
    op = ARRAY_OPS.get(node.op or "")
    if op is None:
        return ""
    x, y, name = args[slot], node, node.op or ""
    if isinstance(getattr(op.forward, "__self__", None), Pointwise):
        return _pointwise(name, slot, y, args)
    if name in ("@", "linear"):
        return _product(name, slot, y, args)
    if name in _MOVED:
        return "Numbers only change places: the gradient goes the same way back."
    if name in _PICKED:
        return _picked(y, args, slot)
    if name in _JOINED:
        return (
            f"{array_name(x)} is a part of {array_name(y)}: it receives that part of the gradient."
        )
    if name in _COPIED:
        count = len(y.data.data) // max(len(x.data.data), 1)
        return f"Each cell was copied {counted(count, 'time')}: it receives the sum over them."
    if name in _NORMS and (slot or name != "rms_norm"):
        return _OF_NORMS[slot]
    if name in _LOSSES and slot == 0 and not node.params.get("weight"):
        says, counts = _LOSSES[name]
        is_mean = node.params.get("reduction", "mean") == "mean"
        return f"{says}{f', over the number of {counts}' if is_mean else ''}, times the gradient."
    n = len(x.data.data) // max(len(y.data.data), 1)
    return _SAYS[name].format(x=array_name(x), n=n) if name in _SAYS else _uses(y, args, slot)


def along(
    text: str, node: TracedArray, x: TracedArray, words: Callable[[Sequence[int]], str]
) -> str:
    """The words of an operation with the axes that it works along."""
    given, rank = node.params.get("axes", node.params.get("axis")), len(x.data.shape)
    axes = range(rank) if given is None else [given] if isinstance(given, int) else given
    if "along axes" in text and len(axes) == rank:
        return text.replace("along axes", f"of all {counted(len(x.data.data), 'cell')}")
    said = words([k % rank for k in axes if rank])
    return re.sub("along (axes|an axis)", f"along {said}", text) if said else text


def _pointwise(name: str, slot: int, y: TracedArray, args: Sequence[TracedArray]) -> str:
    start = "Cell by cell, " if len(y.data.data) > 1 else ""
    if name not in OPS:
        return "Each gradient is multiplied by the slope at the number there."
    names = {f"x{k}": array_name(arg) for k, arg in enumerate(args)}
    says = start + OPS[name].backward_says[slot].format(y=array_name(y), **names)
    return f"{says[0].upper()}{says[1:]}." if says.startswith(("C", "the ")) else f"{says}."


def _product(name: str, slot: int, y: TracedArray, args: Sequence[TracedArray]) -> str:
    x = args[slot]
    if slot == 2:
        rows = counted(prod(y.data.shape[:-1]), "row")
        return f"A bias is added in {rows}: its gradient is the sum over them."
    count = len(y.data.data) * args[0].data.shape[-1] // max(len(x.data.data), 1)
    terms = f"a sum of {count:,} products" if count > 1 else "one product"
    if slot == 1 and len(x.data.shape) == 2:
        rows = counted(prod(y.data.shape[:-1]) if len(y.data.shape) > 1 else 1, "row")
        return (
            f"A cell of {array_name(x)} joins one column of {array_name(args[0])} to one of "
            f"{array_name(y)}, in {rows}: its gradient is {terms}."
        )
    return (
        f"A cell of {array_name(x)} is used in {counted(count, 'cell')} of {array_name(y)}: its "
        f"gradient is {terms}."
    )


READ = 512
"""Elements of a result up to which it is asked what each was made of."""


def _reads(y: TracedArray, args: Sequence[TracedArray], slot: int) -> list[int]:
    """The places of an argument that the elements of a result were made of, one after the other."""
    op, shapes = ARRAY_OPS[y.op or ""], [arg.data.shape for arg in args]
    cells = range(len(y.data.data))
    return [place for cell in cells for place in op.reads(cell, shapes, y.params)[slot]]


def _uses(y: TracedArray, args: Sequence[TracedArray], slot: int) -> str:
    """How many elements of a result one of an argument is used in, if it is several."""
    if len(y.data.data) > READ:
        return ""
    most = max(Counter(_reads(y, args, slot)).values(), default=0)
    x, cells = array_name(args[slot]), counted(most, "cell")
    if most < 2:
        return ""
    return f"A cell of {x} is used in up to {cells} of {array_name(y)}: their parts add up."


def _picked(y: TracedArray, args: Sequence[TracedArray], slot: int) -> str:
    """Of the elements that were picked, and how often one was."""
    size = len(args[slot].data.data)
    text = "The gradient goes back to the cells that were picked"
    if len(y.data.data) > READ:
        return f"{text}, the others receive 0."
    places = Counter(_reads(y, args, slot))
    left, most = size - len(places), max(places.values(), default=0)
    often = f"; one that was picked {most} times receives the sum" if most > 1 else ""
    rest = f", the other {left:,} of {size:,} receive 0" if left else ""
    return f"{text}{rest}{often}."


def array_name(node: TracedArray) -> str:
    """The name of an array in a sentence; an expression in parentheses."""
    return node.name if node.is_named or node.is_constant else f"({node.name})"
