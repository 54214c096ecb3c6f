"""Choices among several arrays, sets of elements, reductions that pass over nan."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Callable
from itertools import pairwise
from typing import Any

from engine.array_ops import folding
from engine.array_ops.grid import from_items, reshape, transpose

from . import reductions
from .array import Array, as_array, combined, operand, result
from .choosing import where
from .context import Context
from .dtypes import BOOL, INT64
from .joining import stack
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
        if array.dtype is BOOL:
            at = [i for i, x in enumerate(array.items()) if x]
            array = Array(context, from_items(at, (len(at),)), INT64)
        shape = tuple(array.size if i == k else 1 for i in range(len(args)))
        context.admit(shape)
        found.append(array.like(reshape(array.grid, shape)))
    return tuple(found)


def digitize(context: Context, x: Any, bins: Any, right: bool = False) -> Any:
    """The number of rising bounds that each element has passed."""
    bounds = as_array(context, bins).items()
    side = operand(context, x)
    if any(a > b for a, b in pairwise(bounds)):
        context.host.refuse("digitize takes rising bins here.", "Sort the bins.")
    find = bisect_left if right else bisect_right
    items = [find(bounds, value) for value in side.grid.items()]
    return result(context, from_items(items, side.grid.shape), INT64)


def cross(context: Context, a: Any, b: Any) -> Any:
    """The cross product of two vectors of three numbers."""
    left, right = as_array(context, a), as_array(context, b)
    if left.shape != (3,) or right.shape != (3,):
        context.host.refuse("cross takes two vectors of three numbers here.", "Take row by row.")
    order = ((1, 2), (2, 0), (0, 1))
    parts = [
        combined(
            context, "-", combined(context, "*", left[i], right[j]),
            combined(context, "*", left[j], right[i]),
        )
        for i, j in order
    ]  # fmt: skip
    return as_array(context, parts)


def trapezoid(context: Context, y: Any, x: Any = None, dx: Any = 1.0) -> Any:
    """The area below a piecewise linear function."""
    heights = as_array(context, y)
    if heights.ndim != 1:
        context.host.refuse("trapezoid takes a vector here.", "Take row by row.")
    middle = combined(context, "/", combined(context, "+", heights[1:], heights[:-1]), 2.0)
    if x is None:
        return reductions.sum_of(context, combined(context, "*", middle, dx))
    places = as_array(context, x)
    widths = combined(context, "-", places[1:], places[:-1])
    return reductions.sum_of(context, combined(context, "*", widths, middle))


def apply_along_axis(
    context: Context, func1d: Any, axis: Any, arr: Any, *args: Any, **kwargs: Any
) -> Any:
    """A function of each row along an axis; its results are numbers or rows of one length."""
    array = as_array(context, arr)
    k = axis_of(axis, array.ndim)
    shape, rows = folding.rows_along(array.grid, [k])
    found = []
    for row in rows:
        vector = array.like(from_items(row, (len(row),)))
        found.append(as_array(context, context.host.call(func1d, vector, *args, **kwargs)))
    if not found:
        raise ValueError("Cannot apply_along_axis when any iteration dimensions are 0")
    joined = stack(context, found, 0)
    last = joined.like(reshape(joined.grid, (*shape, *found[0].shape)))
    if not found[0].shape:
        return result(context, last.grid, last.dtype)
    order = list(range(len(shape)))
    order.insert(k, len(shape))
    return last.like(transpose(last.grid, order))


# Sets


def _of_sets(keep: Callable[[set[Any], set[Any]], set[Any]]) -> Callable[..., Array]:
    def function(context: Context, ar1: Any, ar2: Any) -> Array:
        a, b = as_array(context, ar1), as_array(context, ar2)
        items = sorted(keep(set(a.items()), set(b.items())))
        return as_array(context, items, a.dtype if a.dtype == b.dtype else None)

    return function


intersect1d = _of_sets(set.intersection)
union1d = _of_sets(set.union)
setdiff1d = _of_sets(set.difference)
setxor1d = _of_sets(set.symmetric_difference)


# Reductions that pass over nan


def _without_nan(reduction: Callable[..., Any], empty: float | None) -> Callable[..., Any]:
    """`reduction` of the elements along an axis that are not nan."""

    def function(context: Context, a: Any, axis: Any = None, keepdims: bool = False) -> Any:
        array = as_array(context, a)
        if array.dtype.kind != "f":
            return reduction(context, array, axis, keepdims=keepdims)
        axes = axes_of(axis, array.ndim)

        def of_row(row: list[Any]) -> Any:
            kept = [x for x in row if x == x]
            if not kept and empty is not None:
                return empty
            vector = Array(context, from_items(kept or [math.nan], (len(kept) or 1,)), array.dtype)
            return float(reduction(context, vector))

        found = folding.reduce(array.grid, axes, of_row, keepdims)
        return result(context, found, array.dtype)

    return function


def _place_without_nan(sign: int) -> Callable[..., Any]:
    """The place of the extreme among the elements that are not nan."""

    def function(context: Context, a: Any, axis: Any = None, keepdims: bool = False) -> Any:
        array = as_array(context, a)

        def of_row(row: list[Any]) -> int:
            kept = [i for i, x in enumerate(row) if x == x]
            if not kept:
                raise ValueError("All-NaN slice encountered")
            return max(kept, key=lambda i: (sign * row[i], -i))

        found = folding.reduce(array.grid, axes_of(axis, array.ndim), of_row, keepdims)
        return result(context, found, INT64)

    return function


nanargmax, nanargmin = _place_without_nan(1), _place_without_nan(-1)
nansum = _without_nan(reductions.sum_of, 0.0)
nanmean = _without_nan(reductions.mean, None)
nanmax = _without_nan(reductions.maximum_of, None)
nanmin = _without_nan(reductions.minimum_of, None)
nanstd = _without_nan(reductions.std, None)
nanvar = _without_nan(reductions.var, None)
nanmedian = _without_nan(reductions.median, None)
