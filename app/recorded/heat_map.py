"""Small maps of a tensor's numbers: blue for data, orange for gradients, a bar for a minus sign."""

from __future__ import annotations

import math
from typing import NamedTuple

from app.picture.array_map import scale_of, shade
from engine.pytorch.figures_shown import matrix_of
from engine.pytorch.record import Figures

CELL, GAP = 7.0, 1.0
ROWS, COLUMNS = 6, 8


class SmallMapSize(NamedTuple):
    width: float
    height: float


def map_size(figures: Figures) -> SmallMapSize:
    """The room that the map of a tensor takes."""
    rows, columns = _cut(figures)
    return SmallMapSize(columns * (CELL + GAP) - GAP, rows * (CELL + GAP) - GAP)


def _cut(figures: Figures) -> tuple[int, int]:
    matrix = matrix_of(figures)
    rows = min(len(matrix), ROWS)
    return max(rows, 1), max(min(len(matrix[0]) if matrix else 1, COLUMNS), 1)


def heat_map(figures: Figures | None, role: str, x: float, y: float, size: SmallMapSize) -> str:
    """The map as SVG paths, one for each depth of colour; of nothing, a dashed frame.

    Each tensor has its own scale, which is symmetric about 0.
    """
    matrix = [] if figures is None else matrix_of(figures)
    if not matrix:
        room = f'width="{size.width:g}" height="{size.height:g}"'
        return f'<rect class="hole" x="{x:g}" y="{y:g}" {room} rx="2"/>'
    cells = [row[:COLUMNS] for row in matrix[:ROWS]]
    largest = scale_of([v for row in cells for v in row])
    paths: dict[str, list[str]] = {}
    for i, row in enumerate(cells):
        for j, value in enumerate(row):
            left, top = x + j * (CELL + GAP), y + i * (CELL + GAP)
            paths.setdefault(_look(value, largest), []).append(
                f"M{left:g} {top:g}h{CELL:g}v{CELL:g}h-{CELL:g}z"
            )
            if value < 0:
                paths.setdefault("minus", []).append(f"M{left + 2:g} {top + CELL / 2:g}h3")
    order = sorted(paths, key=lambda look: look == "minus")
    return "".join(
        f'<path class="{"" if look == "minus" else f"{role} "}{look}" d="{"".join(paths[look])}"/>'
        for look in order
    )


def _look(value: float, largest: float) -> str:
    return f"l{shade(value, largest)}" if math.isfinite(value) else "bad"
