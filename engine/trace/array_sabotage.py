"""Mistakes that are made with whole arrays, tried on one contribution: what comes out instead.

Each is computed by the table of operations, with the numbers of the run: the shapes that do not
fit, in NumPy's words, or the largest cell with the wrong number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import prod
from typing import NamedTuple

from engine.array_ops.flat import Flat, Misfit
from engine.array_ops.ops import ARRAY_OPS
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
    if node.op != "@" or len(args) != 2 or any(len(arg.data.shape) != 2 for arg in args):
        return
    g, other = node.grad, args[1 - c.slot].data
    assert g is not None
    sides = (g, other) if c.slot == 0 else (other, g)
    yield _made("transpose", lambda: _op("@", *sides))


def _sums(
    node: TracedArray, args: Sequence[TracedArray], c: ArrayContribution
) -> Iterator[BrokenArray]:
    """A broadcast without its sum, or summed otherwise; a reduction whose axis is dropped."""
    g, shape = node.grad, node.data.shape
    assert g is not None
    if c.summed and node.op in ("+", "-"):
        signed = _op("neg", g) if node.op == "-" and c.slot == 1 else g
        yield BrokenArray("sum", signed)
        count = prod(shape[k] for k in c.summed)
        yield BrokenArray("mean", Flat(c.amount.shape, [x / count for x in c.amount.data]))
        others = [k for k in range(len(shape)) if k not in c.summed]
        if others:
            yield _made("axis", lambda: _op("sum", signed, axes=(others[-1],)))
    if node.op in ("sum", "mean", "amax") and len(g.shape) and g.data:
        kept = node.params.get("keepdims")
        if not kept:
            zeros = Flat(args[0].data.shape, [0.0] * len(args[0].data.data))
            yield _made("keepdims", lambda: _op("+", zeros, g))


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
