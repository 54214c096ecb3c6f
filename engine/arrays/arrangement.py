"""The same elements in another shape or order, and several arrays joined to one."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from itertools import pairwise
from math import prod
from typing import Any

from engine.array_ops import folding
from engine.array_ops.flat import Misfit
from engine.array_ops.grid import (
    ReadOnly,
    Shape,
    broadcast_shape,
    drop_axes,
    expand,
    indices,
    insert_axis,
    shape_text,
    transpose,
)
from engine.array_ops.grid import reshape as reshape_grid
from engine.array_ops.places import check_joint

from .array import Array, as_array
from .context import Context
from .dtypes import FLOAT64, INT64, cast, promote
from .making import arange, chosen_type, linspace
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
    arrays = _arrays(context, args)
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
    found = [_deep(a, rank) for a in _arrays(context, given)]
    return found[0] if len(found) == 1 else tuple(found)


def _deep(a: Array, rank: int) -> Array:
    """The array with axes of length 1 before its own, as many as it lacks."""
    return a if a.ndim >= rank else _deep(a.like(insert_axis(a.grid, 0)), rank)


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
    source = _deep(as_array(context, a, chosen_type(dtype)), 1)
    return source if source.grid.is_contiguous else copy(source)


def copy(a: Array) -> Array:
    return a.like(a.grid.copy())


def shares_memory(context: Context, a: Any, b: Any) -> bool:
    """Whether two arrays have an element in common."""
    left, right = _arrays(context, (a, b))
    if left.grid.flat is not right.grid.flat:
        return False
    return not set(left.grid.positions()).isdisjoint(right.grid.positions())


# Joins


def _arrays(context: Context, arrays: Any) -> list[Array]:
    return [as_array(context, x) for x in arrays]


def concatenate(context: Context, arrays: Any, axis: Any = 0, dtype: Any = None) -> Array:
    """Arrays one after the other along an axis that they have; flat ones for None."""
    parts = _arrays(context, arrays)
    if not parts:
        raise ValueError("need at least one array to concatenate")
    if axis is None:
        parts, axis = list(map(ravel, parts)), 0
    first = parts[0].shape
    if not first:
        raise ValueError("zero-dimensional arrays cannot be concatenated")
    axis = axis_of(axis, len(first))
    try:
        check_joint([part.shape for part in parts], axis)
    except Misfit as misfit:
        raise ValueError(str(misfit)) from None
    kind = chosen_type(dtype) or reduce(promote, (x.dtype for x in parts))
    context.admit((*first[:axis], sum(x.shape[axis] for x in parts), *first[axis + 1 :]))
    grids = [x.grid if x.dtype is kind else x.made(cast(x.items(), kind)).grid for x in parts]
    return Array(context, folding.concatenate(grids, axis), kind)


def stack(context: Context, arrays: Any, axis: Any = 0) -> Array:
    """Arrays of one shape side by side along a new axis."""
    parts = _arrays(context, arrays)
    if not parts:
        raise ValueError("need at least one array to stack")
    if len({x.shape for x in parts}) > 1:
        raise ValueError("all input arrays must have the same shape")
    k = axis_of(axis, parts[0].ndim + 1)
    return concatenate(context, [x.like(insert_axis(x.grid, k)) for x in parts], k)


def vstack(context: Context, tup: Any) -> Array:
    """Arrays below each other; vectors as rows."""
    return concatenate(context, [_deep(x, 2) for x in _arrays(context, tup)], 0)


def hstack(context: Context, tup: Any) -> Array:
    """Arrays beside each other; vectors one after the other."""
    parts = [_deep(x, 1) for x in _arrays(context, tup)]
    return concatenate(context, parts, 0 if parts and parts[0].ndim == 1 else 1)


def dstack(context: Context, tup: Any) -> Array:
    """Matrices joined along a third axis."""
    parts = [_deep(x, 2) for x in _arrays(context, tup)]
    return concatenate(context, [x[:, :, None] if x.ndim == 2 else x for x in parts], 2)


def column_stack(context: Context, tup: Any) -> Array:
    """Vectors as columns beside each other."""
    parts = [_deep(x, 1) for x in _arrays(context, tup)]
    return concatenate(context, [x[:, None] if x.ndim == 1 else x for x in parts], 1)


def block(context: Context, arrays: Any) -> Array:
    """Nested lists of blocks joined: the innermost side by side, the rows one below the other."""
    if not isinstance(arrays, list):
        return as_array(context, arrays)
    if not any(isinstance(row, list) for row in arrays):
        return hstack(context, arrays)
    rows = [concatenate(context, [_deep(x, 2) for x in _arrays(context, row)], 1) for row in arrays]
    return concatenate(context, rows, 0)


def append(arr: Array, values: Any, axis: Any = None) -> Array:
    """A copy with values at its end."""
    return concatenate(arr.context, [arr, values], axis)


def tile(a: Array, reps: Any) -> Array:
    """The array side by side, `reps[k]` times along axis k."""
    counts = list(shape_of(reps))
    counts = [1] * (a.ndim - len(counts)) + counts
    grid = _deep(a, len(counts)).grid
    a.context.admit(tuple(n * m for n, m in zip(grid.shape, counts, strict=True)))
    return a.like(folding.tile(grid, counts).copy())


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
    return a.like(folding.repeat(a.grid, counts, k))


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
        parts = [_sliced(context, x) if isinstance(x, slice) else _deep(as_array(context, x), 1)
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
