"""The cells of an array as a map: numbers up to 64 of them, above that colours alone.

Each role keeps one hue, and the scale is symmetric about 0; a bar in a cell is a minus sign, so
that nothing is told by colour alone. nan and infinities are marked by a cross and an arrow.

    <svg class="array-map data"><g class="cell-map" data-cell="3"><rect class="heat h4"/>…
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import isfinite, prod

from app.picture.text import escaped
from engine.numbers import in_equation

WITH_NUMBERS = 64
"""Cells up to which an array is shown with its numbers."""
CELL_WIDTH, CELL_HEIGHT = 54.0, 24.0
WIDE, SMALL = 22.0, 14.0
"""Width and height of a cell of a map without numbers, at most."""
GAP = 2.0
MOST = 240.0
"""Width and height of a map without numbers; its cells shrink to fit."""
LEAST = 3.0
STEPS = 8
"""Shades of a scale on either side of 0."""
BLOCK_GAP = 5.0


@dataclass(frozen=True, slots=True)
class ArrayMapSize:
    """How an array is laid out: rows and columns, the size of a cell, the size of the whole."""

    rows: int
    columns: int
    width: float
    height: float
    cell_width: float
    cell_height: float
    has_numbers: bool
    gap: float
    shown: int
    """Rows that are shown; of more only the first ones are."""

    def place(self, cell: int, block: int) -> tuple[float, float]:
        row, column = divmod(cell, self.columns)
        down = row * (self.cell_height + self.gap) + (row // block) * BLOCK_GAP
        return column * (self.cell_width + self.gap), down


def map_size(shape: tuple[int, ...], most: float = MOST, numbers: bool = True) -> ArrayMapSize:
    """The layout of an array of this shape, the same for every frame.

    An array of more than two axes is drawn as its matrices, one below the other. Without
    `numbers` small arrays too have colours alone.
    """
    columns = shape[-1] if shape else 1
    rows = prod(shape[:-1]) if shape else 1
    count = prod(shape)
    has_numbers = numbers and count <= WITH_NUMBERS and columns <= 8
    if has_numbers:
        wide, high, gap = CELL_WIDTH, CELL_HEIGHT, GAP
    else:
        wide = max(LEAST, min(WIDE, most / max(columns, 1)))
        high = max(LEAST, min(SMALL, most / max(rows, 1)))
        gap = 1.0 if min(wide, high) > 6 else 0.0
        wide, high = wide - gap, high - gap
    shown = rows if has_numbers else min(rows, int(most / (high + gap)) or 1)
    columns_shown = columns if has_numbers else min(columns, int(most / (wide + gap)) or 1)
    blocks = (shown - 1) // block_of(shape) if shown else 0
    return ArrayMapSize(
        rows, max(columns, 1), columns_shown * (wide + gap) - gap,
        shown * (high + gap) - gap + blocks * BLOCK_GAP, wide, high, has_numbers, gap, shown,
    )  # fmt: skip


def block_of(shape: tuple[int, ...]) -> int:
    """The rows of one matrix of an array."""
    return max(shape[-2], 1) if len(shape) > 2 else max(prod(shape[:-1]), 1) if shape else 1


def scale_of(data: Sequence[float]) -> float:
    """The end of a scale: the largest size of a finite number."""
    return max((abs(x) for x in data if isfinite(x)), default=0.0)


def shade(x: float, scale: float) -> int:
    """The shade of a number, from 0 for 0 to STEPS for the end of the scale."""
    if not isfinite(x) or scale == 0:
        return 0
    size = min(abs(x) / scale, 1.0)
    return max(round(size * STEPS), 1 if x else 0)


def array_map(
    data: Sequence[float] | None,
    shape: tuple[int, ...],
    role: str,
    *,
    label: str,
    scale: float | None = None,
    marked: int | None = None,
    most: float = MOST,
    prefix: str = "",
    numbers: bool = True,
) -> str:
    """The map of an array as SVG; without `data`, its cells are empty: they come later.

    `marked` is a cell that stands out. `prefix` begins the names of cells that scripts point at.
    """
    size = map_size(shape, most, numbers)
    end = scale_of(data) if scale is None and data is not None else scale or 0.0
    across = int((size.width + size.gap) / (size.cell_width + size.gap) + 0.5)
    across = min(size.columns, across)
    shown = [row * size.columns + k for row in range(size.shown) for k in range(across)]
    if size.has_numbers:
        body = "".join(_numbered(shown, data, shape, end, marked, prefix))
    elif data is None:
        body = f'<rect class="later" width="{size.width:.1f}" height="{size.height:.1f}"/>'
    else:
        body = _heat(shown, data, size, block_of(shape), end, marked)
    more = " part" if len(shown) < prod(shape) else ""
    note = f"<title>{escaped(label)}</title>" if label else ""
    wide, high = size.width + 4, size.height + 4
    if prefix and not size.has_numbers:  # which cell is where, for scripts
        wider, higher = size.cell_width + size.gap, size.cell_height + size.gap
        block = f"{block_of(shape)} {BLOCK_GAP:g} {prod(shape)}"
        more += f'" data-map="{prefix}{size.columns} {wider:g} {higher:g} {block}'
    return (
        f'<svg class="array-map {role}{more}" viewBox="-2 -2 {wide:.1f} {high:.1f}" '
        f'width="{wide:.1f}" height="{high:.1f}" role="img" aria-label="{escaped(label)}">'
        f"{note}{body}</svg>"
    )


def _numbered(
    shown: Sequence[int],
    data: Sequence[float] | None,
    shape: tuple[int, ...],
    end: float,
    marked: int | None,
    prefix: str,
) -> Iterator[str]:
    """The cells of a map with numbers, each by itself."""
    size, block = map_size(shape), block_of(shape)
    for at in shown:
        x, y = size.place(at, block)
        name = f' data-cell="{prefix}{at}"' if prefix else ""
        look = " marked" if at == marked else ""
        cell = _cell(None if data is None else data[at], end, size)
        place = f'transform="translate({x:.1f} {y:.1f})"'
        yield f'<g class="cell-map{look}"{name} {place}>{cell}</g>'


def _heat(
    shown: Sequence[int],
    data: Sequence[float],
    size: ArrayMapSize,
    block: int,
    end: float,
    marked: int | None,
) -> str:
    """The cells of a map without numbers: one path for each shade, and for minus signs."""
    wide, high = size.cell_width, size.cell_height
    paths: dict[str, list[str]] = {}
    for at in shown:
        x, y = size.place(at, block)
        box = f"M{x:.1f} {y:.1f}h{wide:.1f}v{high:.1f}h-{wide:.1f}z"
        number = data[at]
        if not isfinite(number):
            paths.setdefault("heat odd", []).append(box)
            cross = f"M{x + 1:.1f} {y + 1:.1f}l{wide - 2:.1f} {high - 2:.1f}"
            paths.setdefault("cross", []).append(cross)
            continue
        level = shade(number, end)
        paths.setdefault(f"heat h{level}", []).append(box)
        if number < 0 and min(wide, high) >= 4:
            bar = f"M{x + wide * 0.25:.1f} {y + high / 2:.1f}h{wide / 2:.1f}"
            paths.setdefault(f"minus {'light' if level > 5 else 'dark'}", []).append(bar)
        if at == marked:
            paths.setdefault("marked", []).append(box)
    order = sorted(paths, key=lambda look: (look == "marked", not look.startswith("heat")))
    return "".join(f'<path class="{look}" d="{"".join(paths[look])}"/>' for look in order)


def array_number(x: float, *, paren: bool = False) -> str:
    """A number as equations of Explore show it; zero of either sign is 0."""
    return in_equation(x, paren=paren) if x else "0"


def _brief(x: float) -> str:
    """A number of at most seven letters."""
    text = array_number(x)
    if len(text) <= 7:
        return text
    if 5e-5 <= abs(x) < 1:
        return f"{x:.4f}".replace("-", "−")
    if 1 <= abs(x) < 99_999:
        return f"{x:.{6 - len(str(int(x)))}f}".replace("-", "−")
    return f"{x:.0e}".replace("e-0", "e-").replace("e+0", "e").replace("-", "−")


def _cell(x: float | None, end: float, size: ArrayMapSize) -> str:
    """A cell with its number."""
    wide, high = size.cell_width, size.cell_height
    box = f'width="{wide:.1f}" height="{high:.1f}" rx="3"'
    if x is None:
        return f'<rect class="later" {box}/>'
    place = f'x="{wide / 2:.1f}" y="{high / 2 + 4:.1f}"'
    if not isfinite(x):
        sign = "nan" if x != x else "∞" if x > 0 else "−∞"
        return f'<rect class="heat odd" {box}/><text {place}>{sign}</text>'
    level = shade(x, end)
    look = ' class="light"' if level > 5 else ""
    return f'<rect class="heat h{level}" {box}/><text{look} {place}>{_brief(x)}</text>'
