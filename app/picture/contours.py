"""Regions of a grid in which a height is exceeded, as SVG paths."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

Point = tuple[float, float]
To = Callable[[float, float], Point]
"""Column and row of the grid, with fractions, to a pixel."""
LEVELS = 9
"""The number of contours, each with the same share of the map above it."""


def levels(heights: Sequence[Sequence[float]]) -> list[float]:
    """The heights of the contours, in ascending order: quantiles of those on the map."""
    ranked = sorted(height for row in heights for height in row if math.isfinite(height))
    if not ranked:
        return []
    return sorted({ranked[len(ranked) * k // (LEVELS + 1)] for k in range(1, LEVELS + 1)})


def above(heights: Sequence[Sequence[float]], level: float, to: To) -> str:
    """The data of a path around everything above the `level`; heights that are nan are above it.

    Each cell is cut where the heights of its corners, taken as linear along its sides, cross the
    level; neighbouring cells that lie above it as a whole are one rectangle.
    """
    parts = []
    for row in range(len(heights) - 1):
        start: int | None = None
        for column in range(len(heights[0]) - 1):
            corners = ((0, 0), (1, 0), (1, 1), (0, 1))
            cell = [(column + i, row + j, heights[row + j][column + i]) for i, j in corners]
            if all(_over(z, level) for _, _, z in cell):
                start = column if start is None else start
                continue
            if start is not None:
                parts.append(_box(start, column, row, to))
                start = None
            found = _cut(cell, level)
            if found:
                parts.append(_path(found, to))
        if start is not None:
            parts.append(_box(start, len(heights[0]) - 1, row, to))
    return "".join(parts)


def _over(z: float, level: float) -> bool:
    return not z <= level


def _cut(cell: Sequence[tuple[float, float, float]], level: float) -> list[Point]:
    """The corners of the part of a cell above the level."""
    found: list[Point] = []
    for (x, y, z), (u, v, w) in zip(cell, [*cell[1:], cell[0]], strict=True):
        if _over(z, level):
            found.append((x, y))
        if _over(z, level) != _over(w, level):
            finite = math.isfinite(z) and math.isfinite(w)
            share = (level - z) / (w - z) if finite else 0.5
            found.append((x + share * (u - x), y + share * (v - y)))
    return found


def _box(start: int, end: int, row: int, to: To) -> str:
    return _path([(start, row), (end, row), (end, row + 1), (start, row + 1)], to)


def _path(points: Sequence[Point], to: To) -> str:
    pixels = (to(x, y) for x, y in points)
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in pixels) + "z"
