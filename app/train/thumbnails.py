"""Thumbnails of the data sets, drawn from their own samples.

Each class is one path of zero-length lines with round caps: a few hundred bytes.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from markupsafe import Markup

from app.caches import cached
from engine.training.datasets import DATASETS, Row

WIDTH, HEIGHT, MARGIN = 48.0, 32.0, 4.5
SAMPLES, NOISE = 64, 0.05
CLASSES = 8
"""The number of class colours; further classes cycle through them."""

Dot = tuple[float, float, str]
"""A position and the CSS class of its colour."""


@cached("thumbnails")
def thumbnail(name: str) -> Markup:
    """The thumbnail of a data set as inline SVG, coloured by the style sheet."""
    data = DATASETS[name]
    rows = data.make(SAMPLES, NOISE, random.Random("thumbnail"))  # noqa: S311  # no secret
    parts = _sheet() if not rows else _dots([_dot(row, data.classes) for row in rows])
    few = " few" if 0 < len(rows) < SAMPLES / 2 else ""
    return Markup(  # noqa: S704  # numbers and names of the tables alone
        f'<svg class="thumbnail{few}" viewBox="0 0 {WIDTH:g} {HEIGHT:g}" aria-hidden="true"'
        f' focusable="false">{parts}</svg>'
    )


def _dot(row: Row, classes: int) -> Dot:
    inputs, label = row
    if classes:
        return inputs[0], inputs[1], f"c{int(label) % CLASSES}"
    if len(inputs) == 1:
        return inputs[0], label, "data"
    return inputs[0], inputs[1], "pos" if label > 0 else "neg"


def _dots(dots: Sequence[Dot]) -> str:
    left, right = min(x for x, _, _ in dots), max(x for x, _, _ in dots)
    low, high = min(y for _, y, _ in dots), max(y for _, y, _ in dots)
    across, up = (WIDTH - 2 * MARGIN) / (right - left), (HEIGHT - 2 * MARGIN) / (high - low)
    paths: dict[str, list[str]] = {}
    for x, y, colour in dots:
        place = f"M{MARGIN + (x - left) * across:.1f} {MARGIN + (high - y) * up:.1f}h0"
        paths.setdefault(colour, []).append(place)
    return "".join(f'<path class="{c}" d="{"".join(d)}"/>' for c, d in sorted(paths.items()))


def _sheet() -> str:
    """An icon of a sheet with rows, for custom data."""
    lines = "".join(f"M13 {y}h10M27 {y}h8" for y in (10, 16, 22))
    sheet = '<rect class="sheet" x="8" y="4" width="32" height="24" rx="3"/>'
    return f'{sheet}<path class="rows" d="{lines}"/>'
