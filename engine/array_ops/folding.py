"""Grids made of grids: reductions, scans, products and joins.

Functions of elements are arguments; a list of elements is always in row-major order.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

from .grid import (
    Grid,
    Shape,
    broadcast_shape,
    chunks,
    expand,
    from_items,
    insert_axis,
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


def matmul(a: Grid, b: Grid, dot: Callable[[list[Any], list[Any]], Any]) -> Grid:
    """a @ b, shapes fitting; `dot` is the product of a row of a and a column of b.

    It calls `dot` once for each element of the result.
    """
    rows, columns = a.shape[-2:-1], b.shape[-1:] if b.ndim > 1 else ()
    lead = broadcast_shape(a.shape[:-2], b.shape[:-2])
    assert lead is not None
    shape = (*lead, *rows, *columns)
    left = insert_axis(a, 0) if a.ndim == 1 else a
    right = insert_axis(b, 1) if b.ndim == 1 else b
    lefts = _matrices(expand(left, (*lead, *left.shape[-2:])))
    rights = _matrices(expand(_swapped(right), (*lead, *_swapped(right).shape[-2:])))
    items = [
        dot(row, column)
        for rows, columns in zip(lefts, rights, strict=True)
        for row in rows
        for column in columns
    ]
    return from_items(items, shape)


def _swapped(grid: Grid) -> Grid:
    return transpose(grid, [*range(grid.ndim - 2), grid.ndim - 1, grid.ndim - 2])


def _matrices(grid: Grid) -> list[list[list[Any]]]:
    """The matrices of the last two axes, as lists of rows."""
    height, width = grid.shape[-2:]
    count = prod(grid.shape[:-2])
    rows = chunks(grid.items(), width, count * height)
    return chunks(rows, height, count)
