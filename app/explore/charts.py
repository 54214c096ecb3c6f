"""Charts that a program plots, as SVG for the page: lines, points, bars and images.

`static/css/output.css` styles the classes, in light and dark colours. All text is escaped.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from markupsafe import Markup

from app.picture.plots import HUGE, AxisScale, scale, text
from app.picture.text import escaped, fitted
from engine.numbers import compact, counted
from engine.record.charts import Chart, Series

WIDTH, HEIGHT = 332.0, 190.0
LEFT, RIGHT, TOP, BOTTOM = 46.0, 8.0, 20.0, 34.0
ACROSS, DOWN = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM
DRAWN = 1200  # points of one chart that are drawn
COLOURS = 6  # classes s0, s1, … of series
SHADES = 8  # of the cells of an image
LISTED = 8  # labels in the legend
FONT = 10.5
WORDS = {
    "line": "Line chart", "scatter": "Scatter plot", "bar": "Bar chart", "image": "Image",
}  # fmt: skip


def chart_svg(chart: Chart, number: int) -> Markup:
    """A chart as a figure of the page; `number` counts the charts of a run from 0."""
    image = next((series for series in chart.series if series.kind == "image"), None)
    body = _image(image) if image else _plot(chart)
    name = escaped(spoken_name(chart, number))
    title = f"<figcaption>{escaped(chart.title)}</figcaption>" if chart.title else ""
    return Markup(  # noqa: S704  all text is escaped
        f'<figure class="chart">{title}<svg viewBox="0 0 {WIDTH:g} {HEIGHT:g}" role="img"'
        f' aria-label="{name}">{"".join(body)}{"".join(_labels(chart))}</svg>'
        f"{_legend(chart.series)}</figure>"
    )


def spoken_name(chart: Chart, number: int) -> str:
    """The accessible name: "Line chart 1, loss: 1 series, y from 0.1 to 2.5"."""
    title = f", {chart.title}" if chart.title else ""
    words = f"{WORDS.get(chart.kind, 'Chart')} {number + 1}{title}"
    ys = [y for series in chart.series for y in series.ys if math.isfinite(y)]
    if not ys:
        return f"{words}: no finite numbers"
    lines = ", ".join(series.label for series in chart.series[:LISTED] if series.label)
    count = lines or f"{len(chart.series)} series" if len(chart.series) > 1 else lines
    numbers = f"{counted(sum(len(series.ys) for series in chart.series), 'number')}"
    parts = [part for part in (count, numbers) if part]
    return f"{words}: {', '.join(parts)} from {compact(min(ys))} to {compact(max(ys))}"


# Axes


@dataclass(frozen=True, slots=True)
class _Axes:
    """Both axes, and the names of places along x, if x holds texts."""

    across: AxisScale
    up: AxisScale
    names: Sequence[str] = ()

    def x(self, at: float) -> float:
        return LEFT + ACROSS * self.across.share(at)

    def y(self, at: float) -> float:
        return TOP + DOWN * (1 - self.up.share(at))


def _axes(chart: Chart) -> _Axes:
    names = list(dict.fromkeys(x for s in chart.series for x in s.xs if isinstance(x, str)))
    places = [x for series in chart.series for x in _xs(series, names)]
    ys = [y for series in chart.series for y in series.ys]
    has_bars = any(series.kind == "bar" for series in chart.series)
    if has_bars:
        ys.append(0.0)
        half = max(_bar_width(_xs(s, names)) / 2 for s in chart.series if s.kind == "bar")
        places = [x + side * half for x in places for side in (-1, 1) if math.isfinite(x)]
    up = scale(ys, 0.05)
    if has_bars and min(ys) >= 0:
        up = up._replace(low=0.0)
    return _Axes(scale(places, 0.02), up, names)


def _xs(series: Series, names: Sequence[str]) -> list[float]:
    """The numbers along x; a text stands at its place in `names`."""
    place = {name: float(i) for i, name in enumerate(names)}
    return [place[x] if isinstance(x, str) else _drawn(x) for x in series.xs]


def _bar_width(xs: Sequence[float]) -> float:
    """The width of bars: most of the smallest distance between two of them."""
    places = sorted({x for x in xs if math.isfinite(x)})
    gaps = [after - before for before, after in pairwise(places)]
    return 0.8 * min(gaps, default=1.0)


def _grid(axes: _Axes) -> Iterator[str]:
    for value in axes.up.ticks():
        y = axes.y(value)
        yield f'<path class="grid" d="M{LEFT:g} {y:.1f}h{ACROSS:g}"/>'
        yield text("tick", LEFT - 5, y + 3.5, compact(value), "end")
    yield f'<path class="axis" d="M{LEFT:g} {TOP + DOWN:g}h{ACROSS:g}"/>'
    if axes.names:
        every = -(-len(axes.names) // 8)
        marks = [(float(i), name) for i, name in enumerate(axes.names)][::every]
        room = ACROSS / len(marks)
    else:
        marks = [(value, compact(value)) for value in axes.across.ticks()]
        room = ACROSS
    for value, words in marks:
        yield text("tick", axes.x(value), TOP + DOWN + 13, fitted(words, room, FONT), "middle")


def _labels(chart: Chart) -> Iterator[str]:
    if chart.xlabel:
        words = fitted(chart.xlabel, ACROSS, FONT)
        yield text("label", LEFT + ACROSS / 2, HEIGHT - 6, words, "middle")
    if chart.ylabel:
        yield text("label", 4, 11, fitted(chart.ylabel, ACROSS, FONT), "start")


def _legend(series: Sequence[Series]) -> str:
    named = [(i, one) for i, one in enumerate(series) if one.label]
    if not named:
        return ""
    rows = [
        f'<li class="s{i % COLOURS}"><span>{escaped(one.label)}</span></li>'
        for i, one in named[:LISTED]
    ]
    if len(named) > LISTED:
        rows.append(f"<li><span>and {len(named) - LISTED} more</span></li>")
    return f'<ul class="chart-legend">{"".join(rows)}</ul>'


# Series


def _plot(chart: Chart) -> Iterator[str]:
    axes = _axes(chart)
    yield from _grid(axes)
    most = max(DRAWN // max(len(chart.series), 1), 40)
    draw = {"bar": _bars, "scatter": _points}
    for i, series in enumerate(chart.series):
        points = list(zip(_xs(series, axes.names), series.ys, strict=False))
        shape = draw.get(series.kind, _line)(axes, points, most)
        yield f'<path class="{series.kind} s{i % COLOURS}" d="{shape}"/>'


Points = Sequence[tuple[float, float]]


def _line(axes: _Axes, points: Points, most: int) -> str:
    """A path through the points, interrupted at non-finite ones."""
    parts, pen = [], "M"
    for x, y in _extremes(points, most):
        if not (math.isfinite(x) and math.isfinite(y)):
            pen = "M"
            continue
        parts.append(f"{pen}{_place(axes, x, y)}")
        pen = "L"
    return "".join(parts) if len(parts) != 1 else f"{parts[0]}h0.01"


def _extremes(points: Points, most: int) -> Iterator[tuple[float, float]]:
    """Of more than `most` points, the lowest and the highest of each of equal parts."""
    if len(points) <= most:
        yield from points
        return
    size = -(-2 * len(points) // most)
    for start in range(0, len(points), size):
        part = range(start, min(start + size, len(points)))
        finite = [i for i in part if math.isfinite(points[i][1])]
        if not finite:
            yield points[start]
            continue
        ends = {min(finite, key=lambda i: points[i][1]), max(finite, key=lambda i: points[i][1])}
        yield from (points[i] for i in sorted(ends))


def _points(axes: _Axes, points: Points, most: int) -> str:
    """Dots, which are lines of no length with round ends."""
    every = max(-(-len(points) // most), 1)
    return "".join(
        f"M{_place(axes, x, y)}h0"
        for x, y in points[::every]
        if math.isfinite(x) and math.isfinite(y)
    )


def _bars(axes: _Axes, points: Points, most: int) -> str:
    width = _bar_width([x for x, _ in points])
    zero = axes.y(min(max(0.0, axes.up.low), axes.up.high))
    shapes = []
    for x, y in points[: 2 * most]:
        if math.isfinite(x) and math.isfinite(y):
            left, right = (axes.x(_drawn(x + side * width / 2)) for side in (-1, 1))
            end = axes.y(_drawn(y))
            shapes.append(f"M{left:.1f} {zero:.1f}V{end:.1f}H{right:.1f}V{zero:.1f}z")
    return "".join(shapes)


def _place(axes: _Axes, x: float, y: float) -> str:
    return f"{axes.x(_drawn(x)):.1f} {axes.y(_drawn(y)):.1f}"


def _drawn(number: float) -> float:
    """A finite number as it is drawn: at the edge if it is too large for an axis."""
    return min(max(number, -HUGE), HUGE) if math.isfinite(number) else number


def _image(series: Series) -> Iterator[str]:
    """Rows of cells from the top, one path for each shade."""
    width = max(series.width, 1)
    rows = max(len(series.ys) // width, 1)
    side = min(ACROSS / width, (HEIGHT - TOP - BOTTOM / 2) / rows)
    left = (WIDTH - side * width) / 2
    low, high, _ = scale(series.ys, 0.0)
    cells: dict[int, list[str]] = {}
    for i, value in enumerate(series.ys):
        if math.isfinite(value):
            share = (min(max(value, low), high) / 2 - low / 2) / (high / 2 - low / 2)
            x, y = left + side * (i % width), TOP + side * (i // width)
            shape = f"M{x:.1f} {y:.1f}h{side:.2f}v{side:.2f}h{-side:.2f}z"
            cells.setdefault(round(share * SHADES), []).append(shape)
    for shade, shapes in sorted(cells.items()):
        yield f'<path class="cell" fill-opacity="{shade / SHADES:g}" d="{"".join(shapes)}"/>'
    frame = f'x="{left:.1f}" y="{TOP:g}" width="{side * width:.1f}" height="{side * rows:.1f}"'
    yield f'<rect class="frame" {frame}/>'
