"""Sums in the order in which NumPy adds, so that the last digit is NumPy's."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from engine.array_ops.grid import Grid, Shape, chunks, transpose

BLOCK = 128  # up to this length a sum has eight running sums


def pairwise(xs: list[float]) -> float:
    """The sum of a contiguous row: eight running sums in blocks, halves above 128 numbers."""
    n = len(xs)
    if n < 8:
        return sum(xs, -0.0)
    if n > BLOCK:
        half = n // 2
        half -= half % 8
        return pairwise(xs[:half]) + pairwise(xs[half:])
    whole = n - n % 8
    r = [sum(xs[k + 8 : whole : 8], xs[k]) for k in range(8)]
    total = ((r[0] + r[1]) + (r[2] + r[3])) + ((r[4] + r[5]) + (r[6] + r[7]))
    return sum(xs[whole:], total)


def sum_floats(grid: Grid, axes: Sequence[int]) -> tuple[Shape, list[float]]:
    """The sums along `axes` for each index of the other axes, and their shape.

    NumPy walks the axes from the largest stride to the smallest. Innermost axes that disappear are
    summed pairwise, the others one after the other.
    """
    others = [k for k in range(grid.ndim) if k not in axes]
    shape = tuple(grid.shape[k] for k in others)
    order = sorted(
        range(grid.ndim), key=lambda k: -abs(grid.strides[k]) if grid.shape[k] != 1 else 0
    )
    inner = _innermost(order, axes)
    outer = [k for k in order if k in axes and k not in inner]
    moved = transpose(grid, [*others, *outer, *inner])
    length = prod(grid.shape[k] for k in inner)
    rows = chunks(moved.items(), length, prod(moved.shape[: len(others) + len(outer)]))
    partial = [pairwise(row) for row in rows]
    count = prod(grid.shape[k] for k in outer)
    return shape, [sum(part, 0.0) for part in chunks(partial, count, prod(shape))]


def _innermost(order: list[int], axes: Sequence[int]) -> list[int]:
    """The axes of `axes` at the end of the walk."""
    inner: list[int] = []
    for k in reversed(order):
        if k not in axes:
            break
        inner.insert(0, k)
    return inner
