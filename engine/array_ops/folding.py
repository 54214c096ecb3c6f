"""Grids made of grids: reductions, scans, products and joins.

Functions of elements are arguments; a list of elements is always in row-major order.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from operator import mul
from typing import Any

from .grid import (
    Grid,
    Shape,
    broadcast_shape,
    chunks,
    expand,
    from_items,
    insert_axis,
    reshape,
    transpose,
)


def rows_along(grid: Grid, axes: Sequence[int]) -> tuple[Shape, list[list[Any]]]:
    """The other axes' shape, and for each index of these the elements along `axes`."""
    others = [k for k in range(grid.ndim) if k not in axes]
    moved = transpose(grid, [*others, *axes])
    length = prod(grid.shape[k] for k in axes)
    shape = tuple(grid.shape[k] for k in others)
    return shape, chunks(moved.items(), length, prod(shape))


def reduce(
    grid: Grid, axes: Sequence[int], f: Callable[[list[Any]], Any], keep: bool = False
) -> Grid:
    """`f` of the elements along `axes`, which disappear, or with `keep` have length 1."""
    shape, rows = rows_along(grid, axes)
    if keep:
        shape = tuple(1 if k in axes else n for k, n in enumerate(grid.shape))
    return from_items([f(row) for row in rows], shape)


def along(grid: Grid, axis: int, f: Callable[[list[Any]], list[Any]]) -> Grid:
    """Each row along `axis` replaced by `f` of it; all results have one length."""
    shape, rows = rows_along(grid, [axis])
    results = [f(row) for row in rows]
    length = len(results[0]) if results else len(f([None] * grid.shape[axis]))
    last = from_items([x for row in results for x in row], (*shape, length))
    order = list(range(grid.ndim - 1))
    order.insert(axis, grid.ndim - 1)
    return transpose(last, order).copy()


# Products


def matmul_shape(a: Shape, b: Shape) -> Shape | None:
    """The shape of a @ b for grids with at least one axis; None if they do not fit."""
    rows, columns = a[-2:-1], b[-1:] if len(b) > 1 else ()
    if a[-1] != (b[-2] if len(b) > 1 else b[0]):
        return None
    lead = broadcast_shape(a[:-2], b[:-2])
    return None if lead is None else (*lead, *rows, *columns)


def matmul(a: Grid, b: Grid, dot: Callable[[list[Any], list[Any]], Any]) -> Grid:
    """a @ b, shapes fitting; `dot` is the product of a row of a and a column of b.

    It calls `dot` once for each element of the result.
    """
    shape = matmul_shape(a.shape, b.shape)
    assert shape is not None
    left = insert_axis(a, 0) if a.ndim == 1 else a
    right = insert_axis(b, 1) if b.ndim == 1 else b
    lead = shape[: len(shape) - (a.ndim > 1) - (b.ndim > 1)]
    lefts = _matrices(expand(left, (*lead, *left.shape[-2:])))
    rights = _matrices(expand(_swapped(right), (*lead, *_swapped(right).shape[-2:])))
    items = [
        dot(row, column)
        for rows, columns in zip(lefts, rights, strict=True)
        for row in rows
        for column in columns
    ]
    return from_items(items, shape)


def multiplied(a: Grid, b: Grid) -> list[Any]:
    """The elements of a @ b for grids of floats with at least two axes.

    Where rows are short, whole rows of b are scaled and added instead.
    """
    if not 0 < a.shape[-1] <= SHORT or a.ndim > 2 or b.ndim > 2:
        return matmul(a, b, _dot).flat
    lines = chunks(b.items(), b.shape[1], b.shape[0])
    items: list[Any] = []
    for row in chunks(a.items(), a.shape[1], a.shape[0]):
        found = [row[0] * x for x in lines[0]]
        for factor, line in zip(row[1:], lines[1:], strict=True):
            found = [y + factor * x for y, x in zip(found, line, strict=True)]
        items += found
    return items


SHORT = 8
"""Numbers in a short row."""


def _dot(row: list[Any], column: list[Any]) -> Any:
    return sum(map(mul, row, column))


def _swapped(grid: Grid) -> Grid:
    return transpose(grid, [*range(grid.ndim - 2), grid.ndim - 1, grid.ndim - 2])


def _matrices(grid: Grid) -> list[list[list[Any]]]:
    """The matrices of the last two axes, as lists of rows."""
    height, width = grid.shape[-2:]
    count = prod(grid.shape[:-2])
    rows = chunks(grid.items(), width, count * height)
    return chunks(rows, height, count)


# Joins


def concatenate(grids: Sequence[Grid], axis: int) -> Grid:
    """Grids one after the other along `axis`; their other axes agree."""
    moved = [_first(grid, axis) for grid in grids]
    items = [x for grid in moved for x in grid.items()]
    length = sum(grid.shape[0] for grid in moved)
    joined = from_items(items, (length, *moved[0].shape[1:]))
    order = list(range(1, joined.ndim))
    order.insert(axis, 0)
    return transpose(joined, order).copy() if axis else joined


def _first(grid: Grid, axis: int) -> Grid:
    return transpose(grid, [axis, *(k for k in range(grid.ndim) if k != axis)])


def stack(grids: Sequence[Grid], axis: int) -> Grid:
    """Grids of one shape side by side along a new axis."""
    return concatenate([insert_axis(grid, axis) for grid in grids], axis)


def repeat(grid: Grid, counts: Sequence[int], axis: int) -> Grid:
    """Each slice along `axis` as many times as its count says."""
    at = [i for i, count in enumerate(counts) for _ in range(count)]
    return along(grid, axis, lambda row: [row[i] for i in at])


def tile(grid: Grid, counts: Sequence[int]) -> Grid:
    """The grid side by side, `counts[k]` times along axis k; as many counts as axes."""
    for axis, count in enumerate(counts):
        grid = concatenate([grid] * count, axis) if count else _emptied(grid, axis)
    return grid


def _emptied(grid: Grid, axis: int) -> Grid:
    return from_items([], (*grid.shape[:axis], 0, *grid.shape[axis + 1 :]))


def flattened(grid: Grid) -> Grid:
    """All elements along one axis; a view where the strides allow it."""
    return reshape(grid, (grid.size,))
