"""The same elements in another shape or order."""

from __future__ import annotations

from math import prod
from typing import Any

from engine.array_ops import folding
from engine.array_ops.grid import (
    ReadOnly,
    broadcast_shape,
    drop_axes,
    expand,
    from_items,
    insert_axis,
    transpose,
)
from engine.array_ops.grid import reshape as reshape_grid

from .array import Array, as_array
from .context import Context
from .making import chosen_type
from .shapes import axes_of, axis_of, reshaped, shape_of


def reshape(context: Context, a: Any, shape: Any, order: str = "C") -> Array:
    """A view in another shape; -1 stands for the axis that fits."""
    source = as_array(context, a)
    wanted = reshaped(source.shape, source.size, shape)
    context.admit(wanted)
    if order == "F":
        turned = reshape_grid(transpose(source.grid), wanted[::-1])
        return source.like(transpose(turned))
    return source.like(reshape_grid(source.grid, wanted))


def ravel(context: Context, a: Any, order: str = "C") -> Array:
    """All elements on one axis; a view where that is possible."""
    return reshape(context, transposed(context, a) if order == "F" else a, -1)


def flatten(context: Context, a: Any, order: str = "C") -> Array:
    """A copy of all elements on one axis."""
    flat = ravel(context, a, order)
    return flat.like(flat.grid.copy())


def transposed(context: Context, a: Any, axes: Any = None) -> Array:
    """A view with the axes in another order, by default reversed."""
    source = as_array(context, a)
    if axes is None:
        return source.like(transpose(source.grid))
    if len(axes) != source.ndim:
        raise ValueError("axes don't match array")
    order = [axis_of(axis, source.ndim) for axis in axes]
    if len(set(order)) < len(order):
        raise ValueError("repeated axis in transpose")
    return source.like(transpose(source.grid, order))


def swapaxes(context: Context, a: Any, axis1: Any, axis2: Any) -> Array:
    source = as_array(context, a)
    order = list(range(source.ndim))
    i, j = axis_of(axis1, source.ndim), axis_of(axis2, source.ndim)
    order[i], order[j] = order[j], order[i]
    return source.like(transpose(source.grid, order))


def squeeze(context: Context, a: Any, axis: Any = None) -> Array:
    """A view without axes of length 1."""
    source = as_array(context, a)
    if axis is None:
        return source.like(
            drop_axes(source.grid, [k for k, n in enumerate(source.shape) if n == 1])
        )
    axes = axes_of(axis, source.ndim)
    if any(source.shape[k] != 1 for k in axes):
        raise ValueError("cannot select an axis to squeeze out which has size not equal to one")
    return source.like(drop_axes(source.grid, axes))


def expand_dims(context: Context, a: Any, axis: Any) -> Array:
    """A view with new axes of length 1."""
    source = as_array(context, a)
    new = axis if isinstance(axis, (tuple, list)) else (axis,)
    total = source.ndim + len(new)
    grid = source.grid
    for k in sorted(axis_of(one, total) for one in new):
        grid = insert_axis(grid, k)
    context.admit(grid.shape)
    return source.like(grid)


def broadcast_to(context: Context, a: Any, shape: Any) -> Array:
    """A view in a shape that the array broadcasts to, which cannot be written."""
    source, wanted = as_array(context, a), shape_of(shape)
    if broadcast_shape(source.shape, wanted) != wanted:
        raise ValueError(
            "operands could not be broadcast together with remapped shapes "
            f"[original->remapped]: {str(source.shape).replace(' ', '')}  and requested shape "
            f"{str(wanted).replace(' ', '')}"
        )
    context.admit(wanted)
    grid = expand(source.grid, wanted)
    grid.flat = ReadOnly(grid.flat)
    return source.like(grid)


def flip(context: Context, m: Any, axis: Any = None) -> Array:
    """A view with axes turned round."""
    source = as_array(context, m)
    axes = axes_of(axis, source.ndim)
    view: Array = source[
        tuple(slice(None, None, -1 if k in axes else 1) for k in range(source.ndim))
    ]
    return view


def roll(context: Context, a: Any, shift: int, axis: Any = None) -> Array:
    """Elements moved along an axis, those beyond the end to the start."""
    source = as_array(context, a)
    if axis is None:
        moved = roll(context, ravel(context, source), shift, 0)
        return reshape(context, moved, source.shape)
    k = axis_of(axis, source.ndim)
    shift %= source.shape[k] or 1
    return source.like(folding.along(source.grid, k, lambda row: row[-shift:] + row[:-shift]))


def atleast_1d(context: Context, a: Any) -> Array:
    source = as_array(context, a)
    return source if source.ndim else source.like(insert_axis(source.grid, 0))


def atleast_2d(context: Context, a: Any) -> Array:
    source = atleast_1d(context, a)
    return source if source.ndim > 1 else source.like(insert_axis(source.grid, 0))


def broadcast_arrays(context: Context, *args: Any) -> tuple[Array, ...]:
    """Views of arrays in their common shape."""
    arrays = [as_array(context, x) for x in args]
    shape = broadcast_shape(*(a.shape for a in arrays))
    if shape is None:
        raise ValueError(
            "shape mismatch: objects cannot be broadcast to a single shape.  Mismatch is between "
            f"arg 0 with shape {arrays[0].shape} and arg 1 with shape {arrays[1].shape}."
        )
    return tuple(broadcast_to(context, a, shape) for a in arrays)


def resize(context: Context, a: Any, new_shape: Any) -> Array:
    """The elements over and over, in another shape."""
    source, shape = as_array(context, a), shape_of(new_shape)
    context.admit(shape)
    items, size = source.items(), prod(shape)
    if size and not items:
        raise ValueError("cannot resize an empty array to a larger one")
    return source.like(from_items([items[i % len(items)] for i in range(size)], shape))


def contiguous(context: Context, a: Any, dtype: Any = None) -> Array:
    """The array itself if its elements lie in row-major order, else a copy."""
    source = atleast_1d(context, as_array(context, a, chosen_type(dtype)))
    return source if source.grid.is_contiguous else copy(context, source)


def copy(context: Context, a: Any) -> Array:
    source = as_array(context, a)
    return source.like(source.grid.copy())
