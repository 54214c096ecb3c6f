"""Choices among several arrays, sets of elements, reductions that pass over nan."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Callable
from itertools import pairwise
from typing import Any

from engine.array_ops import folding

from . import choosing, reductions
from .arrangement import moveaxis, reshape
from .array import Array, as_array, result
from .choosing import where
from .context import Context
from .dtypes import BOOL, INT64
from .joining import stack
from .picking import flatnonzero
from .shapes import axes_of, axis_of


def select(context: Context, condlist: Any, choicelist: Any, default: Any = 0) -> Any:
    """The choice of the first condition that holds, element by element."""
    if len(condlist) != len(choicelist):
        raise ValueError("list of cases must be same length as list of conditions")
    if not len(condlist):
        raise ValueError("select with an empty condition list is not possible")
    found: Any = default
    for i, (condition, choice) in enumerate(reversed(list(zip(condlist, choicelist, strict=True)))):
        test = as_array(context, condition)
        if test.dtype is not BOOL:
            raise TypeError(
                f"invalid entry {len(condlist) - 1 - i} in condlist: should be boolean ndarray"
            )
        found = where(context, test, choice, found)
    return found


def ix_(context: Context, *args: Any) -> tuple[Array, ...]:
    """Indices of rows and columns, shaped so that they name every pair."""
    found = []
    for k, rows in enumerate(args):
        array = as_array(context, rows)
        if array.ndim != 1:
            raise ValueError("Cross index must be 1 dimensional")
        array = flatnonzero(array) if array.dtype is BOOL else array
        found.append(reshape(array, tuple(-1 if i == k else 1 for i in range(len(args)))))
    return tuple(found)


def digitize(x: Array, bins: Any, right: bool = False) -> Any:
    """The number of rising bounds that each element has passed."""
    bounds = as_array(x.context, bins).items()
    if any(a > b for a, b in pairwise(bounds)):
        x.context.host.refuse("digitize takes rising bins here.", "Sort the bins.")
    find = bisect_left if right else bisect_right
    return x.answer([find(bounds, value) for value in x.items()], dtype=INT64)


def cross(a: Any, b: Any) -> Any:
    """The cross products of vectors of three numbers, which stand in the last axis."""
    other: Any = as_array(a.context, b)
    if a.shape[-1:] != (3,) or other.shape[-1:] != (3,):
        a.context.host.refuse("cross takes vectors of three numbers here.", "Add a third, 0.")
    parts = [a[..., i] * other[..., j] - a[..., j] * other[..., i]
             for i, j in ((1, 2), (2, 0), (0, 1))]  # fmt: skip
    return stack(a.context, parts, -1)


def trapezoid(y: Any, x: Any = None, dx: Any = 1.0) -> Any:
    """The area below a piecewise linear function."""
    if y.ndim != 1:
        y.context.host.refuse("trapezoid takes a vector here.", "Take row by row.")
    widths = dx if x is None else choosing.diff(as_array(y.context, x))
    return reductions.sum_of(as_array(y.context, (y[1:] + y[:-1]) / 2.0 * widths))


def apply_along_axis(
    context: Context, func1d: Any, axis: Any, arr: Any, *args: Any, **kwargs: Any
) -> Any:
    """A function of each row along an axis; its results are numbers or rows of one length."""
    array = as_array(context, arr)
    k = axis_of(axis, array.ndim)
    shape, rows = folding.rows_along(array.grid, [k])
    found = [
        as_array(context, context.host.call(func1d, array.row(row), *args, **kwargs))
        for row in rows
    ]
    if not found:
        raise ValueError("Cannot apply_along_axis when any iteration dimensions are 0")
    last = reshape(stack(context, found, 0), (*shape, *found[0].shape))
    return moveaxis(last, -1, k) if found[0].shape else last


# Sets


def _of_sets(keep: Callable[[set[Any], set[Any]], set[Any]]) -> Callable[..., Array]:
    def function(ar1: Array, ar2: Any) -> Array:
        other = as_array(ar1.context, ar2)
        items = sorted(keep(set(ar1.items()), set(other.items())))
        return as_array(ar1.context, items, ar1.dtype if ar1.dtype == other.dtype else None)

    return function


intersect1d = _of_sets(set.intersection)
union1d = _of_sets(set.union)
setdiff1d = _of_sets(set.difference)
setxor1d = _of_sets(set.symmetric_difference)


# Reductions that pass over nan


def _without_nan(reduction: Callable[..., Any], empty: float | None) -> Callable[..., Any]:
    """`reduction` of the elements along an axis that are not nan."""

    def function(a: Array, axis: Any = None, keepdims: bool = False) -> Any:
        if a.dtype.kind != "f":
            return reduction(a, axis, keepdims=keepdims)

        def of_row(row: list[Any]) -> Any:
            kept = [x for x in row if x == x]
            if not kept and empty is not None:
                return empty
            return float(reduction(a.row(kept or [math.nan])))

        found = folding.reduce(a.grid, axes_of(axis, a.ndim), of_row, keepdims)
        return result(a.context, found, a.dtype)

    return function


def _place_without_nan(sign: int) -> Callable[..., Any]:
    """The place of the extreme among the elements that are not nan."""

    def function(a: Array, axis: Any = None, keepdims: bool = False) -> Any:
        def of_row(row: list[Any]) -> int:
            kept = [i for i, x in enumerate(row) if x == x]
            if not kept:
                raise ValueError("All-NaN slice encountered")
            return max(kept, key=lambda i: (sign * row[i], -i))

        found = folding.reduce(a.grid, axes_of(axis, a.ndim), of_row, keepdims)
        return result(a.context, found, INT64)

    return function


def nancumsum(a: Array, axis: Any = None) -> Array:
    """The running sums, nan counted as 0."""
    return reductions.cumsum(a.made([0 if x != x else x for x in a.items()]), axis)


nanargmax, nanargmin = _place_without_nan(1), _place_without_nan(-1)
nansum = _without_nan(reductions.sum_of, 0.0)
nanmean = _without_nan(reductions.mean, None)
nanmax = _without_nan(reductions.maximum_of, None)
nanmin = _without_nan(reductions.minimum_of, None)
nanstd = _without_nan(reductions.std, None)
nanvar = _without_nan(reductions.var, None)
nanmedian = _without_nan(reductions.median, None)
