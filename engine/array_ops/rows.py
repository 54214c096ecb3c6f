"""Functions of the numbers along one axis to as many: softmax, running sums, sorting."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from operator import mul
from typing import Any

from engine import real

from .flat import Flat, Numbers, axis_of, from_rows, order_along, rows_along
from .grid import Shape
from .table import ArrayOp, Flats, Params, Pulled, Shapes, Wanted, define, names, rules

Row = Numbers


@dataclass(frozen=True, slots=True, eq=False)
class RowFunction:
    """y = f(row; params) for each row along `params["axis"]`, the last by default.

    `pull(row, y, g, params)` are the contributions to the row. `text(items, i, params)` is element
    i of f as a formula of texts, and `reach(i, length)` are the elements that it reads.
    """

    f: Callable[[Row, Params], Row]
    pull: Callable[[Row, Row, Row, Params], Row]
    text: Callable[[list[str], int, Params], str]
    reach: Callable[[int, int], range] = lambda i, length: range(length)

    def shape(self, shapes: Shapes, params: Params) -> Shape:
        if shapes[0]:
            axis_of(params.get("axis", -1), len(shapes[0]))
        return shapes[0]

    def _axes(self, shape: Shape, params: Params) -> list[int]:
        return [axis_of(params.get("axis", -1), len(shape))] if shape else []

    def forward(self, args: Sequence[Flat], params: Params) -> Flat:
        (x,) = args
        axes = self._axes(x.shape, params)
        return from_rows((self.f(row, params) for row in rows_along(x, axes)), x.shape, axes)

    def backward(self, g: Flat, args: Flats, y: Flat, params: Params, wanted: Wanted) -> Pulled:
        (x,) = args
        axes = self._axes(x.shape, params)
        rows = zip(*(rows_along(one, axes) for one in (x, y, g)), strict=True)
        pulled = (self.pull(row, out, amounts, params) for row, out, amounts in rows)
        return [from_rows(pulled, x.shape, axes)]

    def _row_of(self, cell: int, shape: Shape, params: Params) -> tuple[list[int], int]:
        order, length = order_along(shape, self._axes(shape, params))
        at = order.index(cell)
        start = at - at % length
        return list(order[start : start + length]), at % length

    def reads(self, cell: int, shapes: Shapes, params: Params) -> list[list[int]]:
        places, i = self._row_of(cell, shapes[0], params)
        return [[places[k] for k in self.reach(i, len(places))]]

    def scalar(self, cell: int, shapes: Shapes, params: Params) -> str:
        places, i = self._row_of(cell, shapes[0], params)
        return self.text([f"x[{k}]" for k in places], i, params)


def softmax(row: Row, params: Params) -> Row:
    """e^{xᵢ} / Σ e^{xⱼ}, both over e^{max x}."""
    top = max(row, default=0.0)
    top = top if math.isfinite(top) else 0.0 if top < 0 else top
    powers = [real.exp(x - top) for x in row]
    total = sum(powers)
    return [real.divide(power, total) for power in powers]


def softmax_pull(row: Row, y: Row, g: Row, params: Params) -> Row:
    total = sum(map(mul, g, y))
    return [b * (a - total) for a, b in zip(g, y, strict=True)]


def log_softmax(row: Row, params: Params) -> Row:
    """xᵢ − ln Σ e^{xⱼ}."""
    top = max(row, default=0.0)
    total = math.log(sum(real.exp(x - top) for x in row)) if math.isfinite(top) else top * 0.0
    return [x - top - total for x in row]


def log_softmax_pull(row: Row, y: Row, g: Row, params: Params) -> Row:
    total = sum(g)
    return [a - real.exp(b) * total for a, b in zip(g, y, strict=True)]


def _exponentials(items: list[str]) -> str:
    return " + ".join(f"exp({x})" for x in items)


def _running_product_pull(row: Row, y: Row, g: Row, params: Params) -> Row:
    out = []
    for i in range(len(row)):
        partial: Any = math.prod(row[:i])
        amount: Any = 0.0
        for k in range(i, len(row)):
            partial *= row[k] if k > i else 1.0
            amount += g[k] * partial
        out.append(amount)
    return out


def order_of(row: Row, params: Params) -> list[int]:
    """The places of the numbers in order; nan last, equal ones as they stand."""
    largest_first = params.get("descending", False)

    def key(i: int) -> Any:
        is_nan = row[i] != row[i]
        return (
            is_nan is not largest_first,
            0.0 if is_nan else -row[i] if largest_first else row[i],
        )

    return sorted(range(len(row)), key=key)


def _sort_pull(row: Row, y: Row, g: Row, params: Params) -> Row:
    out = [0.0] * len(row)
    for place, amount in zip(order_of(row, params), g, strict=True):
        out[place] = amount
    return out


def _sort_text(items: list[str], i: int, params: Params) -> str:
    """Which element it is depends on the numbers: the one with i smaller ones before it."""
    found = items[-1]
    for k in reversed(range(len(items) - 1)):
        before = " + ".join(
            f"(1 if {x} {'>' if params.get('descending') else '<'}"
            f"{'=' if j < k else ''} {items[k]} else 0)"
            for j, x in enumerate(items)
            if j != k
        )
        found = f"{items[k]} if {before} == {i} else {found}"
    return found


def _enter(name: str, it: RowFunction, words: str, rule: str, numpy: str, torch: str) -> None:
    define(
        ArrayOp(
            name, ("x",), it.forward, it.backward, it.shape, it.reads, it.scalar, words,
            rules(rule), names(numpy), names(torch),
            f"{name.title().replace('_', '')}Backward0",
            samples=((((2, 3),), {"axis": 1}), (((2, 3, 2),), {"axis": 0}), (((4,),), {})),
        )
    )  # fmt: skip


# fmt: off
_enter("softmax", RowFunction(softmax, softmax_pull, lambda items, i, params: (
    f"exp({items[i]}) / ({_exponentials(items)})")),
    "exponentials over their sum along an axis: positive, with sum 1", "y * (g - sum(g * y))",
    "", "softmax")
_enter("log_softmax", RowFunction(log_softmax, log_softmax_pull, lambda items, i, params: (
    f"{items[i]} - log({_exponentials(items)})")),
    "the logarithms of the softmax along an axis", "g - exp(y) * sum(g)", "", "log_softmax")
_enter("cumsum", RowFunction(
    lambda row, params: list(accumulate(row)),
    lambda row, y, g, params: list(accumulate(reversed(g)))[::-1],
    lambda items, i, params: " + ".join(items[: i + 1]), lambda i, length: range(i + 1)),
    "running sums along an axis", "sum(g)", "cumsum", "cumsum")
_enter("cumprod", RowFunction(
    lambda row, params: list(accumulate(row, mul)), _running_product_pull,
    lambda items, i, params: " * ".join(items[: i + 1]), lambda i, length: range(i + 1)),
    "running products along an axis", "sum(g * y) / x", "cumprod", "cumprod")
_enter("sort", RowFunction(
    lambda row, params: [row[i] for i in order_of(row, params)], _sort_pull, _sort_text),
    "the numbers along an axis in order", "unsort(g)", "sort", "sort msort")
# fmt: on
