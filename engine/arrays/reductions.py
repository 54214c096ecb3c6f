"""Functions that take an array to fewer numbers, along some axes or all."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import reduce
from itertools import accumulate
from typing import Any

from engine.array_ops import folding
from engine.array_ops.grid import from_items, reshape

from .array import Array, as_array, combined, result
from .context import Context
from .dtypes import BOOL, FLOAT64, INT64, OBJECT, UINT64, ArrayDType, cast, rounded, wrapped
from .making import chosen_type
from .shapes import axes_of, axis_of
from .sums import sum_floats

Row = list[Any]


def _folded(
    context: Context,
    a: Array,
    axis: Any,
    keepdims: bool,
    f: Callable[[Row], Any],
    dtype: ArrayDType,
) -> Any:
    """`f` of the elements along `axis`."""
    axes = axes_of(axis, a.ndim)
    return result(context, folding.reduce(a.grid, axes, f, keepdims), dtype)


def _summed_type(a: Array, dtype: Any) -> ArrayDType:
    """The type of sums: 64-bit integers for integers and truth values."""
    chosen = chosen_type(dtype)
    if chosen is not None:
        return chosen
    return UINT64 if a.dtype.kind == "u" else INT64 if a.dtype.kind in "bi" else a.dtype


def sum_of(
    context: Context, a: Any, axis: Any = None, dtype: Any = None, keepdims: bool = False
) -> Any:
    """The sum; 0 of no elements."""
    a = as_array(context, a)
    kind = _summed_type(a, dtype)
    if kind is OBJECT:
        return _folded(context, a, axis, keepdims, lambda row: _join(context, "+", row, 0), kind)
    if kind.kind != "f":
        return _folded(context, a, axis, keepdims, lambda row: wrapped([sum(row)], kind)[0], kind)
    return _sum_floats(context, a, axis, keepdims, kind)


def _sum_floats(context: Context, a: Array, axis: Any, keepdims: bool, kind: ArrayDType) -> Any:
    axes = axes_of(axis, a.ndim)
    source = a if a.dtype.kind == "f" else a.astype(kind)
    shape, sums = sum_floats(source.grid, axes)
    if keepdims:
        shape = tuple(1 if k in axes else n for k, n in enumerate(a.shape))
    return result(context, from_items(rounded(sums, kind), shape), kind)


def _join(context: Context, sign: str, row: Row, empty: Any) -> Any:
    """Objects combined by an operator from the left."""
    return reduce(lambda x, y: context.host.binary(sign, x, y), row) if row else empty


def prod(
    context: Context, a: Any, axis: Any = None, dtype: Any = None, keepdims: bool = False
) -> Any:
    """The product; 1 of no elements."""
    a = as_array(context, a)
    kind = _summed_type(a, dtype)
    if kind is OBJECT:
        return _folded(context, a, axis, keepdims, lambda row: _join(context, "*", row, 1), kind)
    return _folded(context, a, axis, keepdims, lambda row: _product(cast(row, kind), kind), kind)


def _product(row: Row, kind: ArrayDType) -> Any:
    if kind.kind == "f":
        return rounded([reduce(lambda x, y: x * y, row, 1.0)], kind)[0]
    return reduce(lambda x, y: wrapped([x * y], kind)[0], row, 1)


# Averages


def _check_axes(a: Array, axis: Any) -> None:
    """Raises AxisError for an axis of a number, which sums and extremes take as it is."""
    for k in () if axis is None else axis if isinstance(axis, (tuple, list)) else (axis,):
        axis_of(k, a.ndim)


def _count(a: Array, axis: Any) -> int:
    return math.prod(a.shape[k] for k in axes_of(axis, a.ndim))


def mean(
    context: Context, a: Any, axis: Any = None, dtype: Any = None, keepdims: bool = False
) -> Any:
    """The arithmetic mean; nan of no elements."""
    a = as_array(context, a)
    _check_axes(a, axis)
    kind = chosen_type(dtype) or (FLOAT64 if a.dtype.kind in "biu" else a.dtype)
    count = _count(a, axis)
    if not count:
        context.host.note("RuntimeWarning: Mean of empty slice.")
    total = sum_of(context, a, axis, kind, keepdims)
    return combined(context, "/", total, count)


def var(
    context: Context, a: Any, axis: Any = None, ddof: Any = 0, keepdims: bool = False,
    correction: Any = None,
) -> Any:  # fmt: skip
    """The mean square of the distances to the mean, over n - ddof."""
    a = as_array(context, a)
    distances = combined(context, "-", a, mean(context, a, axis, keepdims=True))
    squares = as_array(context, combined(context, "*", distances, distances))
    freedom = max(_count(a, axis) - (ddof if correction is None else correction), 0)
    return combined(context, "/", sum_of(context, squares, axis, keepdims=keepdims), freedom)


def std(
    context: Context, a: Any, axis: Any = None, ddof: Any = 0, keepdims: bool = False,
    correction: Any = None,
) -> Any:  # fmt: skip
    """The square root of the variance."""
    squared = as_array(context, var(context, a, axis, ddof, keepdims, correction))
    found = squared.mapped("sqrt")
    return result(context, found.grid, found.dtype)


def average(
    context: Context, a: Any, axis: Any = None, weights: Any = None, keepdims: bool = False
) -> Any:
    """The mean with weights."""
    if weights is None:
        return mean(context, a, axis, keepdims=keepdims)
    weighted = combined(context, "*", a, weights)
    total = sum_of(context, weights, axis if as_array(context, weights).ndim > 1 else None)
    if keepdims:
        total = as_array(context, total)
        total = total if total.ndim == 0 else sum_of(context, weights, axis, keepdims=True)
    return combined(context, "/", sum_of(context, weighted, axis, keepdims=keepdims), total)


def median(context: Context, a: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """The middle number, or the mean of the two in the middle."""
    array = as_array(context, a)
    _check_axes(array, axis)
    array = array if array.dtype.kind == "f" else array.astype(FLOAT64)

    def middle(row: Row) -> float:
        return rounded([_middle(row)], array.dtype)[0]

    return _folded(context, array, axis, keepdims, middle, array.dtype)


def _middle(row: Row) -> float:
    if not row or any(x != x for x in row):
        return math.nan
    row, half = sorted(row), len(row) // 2
    middle: float = row[half] if len(row) % 2 else (row[half - 1] + row[half]) / 2
    return middle


# Extremes


def _extreme(name: str, sign: int) -> Callable[..., Any]:
    def extreme(context: Context, a: Any, axis: Any = None, keepdims: bool = False) -> Any:
        a = as_array(context, a)
        if not _count(a, axis):
            raise ValueError(f"zero-size array to reduction operation {name} which has no identity")
        return _folded(context, a, axis, keepdims, pick_of(a.dtype, sign), a.dtype)

    return extreme


def pick_of(dtype: ArrayDType, sign: int) -> Callable[[Row], Any]:
    """The largest (sign 1) or smallest (-1) of elements of a type; nan if one is nan."""
    if dtype is OBJECT:
        return lambda row: reduce(lambda x, y: x if (x >= y if sign > 0 else x <= y) else y, row)
    best = max if sign > 0 else min
    if dtype.kind == "f":
        return lambda row: best(row) if not any(x != x for x in row) else math.nan
    return best


maximum_of = _extreme("maximum", 1)
minimum_of = _extreme("minimum", -1)


def ptp(context: Context, a: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """The largest minus the smallest."""
    ends = (f(context, a, axis, keepdims=keepdims) for f in (maximum_of, minimum_of))
    return combined(context, "-", *ends)


def _place_of(name: str, sign: int) -> Callable[..., Any]:
    def place(context: Context, a: Any, axis: Any = None, keepdims: bool = False) -> Any:
        a = as_array(context, a)
        if not _count(a, axis):
            raise ValueError(f"attempt to get {name} of an empty sequence")
        pick = _index_of(a.dtype, sign)
        axis = None if axis is None else axis_of(axis, a.ndim)
        return _folded(context, a, axis, keepdims, pick, INT64)

    return place


def _index_of(dtype: ArrayDType, sign: int) -> Callable[[Row], int]:
    """The first place of the extreme, or of a nan."""
    if dtype is OBJECT:
        return lambda row: reduce(
            lambda i, j: j if (row[j] > row[i] if sign > 0 else row[j] < row[i]) else i,
            range(len(row)),
        )
    best = max if sign > 0 else min

    def index(row: Row) -> int:
        odd = next((i for i, x in enumerate(row) if x != x), None)
        return row.index(best(row)) if odd is None else odd

    return index


argmax = _place_of("argmax", 1)
argmin = _place_of("argmin", -1)


# Truth


def all_of(context: Context, a: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """Whether all elements are true."""
    return _folded(context, as_array(context, a), axis, keepdims, all, BOOL)


def any_of(context: Context, a: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """Whether an element is true."""
    return _folded(context, as_array(context, a), axis, keepdims, any, BOOL)


def count_nonzero(context: Context, a: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """The number of elements that are true."""
    return _folded(
        context, as_array(context, a), axis, keepdims, lambda row: sum(map(bool, row)), INT64
    )


# Running results


def _running(
    context: Context, a: Any, axis: Any, dtype: Any, sign: str, step: Callable[[Any, Any], Any]
) -> Array:
    a = as_array(context, a)
    if axis is None:
        a, axis = a.like(reshape(a.grid, (a.size,))), 0
    kind = _summed_type(a, dtype)
    source = a.grid if kind is a.dtype else a.astype(kind).grid
    combine: Callable[[Any, Any], Any]
    if kind is OBJECT:
        combine = lambda x, y: context.host.binary(sign, x, y)  # noqa: E731
    elif kind.kind == "f":
        combine = lambda x, y: rounded([step(x, y)], kind)[0]  # noqa: E731
    else:
        combine = lambda x, y: wrapped([step(x, y)], kind)[0]  # noqa: E731
    grid = folding.along(source, axis_of(axis, a.ndim), lambda row: list(accumulate(row, combine)))
    return Array(context, grid, kind)


def cumsum(context: Context, a: Any, axis: Any = None, dtype: Any = None) -> Array:
    """The running sums."""
    return _running(context, a, axis, dtype, "+", lambda x, y: x + y)


def cumprod(context: Context, a: Any, axis: Any = None, dtype: Any = None) -> Array:
    """The running products."""
    return _running(context, a, axis, dtype, "*", lambda x, y: x * y)


def along_axis(
    context: Context, a: Array, axis: Any, f: Callable[[Row], Row], dtype: ArrayDType
) -> Array:
    """Each row along an axis replaced by `f` of it."""
    return Array(context, folding.along(a.grid, axis_of(axis, a.ndim), f), dtype)
