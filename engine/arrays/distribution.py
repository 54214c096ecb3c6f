"""Functions of the distribution of numbers, and of points on a line."""

from __future__ import annotations

import math
from bisect import bisect_right
from itertools import pairwise
from typing import Any

from engine.array_ops import folding
from engine.array_ops.grid import from_items

from .array import Array, as_array, operand, result
from .context import Context
from .dtypes import FLOAT64, INT64, rounded
from .making import linspace
from .picking import flat_vectors
from .scalars import plain
from .shapes import axes_of


def quantile(
    a: Array, q: Any, axis: Any = None, scale: float = 1.0, name: str = "Quantiles"
) -> Any:  # fmt: skip
    """The q-quantile along an axis, between neighbours in proportion to the distance."""
    array = a if a.dtype.kind == "f" else a.astype(FLOAT64)
    wanted = operand(a.context, q)
    shares = [plain(x) / scale for x in wanted.grid.items()]
    if not all(0 <= x <= 1 for x in shares):
        raise ValueError(f"{name} must be in the range [0, {scale:.0f}]")
    dtype = FLOAT64 if wanted.grid.shape else array.dtype  # a number has no type of its own
    shape, rows = folding.rows_along(array.grid, axes_of(axis, array.ndim))
    rows = [sorted(row) if not any(x != x for x in row) else [math.nan] for row in rows]
    found = [_between(row, share * (len(row) - 1)) for share in shares for row in rows]
    return a.answer(rounded(found, dtype), (*wanted.grid.shape, *shape), dtype)


def percentile(a: Array, q: Any, axis: Any = None) -> Any:
    """The quantile of q per cent."""
    return quantile(a, q, axis, 100.0, "Percentiles")


def _between(items: list[float], place: float) -> float:
    if not items:
        raise IndexError("index -1 is out of bounds for axis 0 with size 0")
    low = int(place)
    a, b = items[low], items[min(low + 1, len(items) - 1)]
    t = place - low
    return b - (b - a) * (1 - t) if t >= 0.5 else a + (b - a) * t


def histogram(
    a: Array, bins: Any = 10, range: Any = None, density: bool = False  # noqa: A002
) -> tuple[Any, Array]:  # fmt: skip
    """The counts of numbers in equal bins, and the edges of these."""
    context, items = a.context, list(map(float, a.items()))
    if not isinstance(bins, int):
        edges = as_array(context, bins)
    else:
        low, high = range or ((min(items), max(items)) if items else (0.0, 1.0))
        low, high = (low - 0.5, high + 0.5) if low == high else (low, high)
        edges = linspace(context, low, high, bins + 1)
        edges = edges.astype(a.dtype) if a.dtype.kind == "f" else edges
    limits = edges.items()
    counts = [0] * (len(limits) - 1)
    for x in items:
        if limits[0] <= x <= limits[-1]:
            counts[min(bisect_right(limits, x), len(counts)) - 1] += 1
    if not density:
        return a.row(counts, INT64), edges
    widths = [b - a for a, b in pairwise(limits)]
    shares = [n / w / sum(counts) for n, w in zip(counts, widths, strict=True)]
    return a.row(shares, FLOAT64), edges


def bincount(x: Array, weights: Any = None, minlength: int = 0) -> Array:
    """How often each integer from 0 occurs, or the sums of weights."""
    flat_vectors(x)
    if x.dtype.kind not in "bui":
        raise TypeError(
            f"Cannot cast array data from {x.dtype!r} to dtype('int64') according to the rule "
            "'safe'"
        )
    items = x.items()
    if any(i < 0 for i in items):
        raise ValueError("'list' argument must have no negative elements")
    length = max(max(items, default=-1) + 1, minlength)
    x.context.admit((length,))
    amounts = [1] * x.size if weights is None else as_array(x.context, weights, FLOAT64).items()
    counts: list[Any] = [0 if weights is None else 0.0] * length
    for i, amount in zip(items, amounts, strict=True):
        counts[i] += amount
    return x.row(counts, INT64 if weights is None else FLOAT64)


def interp(context: Context, x: Any, xp: Any, fp: Any, left: Any = None, right: Any = None) -> Any:
    """The piecewise linear function through the points (xp, fp); constant beyond them."""
    wanted = operand(context, x)
    xs, ys = (as_array(context, points, FLOAT64).items() for points in (xp, fp))
    if len(xs) != len(ys):
        raise ValueError("fp and xp are not of the same length.")
    if not xs:
        raise ValueError("array of sample points is empty")
    ends = ys[0] if left is None else float(left), ys[-1] if right is None else float(right)
    found = [_on_line(float(at), xs, ys, ends) for at in wanted.grid.items()]
    return result(context, from_items(found, wanted.grid.shape), FLOAT64)


def _on_line(x: float, xs: list[float], ys: list[float], ends: tuple[float, float]) -> float:
    j = bisect_right(xs, x) - 1
    if x != x:
        return x
    if j < 0:
        return ends[0]
    if j >= len(xs) - 1:
        return ys[-1] if x == xs[-1] else ends[1]
    return (ys[j + 1] - ys[j]) / (xs[j + 1] - xs[j]) * (x - xs[j]) + ys[j]


def nan_to_num(
    x: Array, copy: bool = True, nan: float = 0.0, posinf: Any = None,
    neginf: Any = None,
) -> Any:  # fmt: skip
    """Numbers in place of nan and of infinities: 0 and the largest floats."""
    if x.dtype.kind != "f":
        return x.answer(x.items())
    largest = 1.7976931348623157e308 if x.dtype is FLOAT64 else (2 - 2.0**-23) * 2.0**127
    high = largest if posinf is None else float(posinf)
    low = -largest if neginf is None else float(neginf)
    finite = {math.inf: high, -math.inf: low}
    items = [float(nan) if y != y else finite.get(y, y) for y in x.items()]
    return x.answer(items)
