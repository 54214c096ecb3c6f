"""Arrays made of several arrays."""

from __future__ import annotations

from functools import reduce
from typing import Any

from engine.array_ops import folding
from engine.array_ops.flat import Misfit
from engine.array_ops.grid import Grid, from_items, insert_axis
from engine.array_ops.places import check_joint

from .array import Array, as_array
from .context import Context
from .dtypes import ArrayDType, cast, promote
from .making import arange, linspace
from .reshaping import atleast_1d, atleast_2d, ravel, reshape
from .shapes import axis_of, shape_of


def _arrays(context: Context, arrays: Any) -> list[Array]:
    return [as_array(context, x) for x in arrays]


def _joined(context: Context, arrays: list[Array], axis: int) -> Array:
    """Arrays of one number of axes, one after the other along `axis`."""
    dtype = reduce(promote, (x.dtype for x in arrays))
    first = arrays[0].shape
    length = sum(x.shape[axis] for x in arrays)
    context.admit((*first[:axis], length, *first[axis + 1 :]))
    grids = [_as(x, dtype) for x in arrays]
    return Array(context, folding.concatenate(grids, axis), dtype)


def _as(array: Array, dtype: ArrayDType) -> Grid:
    if array.dtype is dtype:
        return array.grid
    return from_items(cast(array.items(), dtype), array.shape)


def concatenate(context: Context, arrays: Any, axis: Any = 0) -> Array:
    """Arrays one after the other along an axis that they have; flat ones for None."""
    parts = _arrays(context, arrays)
    if not parts:
        raise ValueError("need at least one array to concatenate")
    if axis is None:
        parts, axis = [ravel(context, x) for x in parts], 0
    if not parts[0].ndim:
        raise ValueError("zero-dimensional arrays cannot be concatenated")
    axis = axis_of(axis, parts[0].ndim)
    try:
        check_joint([part.shape for part in parts], axis)
    except Misfit as misfit:
        raise ValueError(str(misfit)) from None
    return _joined(context, parts, axis)


def stack(context: Context, arrays: Any, axis: Any = 0) -> Array:
    """Arrays of one shape side by side along a new axis."""
    parts = _arrays(context, arrays)
    if not parts:
        raise ValueError("need at least one array to stack")
    if len({x.shape for x in parts}) > 1:
        raise ValueError("all input arrays must have the same shape")
    k = axis_of(axis, parts[0].ndim + 1)
    return _joined(context, [x.like(insert_axis(x.grid, k)) for x in parts], k)


def vstack(context: Context, tup: Any) -> Array:
    """Arrays below each other; vectors as rows."""
    return concatenate(context, [atleast_2d(context, x) for x in _arrays(context, tup)], 0)


def hstack(context: Context, tup: Any) -> Array:
    """Arrays beside each other; vectors one after the other."""
    parts = [atleast_1d(context, x) for x in _arrays(context, tup)]
    return concatenate(context, parts, 0 if parts and parts[0].ndim == 1 else 1)


def column_stack(context: Context, tup: Any) -> Array:
    """Vectors as columns beside each other."""
    parts = [atleast_1d(context, x) for x in _arrays(context, tup)]
    columns = [x.like(insert_axis(x.grid, 1)) if x.ndim == 1 else x for x in parts]
    return concatenate(context, columns, 1)


def append(context: Context, arr: Any, values: Any, axis: Any = None) -> Array:
    """A copy with values at its end."""
    return concatenate(context, [as_array(context, arr), as_array(context, values)], axis)


def tile(context: Context, a: Any, reps: Any) -> Array:
    """The array side by side, `reps[k]` times along axis k."""
    array, counts = as_array(context, a), list(shape_of(reps))
    counts = [1] * (array.ndim - len(counts)) + counts
    grid = array.grid
    while grid.ndim < len(counts):
        grid = insert_axis(grid, 0)
    context.admit(tuple(n * m for n, m in zip(grid.shape, counts, strict=True)))
    return array.like(folding.tile(grid, counts).copy())


def repeat(context: Context, a: Any, repeats: Any, axis: Any = None) -> Array:
    """Each element, or slice along an axis, several times."""
    array = as_array(context, a)
    if axis is None or (not array.ndim and axis in (0, -1)):
        array, axis = ravel(context, array), 0
    k = axis_of(axis, array.ndim)
    n = array.shape[k]
    counts = shape_of(repeats)
    counts = counts * n if len(counts) == 1 else counts
    if len(counts) != n:
        raise ValueError(
            f"operands could not be broadcast together with shape ({n},) ({len(counts)},)"
        )
    context.admit((*array.shape[:k], sum(counts), *array.shape[k + 1 :]))
    return array.like(folding.repeat(array.grid, counts, k))


def split(context: Context, ary: Any, indices_or_sections: Any, axis: Any = 0) -> list[Array]:
    """Views of equal parts, or of the parts between indices."""
    array = as_array(context, ary)
    k = axis_of(axis, array.ndim)
    n = array.shape[k]
    cuts = _cuts(indices_or_sections, n)
    lead = (slice(None),) * k
    return [array[(*lead, slice(a, b))] for a, b in zip([0, *cuts], [*cuts, n], strict=True)]


def _cuts(sections: Any, n: int) -> list[int]:
    if not isinstance(sections, int):
        return [int(i) for i in sections]
    if n % sections:
        raise ValueError("array split does not result in an equal division")
    return list(range(n // sections, n, n // sections))


class Joiner:
    """`np.c_` and `np.r_`: arrays and slices in brackets, joined."""

    def __init__(self, context: Context, columns: bool) -> None:
        self.context = context
        self.columns = columns

    def __getitem__(self, key: Any) -> Array:
        parts = [self._part(x) for x in (key if isinstance(key, tuple) else (key,))]
        if self.columns:
            return column_stack(self.context, parts)
        return concatenate(self.context, parts, 0)

    def _part(self, x: Any) -> Array:
        if not isinstance(x, slice):
            return atleast_1d(self.context, x)
        start = 0 if x.start is None else x.start
        if isinstance(x.step, complex):
            count = int(abs(x.step))
            found: Array = linspace(self.context, start, x.stop, count)
            return found
        return arange(self.context, start, x.stop, 1 if x.step is None else x.step)


def outer(context: Context, a: Any, b: Any) -> Array:
    """The products of every pair of elements."""
    left, right = (ravel(context, x) for x in (a, b))
    rows: Array = reshape(context, left, (left.size, 1)) * right  # type: ignore[operator]
    return rows
