"""Functions that take an array to fewer numbers, along some axes or all."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from functools import reduce
from itertools import accumulate
from typing import Any

from engine.array_ops import folding

from .array import Array, as_array, combined, result
from .context import Context
from .dtypes import BOOL, FLOAT64, INT64, OBJECT, UINT64, ArrayDType, cast, rounded, wrapped
from .making import chosen_type
from .shapes import axes_of, axis_of
from .sums import sum_floats

Row = list[Any]


def _folded(a: Array, axis: Any, keepdims: bool, f: Callable[[Row], Any], dtype: ArrayDType) -> Any:
    """`f` of the elements along `axis`."""
    return result(a.context, folding.reduce(a.grid, axes_of(axis, a.ndim), f, keepdims), dtype)


def _summed_type(a: Array, dtype: Any) -> ArrayDType:
    """The type of sums: 64-bit integers for integers and truth values."""
    chosen = chosen_type(dtype)
    if chosen is not None:
        return chosen
    return UINT64 if a.dtype.kind == "u" else INT64 if a.dtype.kind in "bi" else a.dtype


def sum_of(a: Array, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Any:
    """The sum; 0 of no elements."""
    kind = _summed_type(a, dtype)
    if kind is OBJECT:
        return _folded(a, axis, keepdims, lambda row: _join(a.context, "+", row, 0), kind)
    if kind.kind != "f":
        return _folded(a, axis, keepdims, lambda row: wrapped([sum(row)], kind)[0], kind)
    axes = axes_of(axis, a.ndim)
    shape, sums = sum_floats((a if a.dtype.kind == "f" else a.astype(kind)).grid, axes)
    if keepdims:
        shape = tuple(1 if k in axes else n for k, n in enumerate(a.shape))
    return a.answer(rounded(sums, kind), shape, kind)


def _join(context: Context, sign: str, row: Row, empty: Any) -> Any:
    """Objects combined by an operator from the left."""
    return reduce(lambda x, y: context.host.binary(sign, x, y), row) if row else empty


def prod(a: Array, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Any:
    """The product; 1 of no elements."""
    kind = _summed_type(a, dtype)
    if kind is OBJECT:
        return _folded(a, axis, keepdims, lambda row: _join(a.context, "*", row, 1), kind)
    return _folded(a, axis, keepdims, lambda row: _product(cast(row, kind), kind), kind)


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


def mean(a: Array, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Any:
    """The arithmetic mean; nan of no elements."""
    _check_axes(a, axis)
    kind = chosen_type(dtype) or (FLOAT64 if a.dtype.kind in "biu" else a.dtype)
    count = _count(a, axis)
    if not count:
        a.context.host.note("RuntimeWarning: Mean of empty slice.")
    return combined(a.context, "/", sum_of(a, axis, kind, keepdims), count)


def var(
    a: Array, axis: Any = None, ddof: Any = 0, keepdims: bool = False, correction: Any = None
) -> Any:
    """The mean square of the distances to the mean, over n - ddof."""
    distances = combined(a.context, "-", a, mean(a, axis, keepdims=True))
    squares = as_array(a.context, combined(a.context, "*", distances, distances))
    freedom = max(_count(a, axis) - (ddof if correction is None else correction), 0)
    return combined(a.context, "/", sum_of(squares, axis, keepdims=keepdims), freedom)


def rooted(context: Context, x: Any) -> Any:
    """The square root of an array or a number."""
    found = as_array(context, x).mapped("sqrt")
    return result(context, found.grid, found.dtype)


def std(
    a: Array, axis: Any = None, ddof: Any = 0, keepdims: bool = False, correction: Any = None
) -> Any:
    """The square root of the variance."""
    return rooted(a.context, var(a, axis, ddof, keepdims, correction))


def average(a: Array, axis: Any = None, weights: Any = None, keepdims: bool = False) -> Any:
    """The mean with weights."""
    if weights is None:
        return mean(a, axis, keepdims=keepdims)
    context, given = a.context, as_array(a.context, weights)
    weighted = as_array(context, combined(context, "*", a, given))
    own = axis if given.ndim > 1 else None
    total = sum_of(given, own, keepdims=keepdims and own is not None)
    return combined(context, "/", sum_of(weighted, axis, keepdims=keepdims), total)


def median(a: Array, axis: Any = None, keepdims: bool = False) -> Any:
    """The middle number, or the mean of the two in the middle."""
    _check_axes(a, axis)
    a = a if a.dtype.kind == "f" else a.astype(FLOAT64)
    return _folded(a, axis, keepdims, lambda row: rounded([_middle(row)], a.dtype)[0], a.dtype)


def _middle(row: Row) -> float:
    if not row or any(x != x for x in row):
        return math.nan
    row, half = sorted(row), len(row) // 2
    middle: float = row[half] if len(row) % 2 else (row[half - 1] + row[half]) / 2
    return middle


# Extremes


def _extreme(name: str, sign: int) -> Callable[..., Any]:
    def extreme(a: Array, axis: Any = None, keepdims: bool = False) -> Any:
        if not _count(a, axis):
            raise ValueError(f"zero-size array to reduction operation {name} which has no identity")
        return _folded(a, axis, keepdims, pick_of(a.dtype, sign), a.dtype)

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


def ptp(a: Array, axis: Any = None, keepdims: bool = False) -> Any:
    """The largest minus the smallest."""
    ends = (f(a, axis, keepdims=keepdims) for f in (maximum_of, minimum_of))
    return combined(a.context, "-", *ends)


def _place_of(name: str, sign: int) -> Callable[..., Any]:
    def place(a: Array, axis: Any = None, keepdims: bool = False) -> Any:
        if not _count(a, axis):
            raise ValueError(f"attempt to get {name} of an empty sequence")
        axis = None if axis is None or not a.ndim else axis_of(axis, a.ndim)
        return _folded(a, axis, keepdims, _index_of(a.dtype, sign), INT64)

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


def all_of(a: Array, axis: Any = None, keepdims: bool = False) -> Any:
    """Whether all elements are true."""
    return _folded(a, axis, keepdims, all, BOOL)


def any_of(a: Array, axis: Any = None, keepdims: bool = False) -> Any:
    """Whether an element is true."""
    return _folded(a, axis, keepdims, any, BOOL)


def count_nonzero(a: Array, axis: Any = None, keepdims: bool = False) -> Any:
    """The number of elements that are true."""
    return _folded(a, axis, keepdims, lambda row: sum(map(bool, row)), INT64)


# Running results


def _running(sign: str, step: Callable[[Any, Any], Any]) -> Callable[..., Array]:
    def function(a: Array, axis: Any = None, dtype: Any = None) -> Array:
        if axis is None:
            a, axis = a.row(a.items()), 0
        kind = _summed_type(a, dtype)
        fit = rounded if kind.kind == "f" else wrapped
        combine: Callable[[Any, Any], Any] = lambda x, y: fit([step(x, y)], kind)[0]  # noqa: E731
        if kind is OBJECT:
            combine = lambda x, y: a.context.host.binary(sign, x, y)  # noqa: E731
        source = a if kind is a.dtype else a.astype(kind)
        return along_axis(source, axis, lambda row: list(accumulate(row, combine)), kind)

    return function


cumsum = _running("+", operator.add)
cumprod = _running("*", operator.mul)


def along_axis(a: Array, axis: Any, f: Callable[[Row], Row], dtype: ArrayDType) -> Array:
    """Each row along an axis replaced by `f` of it."""
    return Array(a.context, folding.along(a.grid, axis_of(axis, a.ndim), f), dtype)
