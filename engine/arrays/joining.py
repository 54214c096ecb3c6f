"""Several arrays joined to one, and arrays cut into pieces."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from itertools import pairwise
from math import prod
from typing import Any

from engine.array_ops.flat import Misfit
from engine.array_ops.grid import indices, insert_axis
from engine.array_ops.places import joined as joined_places
from engine.array_ops.places import repeated, tiled

from .arrangement import arrays_of, broadcast_arrays, deep, ravel, reshape
from .array import Array, as_array
from .context import Context
from .dtypes import FLOAT64, INT64, cast, promote
from .making import arange, chosen_type, linspace
from .shapes import axis_of, shape_of


def concatenate(context: Context, arrays: Any, axis: Any = 0, dtype: Any = None) -> Array:
    """Arrays one after the other along an axis that they have; flat ones for None."""
    parts = arrays_of(context, arrays)
    if not parts:
        raise ValueError("need at least one array to concatenate")
    if axis is None:
        parts, axis = list(map(ravel, parts)), 0
    first = parts[0].shape
    if not first:
        raise ValueError("zero-dimensional arrays cannot be concatenated")
    kind = chosen_type(dtype) or reduce(promote, (x.dtype for x in parts))
    context.admit((sum(x.size for x in parts),))
    try:
        shape, places = joined_places([x.shape for x in parts], {"axis": axis_of(axis, len(first))})
    except Misfit as misfit:
        raise ValueError(str(misfit)) from None
    items = [item for x in parts for item in cast(x.items(), kind)]
    return parts[0].made([items[i] for i in places], shape, kind)


def stack(context: Context, arrays: Any, axis: Any = 0) -> Array:
    """Arrays of one shape side by side along a new axis."""
    parts = arrays_of(context, arrays)
    if not parts:
        raise ValueError("need at least one array to stack")
    if len({x.shape for x in parts}) > 1:
        raise ValueError("all input arrays must have the same shape")
    k = axis_of(axis, parts[0].ndim + 1)
    return concatenate(context, [x.like(insert_axis(x.grid, k)) for x in parts], k)


def vstack(context: Context, tup: Any) -> Array:
    """Arrays below each other; vectors as rows."""
    return concatenate(context, [deep(x, 2) for x in arrays_of(context, tup)], 0)


def hstack(context: Context, tup: Any) -> Array:
    """Arrays beside each other; vectors one after the other."""
    parts = [deep(x, 1) for x in arrays_of(context, tup)]
    return concatenate(context, parts, 0 if parts and parts[0].ndim == 1 else 1)


def dstack(context: Context, tup: Any) -> Array:
    """Matrices joined along a third axis."""
    parts = [deep(x, 2) for x in arrays_of(context, tup)]
    return concatenate(context, [x[:, :, None] if x.ndim == 2 else x for x in parts], 2)


def column_stack(context: Context, tup: Any) -> Array:
    """Vectors as columns beside each other."""
    parts = [deep(x, 1) for x in arrays_of(context, tup)]
    return concatenate(context, [x[:, None] if x.ndim == 1 else x for x in parts], 1)


def block(context: Context, arrays: Any) -> Array:
    """Nested lists of blocks joined: the innermost side by side, the rows one below the other."""
    if not isinstance(arrays, list):
        return as_array(context, arrays)
    if not any(isinstance(row, list) for row in arrays):
        return hstack(context, arrays)
    rows = [
        concatenate(context, [deep(x, 2) for x in arrays_of(context, row)], 1) for row in arrays
    ]
    return concatenate(context, rows, 0)


def append(arr: Array, values: Any, axis: Any = None) -> Array:
    """A copy with values at its end."""
    return concatenate(arr.context, [arr, values], axis)


def tile(a: Array, reps: Any) -> Array:
    """The array side by side, `reps[k]` times along axis k."""
    counts, items = shape_of(reps), a.items()
    a.context.admit((a.size, prod(counts)))
    shape, places = tiled([a.shape], {"counts": counts})
    return a.made([items[i] for i in places], shape)


def repeat(a: Array, repeats: Any, axis: Any = None) -> Array:
    """Each element, or slice along an axis, several times."""
    if axis is None or (not a.ndim and axis in (0, -1)):
        a, axis = ravel(a), 0
    k, counts = axis_of(axis, a.ndim), shape_of(repeats)
    n = a.shape[k]
    counts = counts * n if len(counts) == 1 else counts
    if len(counts) != n:
        raise ValueError(
            f"operands could not be broadcast together with shape ({n},) ({len(counts)},)"
        )
    a.context.admit((*a.shape[:k], sum(counts), *a.shape[k + 1 :]))
    shape, places = repeated([a.shape], {"repeats": counts, "axis": k})
    items = a.items()
    return a.made([items[i] for i in places], shape)


def split(ary: Array, indices_or_sections: Any, axis: Any = 0) -> list[Array]:
    """Views of equal parts, or of the parts between indices."""
    n, sections = ary.shape[axis_of(axis, ary.ndim)], indices_or_sections
    if isinstance(sections, int) and n % sections:
        raise ValueError("array split does not result in an equal division")
    return array_split(ary, sections, axis)


def array_split(ary: Array, indices_or_sections: Any, axis: Any = 0) -> list[Array]:
    """Pieces along an axis; the first ones are one longer where it does not divide."""
    k, sections = axis_of(axis, ary.ndim), indices_or_sections
    n = ary.shape[k]
    if isinstance(sections, int):
        if sections <= 0:
            raise ValueError("number sections must be larger than 0.")
        size, longer = divmod(n, sections)
        cuts = [i * size + min(i, longer) for i in range(sections + 1)]
    else:
        cuts = [0, *map(int, sections), n]
    return [ary[(slice(None),) * k + (slice(a, b),)] for a, b in pairwise(cuts)]


def hsplit(ary: Array, indices_or_sections: Any) -> list[Array]:
    return split(ary, indices_or_sections, 0 if ary.ndim == 1 else 1)


def vsplit(ary: Array, indices_or_sections: Any) -> list[Array]:
    if ary.ndim < 2:
        raise ValueError("vsplit only works on arrays of 2 or more dimensions")
    return split(ary, indices_or_sections, 0)


# Brackets


def _sliced(context: Context, part: slice) -> Array:
    """The numbers of a slice; an imaginary step is how many there are."""
    start = 0 if part.start is None else part.start
    if isinstance(part.step, complex):
        found: Array = linspace(context, start, part.stop, int(abs(part.step)))
        return found
    return arange(context, start, part.stop, 1 if part.step is None else part.step)


class Bracketed:
    """`np.c_[…]` and `np.mgrid[…]`: arrays and slices in brackets."""

    def __init__(self, context: Context, make: Callable[[Context, Any], Any]) -> None:
        self.context, self.make = context, make

    def __getitem__(self, key: Any) -> Any:
        return self.make(self.context, key)


def joined(columns: bool) -> Callable[[Context, Any], Array]:
    """`np.c_` and `np.r_`: arrays and slices joined."""

    def make(context: Context, key: Any) -> Array:
        parts = [_sliced(context, x) if isinstance(x, slice) else deep(as_array(context, x), 1)
                 for x in (key if isinstance(key, tuple) else (key,))]  # fmt: skip
        return column_stack(context, parts) if columns else concatenate(context, parts, 0)

    return make


def lattice(dense: bool) -> Callable[[Context, Any], Any]:
    """`np.mgrid[0:2, 0:3]` and `np.ogrid[:2, :3]`."""

    def make(context: Context, key: Any) -> Any:
        if isinstance(key, slice):
            return _sliced(context, key)
        axes = [_sliced(context, part) for part in key]
        kind = INT64 if all(axis.dtype is INT64 for axis in axes) else FLOAT64
        wide = [
            reshape(
                axis.astype(kind) if dense else axis, (1,) * k + (-1,) + (1,) * (len(axes) - k - 1)
            )
            for k, axis in enumerate(axes)
        ]
        return stack(context, broadcast_arrays(context, *wide)) if dense else tuple(wide)

    return make


def coordinates(context: Context, dimensions: Any) -> Array:
    """`np.indices`: for each axis the index of every element."""
    shape = shape_of(dimensions)
    context.admit((len(shape), *shape))
    items = [at[k] for k in range(len(shape)) for at in indices(shape)]
    return as_array(context, items, INT64).made(items, (len(shape), *shape))


def outer(a: Array, b: Any) -> Any:
    """The products of every pair of elements."""
    left: Any = ravel(a)
    return left[:, None] * ravel(as_array(a.context, b))
