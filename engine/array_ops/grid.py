"""Elements on a rectangular grid: a flat list seen through a shape, strides and an offset.

A `Grid` knows nothing of its elements. The element at index (i₀, …, iₙ₋₁) is
`flat[offset + Σ iₖ·strides[k]]`; strides count elements, and a stride of 0 repeats an axis. Grids
that share `flat` are views of each other: a write through one shows in all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product, zip_longest
from math import prod
from typing import Any, TypeAlias

from engine.caches import cached

Shape: TypeAlias = tuple[int, ...]


@dataclass(slots=True, eq=False)
class Grid:
    """A view of `flat`; by default of all of it, in row-major order."""

    flat: list[Any]
    shape: Shape
    strides: Shape
    offset: int = 0

    @property
    def size(self) -> int:
        return prod(self.shape)

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def is_contiguous(self) -> bool:
        """Whether the elements lie in row-major order without gaps."""
        return self.strides == row_major(self.shape) or all(
            n == 1 or stride == expected
            for n, stride, expected in zip(
                self.shape, self.strides, row_major(self.shape), strict=True
            )
        )

    def positions(self) -> Sequence[int]:
        """The index into `flat` of each element, in row-major order."""
        if self.is_contiguous:
            return range(self.offset, self.offset + self.size)
        places = [self.offset]
        for n, stride in zip(self.shape, self.strides, strict=True):
            steps = range(0, n * stride, stride) if stride else [0] * n
            places = [place + step for place in places for step in steps]
        return places

    def items(self) -> list[Any]:
        """The elements in row-major order, in a new list."""
        if self.is_contiguous:
            return self.flat[self.offset : self.offset + self.size]
        flat = self.flat
        return [flat[place] for place in self.positions()]

    def write(self, values: Sequence[Any]) -> None:
        """Replace the elements, in row-major order, by as many values."""
        write_at(self.flat, self.positions(), values)

    def copy(self) -> Grid:
        return from_items(self.items(), self.shape)

    def map(self, f: Callable[[Any], Any]) -> Grid:
        return from_items(list(map(f, self.items())), self.shape)


@dataclass(frozen=True, slots=True)
class ElementIndices:
    """Elements anywhere in a flat list: what an index with masks or integer arrays names."""

    flat: list[Any]
    shape: Shape
    at: list[int]

    def positions(self) -> Sequence[int]:
        return self.at

    def items(self) -> list[Any]:
        return [self.flat[place] for place in self.at]

    def write(self, values: Sequence[Any]) -> None:
        """Replace the elements by as many values; where a place repeats, the last value stays."""
        write_at(self.flat, self.at, values)


class ReadOnly(list[Any]):
    """The elements of another list, which cannot be written through this one."""

    def __init__(self, elements: list[Any]) -> None:
        super().__init__()
        self.elements = elements

    def __len__(self) -> int:
        return len(self.elements)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.elements)

    def __getitem__(self, place: Any) -> Any:
        return self.elements[place]

    def __setitem__(self, place: Any, new: Any) -> None:
        raise ValueError("assignment destination is read-only")


def write_at(flat: list[Any], positions: Sequence[int], values: Sequence[Any]) -> None:
    if isinstance(positions, range) and positions.step == 1:
        flat[positions.start : positions.stop] = values
        return
    for place, value in zip(positions, values, strict=True):
        flat[place] = value


@cached("strides")
def row_major(shape: Shape) -> Shape:
    """The strides of a contiguous grid."""
    strides, step = [], 1
    for n in reversed(shape):
        strides.append(step)
        step *= n
    return tuple(reversed(strides))


def from_items(items: list[Any], shape: Shape) -> Grid:
    """The grid that owns `items`, which are in row-major order."""
    return Grid(items, shape, row_major(shape))


def filled(shape: Shape, value: Any) -> Grid:
    return from_items([value] * prod(shape), shape)


def shape_text(shape: Shape) -> str:
    """A shape as NumPy's messages write it: "(3,)", "(2,3)"."""
    return str(shape).replace(" ", "")


# Broadcasting


@cached("broadcast shapes")
def broadcast_shape(*shapes: Shape) -> Shape | None:
    """The common shape: axes align at the right, an axis of 1 stretches; None if there is none."""
    common = []
    for sizes in zip_longest(*(reversed(shape) for shape in shapes), fillvalue=1):
        size = next((n for n in sizes if n != 1), 1)
        if any(n not in (1, size) for n in sizes):
            return None
        common.append(size)
    return tuple(reversed(common))


def expand(grid: Grid, shape: Shape) -> Grid:
    """A view of `grid` in a shape that it broadcasts to."""
    lead = len(shape) - grid.ndim
    strides = tuple(
        stride if n == wanted else 0
        for n, stride, wanted in zip(grid.shape, grid.strides, shape[lead:], strict=True)
    )
    return Grid(grid.flat, shape, (0,) * lead + strides, grid.offset)


def expanded_items(grid: Grid, shape: Shape) -> list[Any]:
    """The elements of `expand(grid, shape)`."""
    if grid.shape == shape:
        return grid.items()
    if grid.size == 1:
        return [grid.flat[grid.offset]] * prod(shape)
    return expand(grid, shape).items()


# Shapes


def reshape(grid: Grid, shape: Shape) -> Grid:
    """The same elements in another shape of the same size; a view where the strides allow it."""
    if grid.is_contiguous:
        return Grid(grid.flat, shape, row_major(shape), grid.offset)
    strides = _strides_in(grid, shape)
    if strides is None:
        return from_items(grid.items(), shape)
    return Grid(grid.flat, shape, strides, grid.offset)


def _strides_in(grid: Grid, shape: Shape) -> Shape | None:
    """The strides of a view in another shape; None if there is none.

    Axes of both shapes are matched in runs of equal size; those of a run must follow each other.
    """
    if not grid.size:
        return row_major(shape)
    old = [(n, step) for n, step in zip(grid.shape, grid.strides, strict=True) if n != 1]
    found, at = [0] * len(shape), 0
    new = [k for k, n in enumerate(shape) if n != 1]
    while new:
        axes = [new.pop(0)]
        wanted, (have, step), at = shape[axes[0]], old[at], at + 1
        while have != wanted:
            if have < wanted:
                n, inner = old[at]
                if step != n * inner:
                    return None
                have, step, at = have * n, inner, at + 1
            else:
                axes.append(new.pop(0))
                wanted *= shape[axes[-1]]
        for k in reversed(axes):
            found[k], step = step, step * shape[k]
    return tuple(found)


def completed(shape: Shape, size: int) -> Shape | None:
    """`shape` with its -1 replaced by the axis that makes `size` elements; None if none does."""
    if shape.count(-1) == 1:
        rest = prod(n for n in shape if n != -1)
        if rest == 0 or size % rest:
            return None
        shape = tuple(size // rest if n == -1 else n for n in shape)
    return shape if prod(shape) == size and min(shape, default=0) >= 0 else None


def transpose(grid: Grid, axes: Sequence[int] | None = None) -> Grid:
    """A view with the axes in another order, by default reversed."""
    order = range(grid.ndim)[::-1] if axes is None else axes
    shape = tuple(grid.shape[k] for k in order)
    return Grid(grid.flat, shape, tuple(grid.strides[k] for k in order), grid.offset)


def diagonal(grid: Grid, offset: int, a: int, b: int) -> Grid:
    """A view of the elements whose places along axes `a` and `b` differ by `offset`."""
    low, high = max(0, -offset), max(0, offset)
    rest = [k for k in range(grid.ndim) if k not in (a, b)]
    count = max(0, min(grid.shape[a] - low, grid.shape[b] - high))
    start = grid.offset + (low * grid.strides[a] + high * grid.strides[b] if count else 0)
    shape = (*(grid.shape[k] for k in rest), count)
    strides = (*(grid.strides[k] for k in rest), grid.strides[a] + grid.strides[b])
    return Grid(grid.flat, shape, strides, start)


def insert_axis(grid: Grid, axis: int) -> Grid:
    """A view with a new axis of length 1 before axis `axis`."""
    shape = (*grid.shape[:axis], 1, *grid.shape[axis:])
    return Grid(grid.flat, shape, (*grid.strides[:axis], 0, *grid.strides[axis:]), grid.offset)


def drop_axes(grid: Grid, axes: Iterable[int]) -> Grid:
    """A view without `axes`, each of length 1."""
    gone = set(axes)
    kept = [k for k in range(grid.ndim) if k not in gone]
    return transpose(grid, kept)


# Nested lists


class Ragged(Exception):
    """Sequences of different lengths on one level; `shape` is that of the levels above."""

    def __init__(self, shape: Shape) -> None:
        super().__init__(shape)
        self.shape = shape


def from_nested(value: Any, parts: Callable[[Any], Sequence[Any] | None], axes: int) -> Grid:
    """The grid of a nested sequence; `parts(x)` are the items of a sequence x, None of an element.

    Deeper sequences than `axes` give `axes + 1` axes of what stands there. Raises Ragged. `parts`
    is called once for each sequence and element, so that it can count them.
    """
    shape: list[int] = []
    level = [value]
    while level and len(shape) <= axes:
        found = [parts(x) for x in level]
        lengths = {None if items is None else len(items) for items in found}
        if lengths == {None}:
            break
        if len(lengths) > 1:
            raise Ragged(tuple(shape))
        shape.append(lengths.pop() or 0)
        level = [x for items in found for x in items or ()]
    return from_items(level, tuple(shape))


def to_nested(grid: Grid) -> Any:
    """Nested lists of the elements; the element itself where there is no axis."""
    level = grid.items()
    if not grid.shape:
        return level[0]
    for axis in range(grid.ndim - 1, 0, -1):
        level = chunks(level, grid.shape[axis], prod(grid.shape[:axis]))
    return level


def chunks(items: list[Any], length: int, count: int) -> list[Any]:
    """`items` cut into `count` lists of `length`."""
    return [items[i * length : (i + 1) * length] for i in range(count)]


def indices(shape: Shape) -> Iterable[Shape]:
    """Every index of a shape, in row-major order."""
    return product(*map(range, shape))
