"""The space as a layer sees it: a bent grid with the samples on it, as SVG."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from markupsafe import Markup

from app.picture.plots import Plot, scale
from app.train.thumbnails import CLASSES
from engine.runs.space import LINES, Space
from engine.training.samples import Samples


def space_svg(
    found: Space, titles: tuple[str, str], name: str, colours: Sequence[str], tested: int
) -> Markup:
    """The drawing; `colours` are the samples' classes in the style sheet, the last `tested` of
    them being test samples."""
    points = [point for line in found.lines for point in line] + list(found.samples)
    xs, ys = (scale([point[i] for point in points]) for i in (0, 1))
    plot = Plot(xs, ys, width=360, height=300, left=40)
    parts = [*plot.grid(*titles), *_lines(found, plot), *_dots(found, plot, colours, tested)]
    return Markup(plot.svg(parts, name))  # noqa: S704  all text is escaped


def _lines(found: Space, plot: Plot) -> Iterator[str]:
    for number, line in enumerate(found.lines):
        yield plot.line(line, "bent first" if number < LINES else "bent second")


def _dots(found: Space, plot: Plot, colours: Sequence[str], tested: int) -> Iterator[str]:
    first = len(found.samples) - tested
    for i, (point, colour) in enumerate(zip(found.samples, colours, strict=True)):
        x, y = plot.at(*point)
        look = f"{colour} test" if i >= first else colour
        yield f'<circle class="dot {look}" cx="{x:.1f}" cy="{y:.1f}" r="3.2"/>'


def colours_of(samples: Samples, classes: int) -> list[str]:
    """The style sheet's class of each sample."""
    if classes:
        return [f"c{int(label) % CLASSES}" for label in samples.labels]
    return ["pos" if label > 0 else "neg" for label in samples.labels]
