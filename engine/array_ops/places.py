"""Where each element of a result comes from: for each kind of move its shape and its places."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate
from math import prod
from typing import TypeAlias

from .flat import Misfit, axes_of, axis_of
from .grid import (
    Grid,
    Shape,
    broadcast_shape,
    completed,
    expand,
    from_items,
    row_major,
    shape_text,
    transpose,
)
from .grid import diagonal as diagonal_of
from .table import Params, Shapes

Places: TypeAlias = Sequence[int]
"""For each element of a result its place in the arguments, one after the other; −1 for none."""
Plan: TypeAlias = tuple[Shape, Places]


def of_grid(move: Callable[[Grid, Params], Grid]) -> Callable[[Shapes, Params], Plan]:
    """The plan of a view of one array."""

    def plan(shapes: Shapes, params: Params) -> Plan:
        grid = move(from_items([], shapes[0]), params)
        return grid.shape, grid.positions()

    return plan


def unchanged(grid: Grid, params: Params) -> Grid:
    return grid


def reshaped(grid: Grid, params: Params) -> Grid:
    wanted = tuple(params["shape"])
    shape = completed(wanted, grid.size)
    if shape is None:
        text = shape_text(wanted).replace("-1", "newaxis")
        raise Misfit(
            f"cannot reshape array of size {grid.size} into shape {text}",
            f"shape '{list(wanted)}' is invalid for input of size {grid.size}",
        )
    return Grid(grid.flat, shape, row_major(shape))


def flattened(grid: Grid, params: Params) -> Grid:
    start, end = (axis_of(params.get(k, d), grid.ndim) for k, d in (("start", 0), ("end", -1)))
    inner = prod(grid.shape[start : end + 1])
    shape = (*grid.shape[:start], inner, *grid.shape[end + 1 :])
    return Grid(grid.flat, shape, row_major(shape))


def permuted(grid: Grid, params: Params) -> Grid:
    axes = params.get("axes")
    return transpose(grid, None if axes is None else [axis_of(k, grid.ndim) for k in axes])


def swapped(grid: Grid, params: Params) -> Grid:
    order = list(range(grid.ndim))
    a, b = (axis_of(params[name], grid.ndim) for name in ("a", "b"))
    order[a], order[b] = order[b], order[a]
    return transpose(grid, order)


def moved(grid: Grid, params: Params) -> Grid:
    a, b = (axis_of(params[name], grid.ndim) for name in ("a", "b"))
    order = [k for k in range(grid.ndim) if k != a]
    order.insert(b, a)
    return transpose(grid, order)


def squeezed(grid: Grid, params: Params) -> Grid:
    axes = params.get("axes")
    gone = [
        k
        for k, n in enumerate(grid.shape)
        if n == 1 and (axes is None or k in axes_of(params, grid.ndim))
    ]
    return transpose(grid, [k for k in range(grid.ndim) if k not in gone])


def unsqueezed(grid: Grid, params: Params) -> Grid:
    axis = axis_of(params["axis"], grid.ndim + 1)
    shape = (*grid.shape[:axis], 1, *grid.shape[axis:])
    return Grid(grid.flat, shape, row_major(shape))


def expanded(grid: Grid, params: Params) -> Grid:
    given = tuple(params["shape"])
    own = (1,) * (len(given) - grid.ndim) + grid.shape
    wanted = tuple(m if n == -1 else n for n, m in zip(given, own, strict=True))
    if broadcast_shape(grid.shape, wanted) != wanted:
        raise Misfit(
            "operands could not be broadcast together with remapped shapes [original->remapped]: "
            f"{shape_text(grid.shape)} and requested shape {shape_text(wanted)}",
            f"The expanded size of the tensor must match the existing size: {list(wanted)} and "
            f"{list(grid.shape)}",
        )
    return expand(grid, wanted)


def viewed(grid: Grid, params: Params) -> Grid:
    """A view by strides of the array in row-major order: slices, `x[0]`, windows."""
    return Grid(grid.flat, tuple(params["shape"]), tuple(params["strides"]), params["offset"])


def diagonal(grid: Grid, params: Params) -> Grid:
    axes = params.get("axes", (0, 1))
    a, b = (axis_of(k, grid.ndim) for k in axes)
    return diagonal_of(grid, params.get("offset", 0), a, b)


def flipped(grid: Grid, params: Params) -> Grid:
    axes = axes_of(params, grid.ndim)
    strides = tuple(-s if k in axes else s for k, s in enumerate(grid.strides))
    start = sum((grid.shape[k] - 1) * grid.strides[k] for k in axes if grid.shape[k])
    return Grid(grid.flat, grid.shape, strides, start)


# Plans that are no view


def _along(shape: Shape, axis: int, chosen: Sequence[int]) -> Plan:
    """The elements at `chosen` along an axis."""
    inner = prod(shape[axis + 1 :])
    step = shape[axis] * inner
    places = [
        start + i * inner + k
        for start in range(0, prod(shape), step or 1)
        for i in chosen
        for k in range(inner)
    ]
    return (*shape[:axis], len(chosen), *shape[axis + 1 :]), places


def rolled(shapes: Shapes, params: Params) -> Plan:
    shape, shifts = shapes[0], params["shifts"]
    if params.get("axes") is None:
        size = prod(shape)
        return shape, [(i - shifts[0]) % size for i in range(size)]
    places: Places = range(prod(shape))
    for shift, axis in zip(shifts, axes_of(params, len(shape)), strict=True):
        n = shape[axis]
        moved = _along(shape, axis, [(i - shift) % n for i in range(n)])[1]
        places = [places[i] for i in moved]
    return shape, places


def taken(shapes: Shapes, params: Params) -> Plan:
    """The slices at `index` along an axis, in the place of which the index's own axes stand."""
    shape, chosen = shapes[0], params["index"]
    axis = axis_of(params.get("axis", 0), len(shape))
    n = shape[axis]
    wide, places = _along(shape, axis, [_within(i, n, axis) for i in chosen])
    own = tuple(params.get("index_shape", (len(chosen),)))
    return (*wide[:axis], *own, *wide[axis + 1 :]), places


def _within(i: int, n: int, axis: int) -> int:
    if not -n <= i < n:
        raise Misfit(
            f"index {i} is out of bounds for axis {axis} with size {n}",
            f"index {i} is out of bounds for dimension {axis} with size {n}",
        )
    return int(i) % n


def gathered(shapes: Shapes, params: Params) -> Plan:
    """x[index[i, j], j] along axis 0, and alike along others."""
    shape, axis = shapes[0], axis_of(params["axis"], len(shapes[0]))
    own = tuple(params["index_shape"])
    strides = row_major(shape)
    bases = [0]
    for k, n in enumerate(own):
        step = 0 if k == axis else strides[k]
        bases = [base + i * step for base in bases for i in range(n)]
    chosen = params["index"]
    return own, [
        base + _within(i, shape[axis], axis) * strides[axis]
        for base, i in zip(bases, chosen, strict=True)
    ]


def indexed(shapes: Shapes, params: Params) -> Plan:
    return tuple(params["shape"]), params["places"]


def masked(shapes: Shapes, params: Params) -> Plan:
    places = [i for i, keep in enumerate(params["mask"]) if keep]
    return (len(places),), places


def repeated(shapes: Shapes, params: Params) -> Plan:
    """Each slice along an axis several times in a row; without an axis, of all elements."""
    shape, axis = shapes[0], params.get("axis")
    if axis is None:
        shape, axis = (prod(shape),), 0
    axis = axis_of(axis, len(shape))
    given = params["repeats"]
    counts = [given] * shape[axis] if isinstance(given, int) else given
    return _along(shape, axis, [i for i, count in enumerate(counts) for _ in range(count)])


def tiled(shapes: Shapes, params: Params) -> Plan:
    counts = tuple(params["counts"])
    rank = max(len(counts), len(shapes[0]))
    shape: Shape = (1,) * (rank - len(shapes[0])) + tuple(shapes[0])
    places: Places = range(prod(shape))
    for axis, count in enumerate((1,) * (rank - len(counts)) + counts):
        wider, chosen = _along(shape, axis, list(range(shape[axis])) * count)
        shape, places = wider, [places[i] for i in chosen]
    return shape, places


def joined(shapes: Shapes, params: Params) -> Plan:
    first = shapes[0]
    axis = axis_of(params.get("axis", 0), len(first))
    check_joint(shapes, axis)
    inner = prod(first[axis + 1 :])
    blocks = [shape[axis] * inner for shape in shapes]
    starts = list(accumulate((prod(shape) for shape in shapes), initial=0))
    places = [
        start + outer * block + i
        for outer in range(prod(first[:axis]))
        for start, block in zip(starts, blocks, strict=False)
        for i in range(block)
    ]
    length = sum(shape[axis] for shape in shapes)
    return (*first[:axis], length, *first[axis + 1 :]), places


def check_joint(shapes: Shapes, axis: int) -> None:
    """Raises Misfit for shapes that cannot be joined along an axis."""
    first = shapes[0]
    for at, shape in enumerate(shapes):
        same = (n == m for k, (n, m) in enumerate(zip(first, shape, strict=False)) if k != axis)
        if len(shape) != len(first) or not all(same):
            raise _unjoinable(at, first, shape, axis)


def _unjoinable(at: int, first: Shape, shape: Shape, axis: int) -> Misfit:
    if len(shape) != len(first):
        return Misfit(
            "all the input arrays must have same number of dimensions, but the array at index 0 "
            f"has {len(first)} dimension(s) and the array at index {at} has {len(shape)} "
            "dimension(s)",
            f"Tensors must have same number of dimensions: got {len(first)} and {len(shape)}",
        )
    k = next(k for k in range(len(first)) if k != axis and first[k] != shape[k])
    return Misfit(
        "all the input array dimensions except for the concatenation axis must match exactly, but "
        f"along dimension {k}, the array at index 0 has size {first[k]} and the array at index "
        f"{at} has size {shape[k]}",
        f"Sizes of tensors must match except in dimension {axis}. Expected size {first[k]} but got "
        f"size {shape[k]} for tensor number {at} in the list.",
    )


def stacked(shapes: Shapes, params: Params) -> Plan:
    first = shapes[0]
    if any(shape != first for shape in shapes):
        at, other = next((i, s) for i, s in enumerate(shapes) if s != first)
        raise Misfit(
            "all input arrays must have the same shape",
            f"stack expects each tensor to be equal size, but got {list(first)} at entry 0 and "
            f"{list(other)} at entry {at}",
        )
    axis = axis_of(params.get("axis", 0), len(first) + 1)
    inner, size = prod(first[axis:]), prod(first)
    places = [
        k * size + outer * inner + i
        for outer in range(prod(first[:axis]))
        for k in range(len(shapes))
        for i in range(inner)
    ]
    return (*first[:axis], len(shapes), *first[axis:]), places


def padded(shapes: Shapes, params: Params) -> Plan:
    """`widths` before and after along each axis; negative ones cut off."""
    shape, places = tuple(shapes[0]), list(range(prod(shapes[0])))
    for axis, (before, after) in enumerate(params["widths"]):
        n = shape[axis]
        wanted = list(range(-before, n + after))
        inner = prod(shape[axis + 1 :])
        step = n * inner
        places = [
            places[start + i * inner + k] if 0 <= i < n else -1
            for start in range(0, prod(shape[:axis]) * step or 1, step or 1)
            for i in wanted
            for k in range(inner)
        ]
        shape = (*shape[:axis], len(wanted), *shape[axis + 1 :])
    return shape, places


def triangle(keep: Callable[[int], bool]) -> Callable[[Shapes, Params], Plan]:
    def plan(shapes: Shapes, params: Params) -> Plan:
        shape, k = shapes[0], params.get("diagonal", 0)
        height, width = shape[-2:]
        return shape, [
            i if keep(i % width - i // width % height - k) else -1 for i in range(prod(shape))
        ]

    return plan


def diagonal_matrix(shapes: Shapes, params: Params) -> Plan:
    n, k = shapes[0][0], params.get("offset", 0)
    size = n + abs(k)
    places = [-1] * (size * size)
    for i in range(n):
        places[(i + max(0, -k)) * size + i + max(0, k)] = i
    return (size, size), places


# Writes


def written(shapes: Shapes, params: Params) -> Plan:
    """x with elements of b, broadcast to the places that it replaces."""
    shape, size = shapes[0], prod(shapes[0])
    places = list(range(size))
    target = tuple(params.get("shape", (len(params["places"]),)))
    new = expand(from_items([], shapes[1]), target).positions()
    for place, source in zip(params["places"], new, strict=True):
        places[place] = size + source
    return shape, places
