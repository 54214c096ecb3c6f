"""Mistakes that are made with whole arrays, tried on one contribution: what comes out instead.

Each is computed by the table of operations, with the numbers of the run: the shapes that do not
fit, in NumPy's words, or the largest cell with the wrong number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import prod
from typing import NamedTuple

from engine.array_ops.flat import Flat, Misfit, expanded
from engine.array_ops.ops import ARRAY_OPS
from engine.array_ops.products import transposed
from engine.by_hand.truth import are_close

from .array_trace import ArrayContribution, TracedArray


class BrokenArray(NamedTuple):
    """A mistake with what it makes: an array, or None with the library's sentence."""

    name: str
    made: Flat | None
    refused: str = ""

    def differs(self, due: Flat) -> bool:
        """Whether the mistake shows in shape or numbers."""
        if self.made is None or self.made.shape != due.shape:
            return True
        return not are_close(self.made.data, due.data, 1e-9)


ARRAY_MISTAKES: dict[str, str] = {
    "transpose": "Forgotten transpose",
    "sum": "Forgotten sum over the batch",
    "axis": "Sum over the wrong axis",
    "mean": "Mean in place of the sum",
    "count": "Forgotten 1/n of the mean",
    "keepdims": "Forgotten keepdims",
    "in_place": "Changed in place after it was saved",
}
"""The mistakes by name, with their titles."""


def broken(
    node: TracedArray, args: Sequence[TracedArray], c: ArrayContribution
) -> Iterator[BrokenArray]:
    """What each mistake that fits an operation makes of a contribution; only where it shows."""
    if node.grad is None or node.op not in ARRAY_OPS:
        return
    for found in (*_products(node, args, c), *_sums(node, args, c), *_saved(node, args, c)):
        if found.differs(c.amount):
            yield found


def _made(name: str, compute: Callable[[], Flat]) -> BrokenArray:
    try:
        return BrokenArray(name, compute())
    except Misfit as misfit:
        return BrokenArray(name, None, str(misfit).strip())


def _op(name: str, *args: Flat, **params: object) -> Flat:
    return ARRAY_OPS[name].forward(args, params)


def _products(
    node: TracedArray, args: Sequence[TracedArray], c: ArrayContribution
) -> Iterator[BrokenArray]:
    """A matrix product without the transpose."""
    g = node.grad
    assert g is not None
    is_product = node.op in ("@", "linear") and c.slot < 2
    if not is_product or min(len(arg.data.shape) for arg in args[:2]) < 2:
        return
    other = args[1 - c.slot].data
    if node.op == "@":
        sides = (g, other) if c.slot == 0 else (other, g)
        yield _made("transpose", lambda: _op("@", *sides))
    else:  # x Wᵀ + b: ∂L/∂x = g W, ∂L/∂W = gᵀ x
        turned = other if c.slot else transposed(other)
        yield _made("transpose", lambda: _op("@", g, turned))


def _sums(
    node: TracedArray, args: Sequence[TracedArray], c: ArrayContribution
) -> Iterator[BrokenArray]:
    """A broadcast without its sum, or summed otherwise; a reduction that is spread wrongly."""
    found = _repeated(node, args, c)
    if found is not None:
        whole, summed = found
        yield BrokenArray("sum", whole)
        count = prod(whole.shape[k] for k in summed)
        yield BrokenArray("mean", _times(c.amount, 1 / max(count, 1)))
        others = [k for k in range(len(whole.shape)) if k not in summed]
        if others:
            yield _made("axis", lambda: _op("sum", whole, axes=(others[-1],)))
    if node.op in ("sum", "mean", "amax", "amin"):
        yield from _spread(node, args[0].data, c)


def _repeated(
    node: TracedArray, args: Sequence[TracedArray], c: ArrayContribution
) -> tuple[Flat, Sequence[int]] | None:
    """The contribution to an argument before it is summed over the axes it was repeated along."""
    g, wide = node.grad, node.data.shape
    assert g is not None
    if node.op == "linear" and c.slot == 2:
        return g, range(len(wide) - 1)
    if not c.summed:
        return None
    given = [arg.data for arg in args]
    given[c.slot] = Flat(wide, expanded(given[c.slot], wide))
    whole = ARRAY_OPS[node.op or ""].vjp(g, given, node.data, node.params)[c.slot]
    return None if whole is None else (whole, c.summed)


def _spread(node: TracedArray, x: Flat, c: ArrayContribution) -> Iterator[BrokenArray]:
    """What goes wrong where the gradient of a reduction is spread over what was reduced."""
    g, count = node.grad, len(x.data) // max(len(node.data.data), 1)
    assert g is not None
    if not count:
        return
    if node.op == "mean":
        yield BrokenArray("count", _times(c.amount, count))
    elif node.op == "sum":
        yield BrokenArray("mean", _times(c.amount, 1 / count))
    if not g.shape or not g.data or len(g.data) == len(x.data):
        return
    zeros = Flat(x.shape, [0.0] * len(x.data))
    if not node.params.get("keepdims"):
        yield _made("keepdims", lambda: _op("+", zeros, g))
    if len(x.shape) == 2:
        size = len(g.data)
        along = (1, size) if c.amount.shape[0] == size and g.shape != (1, size) else (size, 1)
        yield _made("axis", lambda: _op("+", zeros, Flat(along, g.data)))


def _times(x: Flat, factor: float) -> Flat:
    return Flat(x.shape, [factor * number for number in x.data])


def _saved(
    node: TracedArray, args: Sequence[TracedArray], c: ArrayContribution
) -> Iterator[BrokenArray]:
    """The numbers that the rule needs, doubled in place before the backward pass."""
    g = node.grad
    assert g is not None
    op = ARRAY_OPS[node.op or ""]
    doubled = [Flat(a.data.shape, [2 * x for x in a.data.data]) for a in args]
    y = Flat(node.data.shape, [2 * x for x in node.data.data])
    given = [a.data for a in args]
    for saved, result in ((doubled, node.data), (given, y)):
        try:
            amount = op.vjp(g, saved, result, node.params)[c.slot]
        except (Misfit, ArithmeticError, ValueError, IndexError):
            continue
        if amount is not None and not are_close(amount.data, c.amount.data, 1e-9):
            yield BrokenArray("in_place", amount)
            return
