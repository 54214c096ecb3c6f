"""The places of an array's cells in its box: rows and columns, the first ones of a large array.

Lengths are in pixels. An array of more than two axes is drawn as its matrices, one below
the other.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

from app.caches import cached

CELL_WIDTH, CELL_HEIGHT = 72.0, 34.0
GAP = 3.0
BLOCK_GAP = 7.0
"""Between the matrices of an array of more than two axes, beside GAP."""
CAP = 21.0
"""Height of the header."""
PAD = 7.0
MORE = 16.0
"""Height of the line that counts the cells that are not shown, and width of "…" beside rows."""
LEAST = 140.0
"""Width of the narrowest box, whose header has room for a name and a shape."""
MOST_CELLS = 36
MOST_COLUMNS, MOST_ROWS = 8, 9
FIRST_COLUMNS = 7
"""Columns shown of more than MOST_COLUMNS."""


@dataclass(frozen=True, slots=True)
class CellPosition:
    """The place of the element `index`, in row-major order, from the box's upper left corner."""

    index: int
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class ArrayGrid:
    """The cells shown, and the places of "…" at the ends of rows that go on; `hidden` counts."""

    width: float
    height: float
    cells: tuple[CellPosition, ...]
    dots: tuple[tuple[float, float], ...]
    hidden: int


@cached("grids of arrays")
def array_grid(shape: tuple[int, ...]) -> ArrayGrid:
    """The grid of an array of this shape."""
    columns = shape[-1] if shape else 1
    rows = prod(shape[:-1])
    block = shape[-2] if len(shape) > 2 else rows
    wide = columns if columns <= MOST_COLUMNS else FIRST_COLUMNS
    high = min(rows, MOST_ROWS, max(1, MOST_CELLS // wide))
    cells, dots = [], []
    y = CAP + PAD
    for row in range(high):
        y += BLOCK_GAP if row and row % block == 0 else 0
        for column in range(wide):
            x = PAD + column * (CELL_WIDTH + GAP)
            cells.append(CellPosition(row * columns + column, x, y))
        if wide < columns:
            dots.append((PAD + wide * (CELL_WIDTH + GAP) + MORE / 2, y + CELL_HEIGHT / 2 + 3))
        y += CELL_HEIGHT + GAP
    hidden = rows * columns - len(cells)
    width = 2 * PAD + wide * (CELL_WIDTH + GAP) - GAP + (MORE if dots else 0)
    shift = max(0.0, (LEAST - width) / 2)
    return ArrayGrid(
        max(width, LEAST),
        y - GAP + PAD + (MORE if hidden else 0),
        tuple([CellPosition(cell.index, cell.x + shift, cell.y) for cell in cells]),
        tuple(dots),
        hidden,
    )


def shape_words(shape: tuple[int, ...]) -> str:
    """A shape as headers show it: "3 × 2", and "(2,)" for one axis."""
    return " × ".join(map(str, shape)) if len(shape) > 1 else f"({shape[0]},)"
