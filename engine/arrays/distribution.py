"""Functions of the distribution of numbers, and of points on a line."""

from __future__ import annotations

import math
from bisect import bisect_right
from itertools import pairwise
from typing import Any

from engine.array_ops.grid import from_items

from .array import Array, as_array, operand, result
from .context import Context
from .dtypes import FLOAT64, INT64, rounded
from .making import linspace
from .scalars import plain
from .shapes import axes_of


def quantile(
    context: Context, a: Any, q: Any, axis: Any = None, scale: float = 1.0, name: str = "Quantiles"
) -> Any:
    """The q-quantile, between neighbours in proportion to the distance."""
    array = as_array(context, a)
    array = array if array.dtype.kind == "f" else array.astype(FLOAT64)
    if axis is not None and axes_of(axis, array.ndim) != axes_of(None, array.ndim):
        context.host.refuse("Quantiles here are those of all elements.", "Leave axis out.")
    if not array.size:
        return result(context, from_items([math.nan], ()), FLOAT64)
    items = sorted(array.items())
    wanted = operand(context, q)
    shares = [plain(x) / scale for x in wanted.grid.items()]
    if not all(0 <= x <= 1 for x in shares):
        raise ValueError(f"{name} must be in the range [0, {scale:.0f}]")
    found = [_between(items, share * (len(items) - 1)) for share in shares]
    found = rounded(found, array.dtype)
    return result(context, from_items(found, wanted.grid.shape), array.dtype)


def percentile(context: Context, a: Any, q: Any, axis: Any = None) -> Any:
    """The quantile of q per cent."""
    return quantile(context, a, q, axis, 100.0, "Percentiles")


def _between(items: list[float], place: float) -> float:
    low = int(place)
    a, b = items[low], items[min(low + 1, len(items) - 1)]
    t = place - low
    return b - (b - a) * (1 - t) if t >= 0.5 else a + (b - a) * t


def histogram(
    context: Context, a: Any, bins: Any = 10, range: Any = None, density: bool = False  # noqa: A002
) -> tuple[Any, Array]:  # fmt: skip
    """The counts of numbers in equal bins, and the edges of these."""
    array = as_array(context, a)
    items = list(map(float, array.items()))
    if not isinstance(bins, int):
        edges = as_array(context, bins)
    else:
        low, high = range or ((min(items), max(items)) if items else (0.0, 1.0))
        low, high = (low - 0.5, high + 0.5) if low == high else (low, high)
        edges = linspace(context, low, high, bins + 1)
        edges = edges.astype(array.dtype) if array.dtype.kind == "f" else edges
    limits = edges.items()
    counts = [0] * (len(limits) - 1)
    for x in items:
        if limits[0] <= x <= limits[-1]:
            counts[min(bisect_right(limits, x), len(counts)) - 1] += 1
    if not density:
        return Array(context, from_items(counts, (len(counts),)), INT64), edges
    widths = [b - a for a, b in pairwise(limits)]
    shares = [n / w / sum(counts) for n, w in zip(counts, widths, strict=True)]
    return Array(context, from_items(shares, (len(shares),)), FLOAT64), edges


def bincount(context: Context, x: Any, minlength: int = 0) -> Array:
    """How often each integer from 0 occurs."""
    array = as_array(context, x)
    if array.ndim > 1:
        raise ValueError("object too deep for desired array")
    if array.size and array.dtype.kind not in "bui":
        raise TypeError(
            f"Cannot cast array data from {array.dtype!r} to dtype('int64') according to the rule "
            "'safe'"
        )
    items = array.items()
    if any(i < 0 for i in items):
        raise ValueError("'list' argument must have no negative elements")
    length = max(max(items, default=-1) + 1, minlength)
    context.admit((length,))
    counts = [0] * length
    for i in items:
        counts[i] += 1
    return Array(context, from_items(counts, (length,)), INT64)


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
    context: Context, x: Any, copy: bool = True, nan: float = 0.0, posinf: Any = None,
    neginf: Any = None,
) -> Any:  # fmt: skip
    """Numbers in place of nan and of infinities: 0 and the largest floats."""
    array = as_array(context, x)
    if array.dtype.kind != "f":
        return result(context, array.grid.copy(), array.dtype)
    largest = 1.7976931348623157e308 if array.dtype is FLOAT64 else (2 - 2.0**-23) * 2.0**127
    high = largest if posinf is None else float(posinf)
    low = -largest if neginf is None else float(neginf)
    finite = {math.inf: high, -math.inf: low}
    items = [float(nan) if y != y else finite.get(y, y) for y in array.items()]
    return result(context, from_items(items, array.shape), array.dtype)
