"""The same elements in another shape or order."""

from __future__ import annotations

from math import prod
from typing import Any

from engine.array_ops import folding
from engine.array_ops.grid import (
    ReadOnly,
    Shape,
    broadcast_shape,
    drop_axes,
    expand,
    insert_axis,
    shape_text,
    transpose,
)
from engine.array_ops.grid import reshape as reshape_grid

from .array import Array, as_array
from .context import Context
from .making import chosen_type
from .shapes import axes_of, axis_of, reshaped, shape_of


def reshape(a: Array, shape: Any, order: str = "C") -> Array:
    """A view in another shape; -1 stands for the axis that fits."""
    wanted = reshaped(a.shape, a.size, shape)
    a.context.admit(wanted)
    if order == "F":
        return a.like(transpose(reshape_grid(transpose(a.grid), wanted[::-1])))
    return a.like(reshape_grid(a.grid, wanted))


def ravel(a: Array, order: str = "C") -> Array:
    """All elements on one axis; a view where that is possible."""
    return reshape(transposed(a) if order == "F" else a, -1)


def flatten(a: Array, order: str = "C") -> Array:
    """A copy of all elements on one axis."""
    return copy(ravel(a, order))


def transposed(a: Array, axes: Any = None) -> Array:
    """A view with the axes in another order, by default reversed."""
    if axes is None:
        return a.like(transpose(a.grid))
    if len(axes) != a.ndim:
        raise ValueError("axes don't match array")
    order = [axis_of(axis, a.ndim) for axis in axes]
    if len(set(order)) < len(order):
        raise ValueError("repeated axis in transpose")
    return a.like(transpose(a.grid, order))


def swapaxes(a: Array, axis1: Any, axis2: Any) -> Array:
    order = list(range(a.ndim))
    i, j = axis_of(axis1, a.ndim), axis_of(axis2, a.ndim)
    order[i], order[j] = order[j], order[i]
    return a.like(transpose(a.grid, order))


def turned(x: Array) -> Array:
    """`np.matrix_transpose`: the last two axes exchanged."""
    return swapaxes(x, -1, -2)


def moveaxis(a: Array, source: Any, destination: Any) -> Array:
    """A view with axes at other places."""
    sides = [x if isinstance(x, (tuple, list)) else [x] for x in (source, destination)]
    origins, targets = ([axis_of(k, a.ndim) for k in side] for side in sides)
    order = [k for k in range(a.ndim) if k not in origins]
    for target, origin in sorted(zip(targets, origins, strict=True)):
        order.insert(target, origin)
    return a.like(transpose(a.grid, order))


def rollaxis(a: Array, axis: int, start: int = 0) -> Array:
    """A view with an axis moved to stand before `start`."""
    k = axis_of(axis, a.ndim)
    start = start + a.ndim if start < 0 else start
    return moveaxis(a, k, start - (k < start))


def squeeze(a: Array, axis: Any = None) -> Array:
    """A view without axes of length 1."""
    if axis is None:
        return a.like(drop_axes(a.grid, [k for k, n in enumerate(a.shape) if n == 1]))
    axes = axes_of(axis, a.ndim)
    if any(a.shape[k] != 1 for k in axes):
        raise ValueError("cannot select an axis to squeeze out which has size not equal to one")
    return a.like(drop_axes(a.grid, axes))


def expand_dims(a: Array, axis: Any) -> Array:
    """A view with new axes of length 1."""
    new = axis if isinstance(axis, (tuple, list)) else (axis,)
    grid = a.grid
    for k in sorted(axis_of(one, a.ndim + len(new)) for one in new):
        grid = insert_axis(grid, k)
    a.context.admit(grid.shape)
    return a.like(grid)


def broadcast_to(array: Array, shape: Any) -> Array:
    """A view in a shape that the array broadcasts to, which cannot be written."""
    wanted = shape_of(shape)
    if broadcast_shape(array.shape, wanted) != wanted:
        raise ValueError(
            "operands could not be broadcast together with remapped shapes [original->remapped]: "
            f"{shape_text(array.shape)}  and requested shape {shape_text(wanted)}"
        )
    array.context.admit(wanted)
    grid = expand(array.grid, wanted)
    grid.flat = ReadOnly(grid.flat)
    return array.like(grid)


def broadcast_shapes(context: Context, *shapes: Any) -> Shape:
    """The shape to which shapes broadcast."""
    found: Shape = ()
    for at, shape in enumerate(map(shape_of, shapes)):
        joint = broadcast_shape(found, shape)
        if joint is None:
            raise ValueError(
                "shape mismatch: objects cannot be broadcast to a single shape.  Mismatch is "
                f"between arg {at - 1} with shape {found} and arg {at} with shape {shape}."
            )
        found = joint
    return found


def broadcast_arrays(context: Context, *args: Any) -> tuple[Array, ...]:
    """Views of arrays in their common shape."""
    arrays = arrays_of(context, args)
    shape = broadcast_shapes(context, *(a.shape for a in arrays))
    return tuple(broadcast_to(a, shape) for a in arrays)


def flip(m: Array, axis: Any = None) -> Array:
    """A view with axes turned round."""
    axes = axes_of(axis, m.ndim)
    view: Array = m[tuple(slice(None, None, -1 if k in axes else 1) for k in range(m.ndim))]
    return view


def fliplr(m: Array) -> Array:
    return flip(m, 1)


def flipud(m: Array) -> Array:
    if not m.ndim:
        raise ValueError("Input must be >= 1-d.")
    return flip(m, 0)


def rot90(m: Array, k: int = 1) -> Array:
    """A matrix turned by quarters, counterclockwise."""
    if m.ndim < 2:
        raise ValueError("Total number of array dimensions must be >= 2.")
    for _ in range(int(k) % 4):
        m = swapaxes(flip(m, 1), 0, 1)
    return m


def roll(a: Array, shift: Any, axis: Any = None) -> Array:
    """Elements moved along axes, those beyond the end to the start."""
    if axis is None:
        return reshape(roll(ravel(a), shift, 0), a.shape)
    grid, shifts = a.grid, shape_of_steps(shift)
    for by, k in zip(shifts, axes_of(axis, a.ndim), strict=True):
        step = by % (a.shape[k] or 1)
        grid = folding.along(grid, k, lambda row, step=step: row[-step:] + row[:-step])  # type: ignore[misc]
    return a.like(grid)


def shape_of_steps(steps: Any) -> list[int]:
    return [int(n) for n in (steps if isinstance(steps, (tuple, list)) else [steps])]


def atleast_1d(context: Context, *arys: Any) -> Any:
    return _at_least(context, arys, 1)


def atleast_2d(context: Context, *arys: Any) -> Any:
    return _at_least(context, arys, 2)


def _at_least(context: Context, given: Any, rank: int) -> Any:
    found = [deep(a, rank) for a in arrays_of(context, given)]
    return found[0] if len(found) == 1 else tuple(found)


def deep(a: Array, rank: int) -> Array:
    """The array with axes of length 1 before its own, as many as it lacks."""
    return a if a.ndim >= rank else deep(a.like(insert_axis(a.grid, 0)), rank)


def resize(a: Array, new_shape: Any) -> Array:
    """The elements over and over, in another shape."""
    shape = shape_of(new_shape)
    a.context.admit(shape)
    items, size = a.items(), prod(shape)
    if size and not items:
        raise ValueError("cannot resize an empty array to a larger one")
    return a.made([items[i % len(items)] for i in range(size)], shape)


def contiguous(context: Context, a: Any, dtype: Any = None) -> Array:
    """The array itself if its elements lie in row-major order, else a copy."""
    source = deep(as_array(context, a, chosen_type(dtype)), 1)
    return source if source.grid.is_contiguous else copy(source)


def copy(a: Array) -> Array:
    return a.like(a.grid.copy())


def shares_memory(context: Context, a: Any, b: Any) -> bool:
    """Whether two arrays have an element in common."""
    left, right = arrays_of(context, (a, b))
    if left.grid.flat is not right.grid.flat:
        return False
    return not set(left.grid.positions()).isdisjoint(right.grid.positions())


def arrays_of(context: Context, arrays: Any) -> list[Array]:
    return [as_array(context, x) for x in arrays]
