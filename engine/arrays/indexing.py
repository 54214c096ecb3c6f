"""The elements that an index names, as NumPy and PyTorch read it.

A key is an integer, a slice, None, `...`, a `Grid` of booleans or integers, or a tuple of these.
Keys without grids give views; keys with one give `ElementIndices`. Messages are NumPy's.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import product
from typing import Any, TypeAlias

from engine.array_ops.grid import (
    ElementIndices,
    Grid,
    Shape,
    broadcast_shape,
    expanded_items,
    from_items,
    shape_text,
)

Key: TypeAlias = "tuple[int | slice | Grid | None, ...]"


def find(grid: Grid, key: Any, admit: Callable[[Shape], object]) -> Grid | ElementIndices:
    """The elements of `grid` under `key`: a view, or places if the key has a mask or integer grid.

    `admit` hears of the shape of places before they are listed, and may raise.
    IndexError for an index out of bounds, for too many indices and for a mask of another shape.
    """
    parts = _complete(grid, key if isinstance(key, tuple) else (key,))
    if any(isinstance(part, Grid) for part in parts):
        return _places(grid, parts, admit)
    return _view(grid, parts)


def _axes_of(part: Any) -> int:
    """The number of axes that a part of a key stands for."""
    if part is None or part is Ellipsis:
        return 0
    return part.ndim if isinstance(part, Grid) and _is_mask(part) else 1


def _is_mask(grid: Grid) -> bool:
    """Whether the elements are booleans; a grid without elements passes for integers."""
    return bool(grid.flat) and type(grid.flat[0]) is bool


def _complete(grid: Grid, key: tuple[Any, ...]) -> Key:
    """One part for each axis, and None for each new one."""
    if sum(part is Ellipsis for part in key) > 1:
        raise IndexError("an index can only have a single ellipsis ('...')")
    used = sum(map(_axes_of, key))
    if used > grid.ndim:
        raise IndexError(
            f"too many indices for array: array is {grid.ndim}-dimensional, but {used} were indexed"
        )
    rest = (slice(None),) * (grid.ndim - used)
    if Ellipsis not in [part for part in key if not isinstance(part, Grid)]:
        key = (*key, Ellipsis)
    at = next(i for i, part in enumerate(key) if part is Ellipsis)
    parts: list[Any] = []
    axis = 0
    for part in (*key[:at], *rest, *key[at + 1 :]):
        parts += _spread(part, grid, axis)
        axis += _axes_of(part)
    return tuple(parts)


def _spread(part: Any, grid: Grid, axis: int) -> list[Any]:
    """A mask as the integer grids of its true elements, one for each axis; others unchanged."""
    if not isinstance(part, Grid) or not _is_mask(part):
        return [part]
    for k, n in enumerate(part.shape):
        if n != grid.shape[axis + k]:
            raise IndexError(
                f"boolean index did not match indexed array along axis {axis + k}; size of axis "
                f"is {grid.shape[axis + k]} but size of corresponding boolean axis is {n}"
            )
    true = [
        index
        for index, yes in zip(product(*map(range, part.shape)), part.items(), strict=True)
        if yes
    ]
    return [from_items([index[k] for index in true], (len(true),)) for k in range(part.ndim)]


def within(index: int, axis: int, size: int) -> int:
    """A non-negative index into an axis; IndexError if there is none."""
    if not -size <= index < size:
        raise IndexError(f"index {index} is out of bounds for axis {axis} with size {size}")
    return index + size if index < 0 else index


def _view(grid: Grid, parts: Key) -> Grid:
    shape, strides, offset = [], [], grid.offset
    axis = 0
    for part in parts:
        if part is None:
            shape.append(1)
            strides.append(0)
            continue
        size, stride = grid.shape[axis], grid.strides[axis]
        if isinstance(part, slice):
            chosen = range(size)[part]
            shape.append(len(chosen))
            strides.append(chosen.step * stride)
            offset += chosen.start * stride if chosen else 0
        elif isinstance(part, int):
            offset += within(part, axis, size) * stride
        axis += 1
    return Grid(grid.flat, tuple(shape), tuple(strides), offset)


@dataclass(slots=True)
class _Chosen:
    """The axes of an index with grids: offsets of the axes kept, and of the grids together."""

    before: list[tuple[Shape, list[int]]]
    after: list[tuple[Shape, list[int]]]
    arrays: list[tuple[int, Grid]]


def _places(grid: Grid, parts: Key, admit: Callable[[Shape], object]) -> ElementIndices:
    chosen = _Chosen([], [], [])
    apart = _are_apart(parts)
    axis = 0
    for part in parts:
        if isinstance(part, (Grid, int)):
            array = part if isinstance(part, Grid) else from_items([int(part)], ())
            chosen.arrays.append((axis, array))
        else:
            kept = _kept(grid, part, axis)
            (chosen.before if not chosen.arrays and not apart else chosen.after).append(kept)
        axis += part is not None
    return _combined(grid, chosen, admit)


def _are_apart(parts: Key) -> bool:
    """Whether an axis that is kept lies between grids; theirs then come first."""
    at = [i for i, part in enumerate(parts) if isinstance(part, (Grid, int))]
    return at[-1] - at[0] + 1 != len(at)


def _kept(grid: Grid, part: slice | None, axis: int) -> tuple[Shape, list[int]]:
    if part is None:
        return (1,), [0]
    stride = grid.strides[axis]
    return (len(range(grid.shape[axis])[part]),), [
        i * stride for i in range(grid.shape[axis])[part]
    ]


def _combined(grid: Grid, chosen: _Chosen, admit: Callable[[Shape], object]) -> ElementIndices:
    joint = _joint_shape(chosen.arrays)
    kept = [part for part, _ in (*chosen.before, *chosen.after)]
    admit((*joint, *(n for part in kept for n in part)))
    groups = [*chosen.before, (joint, _offsets(grid, chosen.arrays, joint)), *chosen.after]
    shape = tuple(n for part, _ in groups for n in part)
    places = [grid.offset]
    for _, offsets in groups:
        places = [place + offset for place in places for offset in offsets]
    return ElementIndices(grid.flat, shape, places)


def _joint_shape(arrays: list[tuple[int, Grid]]) -> Shape:
    """The common shape of the integer grids; IndexError if there is none."""
    shape = broadcast_shape(*(array.shape for _, array in arrays))
    if shape is None:
        shapes = " ".join(shape_text(array.shape) for _, array in arrays if array.shape)
        raise IndexError(
            f"shape mismatch: indexing arrays could not be broadcast together with shapes {shapes} "
        )
    return shape


def _offsets(grid: Grid, arrays: list[tuple[int, Grid]], shape: Shape) -> list[int]:
    """The offset into the flat list that each element of the integer grids names together."""
    columns = [
        [within(i, axis, grid.shape[axis]) * grid.strides[axis] for i in row]
        for axis, array in arrays
        for row in [expanded_items(array, shape)]
    ]
    return [sum(steps) for steps in zip(*columns, strict=True)]


def check_assignment(is_mask: bool, shape: Shape, found: Grid | ElementIndices) -> None:
    """ValueError if values of `shape` do not broadcast to the elements found."""
    if shape and not found.shape:
        raise ValueError("setting an array element with a sequence.")
    extra = max(0, len(shape) - len(found.shape))
    fits = broadcast_shape(shape[extra:], found.shape) == found.shape
    if fits and all(n == 1 for n in shape[:extra]):
        return
    values, wanted = shape_text(shape), shape_text(found.shape)
    if isinstance(found, Grid):
        raise ValueError(f"could not broadcast input array from shape {values} into shape {wanted}")
    if is_mask and len(shape) == 1:
        raise ValueError(
            f"NumPy boolean array indexing assignment cannot assign {shape[0]} input values to "
            f"the {found.shape[0]} output values where the mask is true"
        )
    raise ValueError(
        f"shape mismatch: value array of shape {values} could not be broadcast to indexing result "
        f"of shape {wanted}"
    )
