"""Coordinates of every point of a grid, and arrays joined or cut along other axes."""

from __future__ import annotations

from typing import Any

from engine.array_ops.grid import broadcast_shape, from_items, indices, reshape, transpose

from . import joining
from .array import Array, as_array
from .context import Context
from .dtypes import FLOAT64, INT64, cast
from .making import arange, linspace
from .reshaping import atleast_1d, atleast_2d
from .shapes import shape_of


class Lattice:
    """`np.mgrid[0:2, 0:3]` and `np.ogrid[:2, :3]`: slices in brackets."""

    def __init__(self, context: Context, dense: bool) -> None:
        self.context, self.dense = context, dense

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, slice):
            return self._axis(key)
        axes = [self._axis(part) for part in key]
        shape = tuple(len(axis) for axis in axes)
        kind = INT64 if all(axis.dtype is INT64 for axis in axes) else FLOAT64
        if not self.dense:
            return tuple(
                axis.like(reshape(axis.grid, tuple(n if i == k else 1 for i in range(len(axes)))))
                for k, (axis, n) in enumerate(zip(axes, shape, strict=True))
            )
        self.context.admit((len(axes), *shape))
        columns = [cast(axis.items(), kind) for axis in axes]
        items = [columns[k][at[k]] for k in range(len(axes)) for at in indices(shape)]
        return Array(self.context, from_items(items, (len(axes), *shape)), kind)

    def _axis(self, part: Any) -> Array:
        start = 0 if part.start is None else part.start
        if isinstance(part.step, complex):
            found: Array = linspace(self.context, start, part.stop, int(abs(part.step)))
            return found
        return arange(self.context, start, part.stop, 1 if part.step is None else part.step)


def lattice(context: Context, dimensions: Any) -> Array:
    """`np.indices`: for each axis the index of every element."""
    shape = shape_of(dimensions)
    context.admit((len(shape), *shape))
    items = [at[k] for k in range(len(shape)) for at in indices(shape)]
    return Array(context, from_items(items, (len(shape), *shape)), INT64)


def broadcast_shapes(context: Context, *shapes: Any) -> tuple[int, ...]:
    """The shape to which shapes broadcast."""
    found: tuple[int, ...] = ()
    for at, shape in enumerate(map(shape_of, shapes)):
        joint = broadcast_shape(found, shape)
        if joint is None:
            raise ValueError(
                "shape mismatch: objects cannot be broadcast to a single shape.  Mismatch is "
                f"between arg {at - 1} with shape {found} and arg {at} with shape {shape}."
            )
        found = joint
    return found


def hsplit(context: Context, ary: Any, indices_or_sections: Any) -> list[Array]:
    array = as_array(context, ary)
    return joining.split(context, array, indices_or_sections, 0 if array.ndim == 1 else 1)


def vsplit(context: Context, ary: Any, indices_or_sections: Any) -> list[Array]:
    array = as_array(context, ary)
    if array.ndim < 2:
        raise ValueError("vsplit only works on arrays of 2 or more dimensions")
    return joining.split(context, array, indices_or_sections, 0)


def dstack(context: Context, tup: Any) -> Array:
    """Matrices joined along a third axis."""
    parts = []
    for x in tup:
        array = as_array(context, x)
        flat = atleast_2d(context, array)
        parts.append(flat[:, :, None] if flat.ndim == 2 else flat)
    return joining.concatenate(context, parts, 2)


def block(context: Context, arrays: Any) -> Array:
    """Nested lists of blocks joined: the innermost side by side, the rows one below the other."""
    if not isinstance(arrays, list):
        return as_array(context, arrays)
    if not any(isinstance(row, list) for row in arrays):
        return joining.concatenate(context, [atleast_1d(context, x) for x in arrays], -1)
    rows = [
        joining.concatenate(context, [atleast_2d(context, x) for x in row], 1) for row in arrays
    ]
    return joining.concatenate(context, rows, 0)


def shares_memory(context: Context, a: Any, b: Any) -> bool:
    """Whether two arrays have an element in common."""
    left, right = as_array(context, a), as_array(context, b)
    if left.grid.flat is not right.grid.flat:
        return False
    return not set(left.grid.positions()).isdisjoint(right.grid.positions())


def turned(context: Context, a: Any) -> Array:
    """`np.matrix_transpose`: the last two axes exchanged."""
    array = as_array(context, a)
    order = [*range(array.ndim - 2), array.ndim - 1, array.ndim - 2]
    return array.like(transpose(array.grid, order))
