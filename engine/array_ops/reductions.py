"""Functions that take the numbers along some axes to one: sums, means, extremes, spreads, norms.

A row of the table is a function of the numbers along the axes, and its gradient.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import accumulate
from operator import mul
from typing import Any

from engine import real

from .flat import (
    Flat,
    Numbers,
    axes_of,
    expanded,
    from_rows,
    kept_axes,
    order_along,
    rows_along,
)
from .grid import Shape
from .table import ArrayOp, Flats, Params, Pulled, Shapes, Wanted, define, names, rules

Row = Numbers


@dataclass(frozen=True, slots=True, eq=False)
class Reduction:
    """y = f(row; params) for each row along `params["axes"]`, all axes by default.

    `pull(row, y, g, params)` are the contributions to the row; None where no gradient passes.
    `text(elements, params)` is f as a formula of texts. `keepdims` keeps axes of length 1.
    """

    f: Callable[[Row, Params], float]
    pull: Callable[[Row, float, float, Params], Row] | None
    text: Callable[[list[str], Params], str]

    def shape(self, shapes: Shapes, params: Params) -> Shape:
        axes = axes_of(params, len(shapes[0]))
        return kept_axes(shapes[0], axes, params.get("keepdims", False))

    def forward(self, args: Sequence[Flat], params: Params) -> Flat:
        (x,) = args
        axes = axes_of(params, len(x.shape))
        f = self.f
        return Flat(self.shape([x.shape], params), [f(row, params) for row in rows_along(x, axes)])

    def backward(self, g: Flat, args: Flats, y: Flat, params: Params, wanted: Wanted) -> Pulled:
        (x,) = args
        if self.pull is None:
            return [Flat(x.shape, [0.0] * len(x.data))]
        axes = axes_of(params, len(x.shape))
        rows = zip(rows_along(x, axes), y.data, g.data, strict=True)
        pull = self.pull
        return [from_rows((pull(row, a, b, params) for row, a, b in rows), x.shape, axes)]

    def reads(self, cell: int, shapes: Shapes, params: Params) -> list[Sequence[int]]:
        order, length = order_along(shapes[0], axes_of(params, len(shapes[0])))
        return [order[cell * length : (cell + 1) * length]]

    def scalar(self, cell: int, shapes: Shapes, params: Params) -> str:
        (places,) = self.reads(cell, shapes, params)
        return self.text([f"x[{i}]" for i in places], params)


# Sums


def _spread_back(
    scale: Callable[[int], float],
) -> Callable[[Flat, Sequence[Flat], Flat, Params, Wanted], list[Flat | None]]:
    """The backward pass of a sum, times a number that depends on the count of terms."""

    def backward(g: Flat, args: Flats, y: Flat, params: Params, wanted: Wanted) -> Pulled:
        (x,) = args
        axes = axes_of(params, len(x.shape))
        count = math.prod(x.shape[k] for k in axes)
        wide = Flat(kept_axes(x.shape, axes, True), g.data)
        if scale is not _one:
            factor = scale(count)
            wide = Flat(wide.shape, [a / factor for a in g.data])
        data = expanded(wide, x.shape)
        return [Flat(x.shape, data if data is not g.data else data[:])]

    return backward


def _one(count: int) -> float:
    return 1.0


def _mean(row: Row, params: Params) -> float:
    return sum(row) / len(row) if row else math.nan


def _sum_text(items: list[str], params: Params) -> str:
    return " + ".join(items) or "0"


def _mean_text(items: list[str], params: Params) -> str:
    return f"({_sum_text(items, params)}) / {len(items)}"


def _product_pull(row: Row, y: float, g: float, params: Params) -> Row:
    """The product of the others: of those before times those after, so that zeros are right."""
    before = [1.0, *accumulate(row[:-1], mul)]
    after = [1.0, *accumulate(reversed(row[1:]), mul)]
    return [g * a * b for a, b in zip(before, reversed(after), strict=True)]


# Extremes


def _ties_split(row: Row, y: float, g: float, params: Params) -> Row:
    """Equal extremes share the gradient evenly, or with `ties="first"` the first has it all."""
    if params.get("ties") == "first":
        at = _first_place(row, y)
        return [g if i == at else 0.0 for i in range(len(row))]
    hits = [x == y or (x != x and y != y) for x in row]
    share = g / max(1, sum(hits))
    return [share if hit else 0.0 for hit in hits]


def _first_place(row: Row, y: float) -> int:
    return next((i for i, x in enumerate(row) if x == y or (x != x and y != y)), 0)


def _nested(name: str) -> Callable[[list[str], Params], str]:
    return lambda items, params: reduce(lambda a, b: f"{name}({a}, {b})", items)


def _argmax_text(better: str) -> Callable[[list[str], Params], str]:
    """The place of the extreme, as a chain of comparisons."""

    def text(items: list[str], params: Params) -> str:
        found = str(len(items) - 1)
        for i in reversed(range(len(items) - 1)):
            others = " and ".join(f"{items[i]} {better} {x}" for x in items[i + 1 :])
            found = f"{i} if {others} else {found}"
        return found

    return text


# Spreads


def _freedom(row: Row, params: Params) -> float:
    return float(max(0.0, len(row) - params.get("ddof", 0)))


def _variance(row: Row, params: Params) -> float:
    mean = sum(row) / len(row) if row else math.nan
    squares: float = sum((x - mean) ** 2 for x in row)
    return real.divide(squares, _freedom(row, params))


def _variance_pull(row: Row, y: float, g: float, params: Params) -> Row:
    mean = sum(row) / len(row)
    factor = real.divide(2.0 * g, _freedom(row, params))
    return [factor * (x - mean) for x in row]


def _deviation(row: Row, params: Params) -> float:
    return real.sqrt(_variance(row, params))


def _deviation_pull(row: Row, y: float, g: float, params: Params) -> Row:
    """0 where all numbers are equal, as in PyTorch."""
    if y == 0:
        return [0.0] * len(row)
    return _variance_pull(row, y, g / (2.0 * y), params)


def _variance_text(items: list[str], params: Params) -> str:
    mean = _mean_text(items, params)
    squares = " + ".join(f"({x} - {mean}) ** 2" for x in items)
    return f"({squares}) / {max(0, len(items) - params.get('ddof', 0))!r}"


# Norms


def _norm(row: Row, params: Params) -> float:
    p = params.get("p", 2.0)
    if p == 2:
        return math.sqrt(sum(map(mul, row, row)))
    if p == math.inf:
        return float(max(map(abs, row), default=0.0))
    if p == -math.inf:
        return float(min(map(abs, row), default=0.0))
    if p == 0:
        return float(sum(x != 0 for x in row))
    return float(real.power(sum(real.power(abs(x), p) for x in row), 1.0 / p))


def _norm_pull(row: Row, y: float, g: float, params: Params) -> Row:
    """0 where the norm is, as in PyTorch."""
    p = params.get("p", 2.0)
    if y == 0 or p == 0:
        return [0.0] * len(row)
    if p == 2:
        return [g * (x / y) for x in row]
    if abs(p) == math.inf:
        shares = _ties_split([abs(x) for x in row], y, g, params)
        return [math.copysign(share, x * share) if share else 0.0
                for share, x in zip(shares, row, strict=True)]  # fmt: skip
    return [g * math.copysign(real.power(abs(x) / y, p - 1.0), x) if x else 0.0 for x in row]


def _norm_text(items: list[str], params: Params) -> str:
    p = params.get("p", 2.0)
    if abs(p) == math.inf:
        return _nested("max" if p > 0 else "min")([f"abs({x})" for x in items], params)
    if p == 2:
        return f"sqrt({' + '.join(f'{x} ** 2' for x in items)})"
    if p == 0:
        return " + ".join(f"(1 if {x} != 0 else 0)" for x in items)
    return f"({' + '.join(f'abs({x}) ** {p!r}' for x in items)}) ** (1 / {p!r})"


def _logsumexp(row: Row, params: Params) -> float:
    top = max(row, default=-math.inf)
    if not math.isfinite(top):
        return top
    return top + math.log(sum(math.exp(x - top) for x in row))


def _logsumexp_text(items: list[str], params: Params) -> str:
    return f"log({' + '.join(f'exp({x})' for x in items)})"


def _softmax_share(row: Row, y: float, g: float, params: Params) -> Row:
    return [g * real.exp(x - y) for x in row]


def _truths(kind: str) -> Callable[[list[str], Params], str]:
    word = " and " if kind == "all" else " or "
    return lambda items, params: f"1 if {word.join(f'{x} != 0' for x in items)} else 0"


_SHAPES: tuple[tuple[tuple[Any, ...], dict[str, Any]], ...] = (
    (((2, 3),), {}),
    (((2, 3),), {"axes": (0,)}),
    (((2, 3, 2),), {"axes": (0, 2), "keepdims": True}),
    (((3,),), {"axes": (-1,)}),
)


def _enter(
    name: str, it: Reduction, words: str, rule: str, numpy: str, torch: str, node: str,
    samples: tuple[tuple[tuple[Any, ...], dict[str, Any]], ...] = _SHAPES, backward: Any = None,
) -> None:  # fmt: skip
    fixed = it.pull is None and backward is None
    define(
        ArrayOp(
            name, ("x",), it.forward, backward or it.backward, it.shape, it.reads, it.scalar,
            words, rules(rule), names(numpy), names(torch), node, constant=(0,) if fixed else (),
            samples=samples,
        )
    )  # fmt: skip


# fmt: off
_enter("sum", Reduction(lambda row, params: sum(row), None, _sum_text), "the sum along axes",
       "g", "sum", "sum", "SumBackward0", backward=_spread_back(_one))
_enter("mean", Reduction(_mean, None, _mean_text), "the mean along axes", "g / n",
       "mean average", "mean", "MeanBackward0",
       backward=_spread_back(float))
_enter("prod", Reduction(lambda row, params: math.prod(row), _product_pull,
                         lambda items, params: " * ".join(items) or "1"),
       "the product along axes", "g * y / x", "prod", "prod", "ProdBackward0")
_enter("amax", Reduction(lambda row, params: reduce(real.maximum, row), _ties_split,
                         _nested("max")),
       "the largest along axes", "g if x == y else 0", "max amax", "max amax", "AmaxBackward0",
       (*_SHAPES, (((2, 3),), {"axes": (1,), "ties": "first"})))
_enter("amin", Reduction(lambda row, params: reduce(real.minimum, row), _ties_split,
                         _nested("min")),
       "the smallest along axes", "g if x == y else 0", "min amin", "min amin", "AminBackward0")
_enter("argmax", Reduction(lambda row, params: _first_place(row, reduce(real.maximum, row)), None,
                           _argmax_text(">=")),
       "the place of the largest along axes", "", "argmax", "argmax", "")
_enter("argmin", Reduction(lambda row, params: _first_place(row, reduce(real.minimum, row)), None,
                           _argmax_text("<=")),
       "the place of the smallest along axes", "", "argmin", "argmin", "")
_enter("all", Reduction(lambda row, params: float(all(row)), None, _truths("all")),
       "whether all along axes hold", "", "all", "all", "")
_enter("any", Reduction(lambda row, params: float(any(row)), None, _truths("any")),
       "whether any along axes holds", "", "any", "any", "")
# fmt: on
_SPREADS = (*_SHAPES, (((2, 3),), {"axes": (1,), "ddof": 1}))
# fmt: off
_enter("var", Reduction(_variance, _variance_pull, _variance_text),
       "the mean squared distance from the mean along axes", "g * 2 * (x - mean(x)) / (n - ddof)",
       "var", "var", "VarBackward0", _SPREADS)
_enter("std", Reduction(_deviation, _deviation_pull,
                        lambda items, params: f"sqrt({_variance_text(items, params)})"),
       "the standard deviation along axes", "g * (x - mean(x)) / ((n - ddof) * y)", "std", "std",
       "StdBackward0", _SPREADS)
_enter("norm", Reduction(_norm, _norm_pull, _norm_text), "the length along axes", "g * x / y",
       "linalg.norm", "norm linalg.norm linalg.vector_norm", "LinalgVectorNormBackward0",
       (*_SHAPES, (((2, 3),), {"axes": (1,), "p": 1.0}), (((2, 3),), {"axes": (1,), "p": 3.0}),
        (((4,),), {"p": math.inf})))
_enter("logsumexp", Reduction(_logsumexp, _softmax_share,
                              _logsumexp_text),
       "the logarithm of the sum of exponentials along axes", "g * exp(x - y)",
       "", "logsumexp", "LogsumexpBackward0")
# fmt: on
