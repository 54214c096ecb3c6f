"""The picture of a descent: its path on a curve, on contours, or the output by step."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from markupsafe import Markup

from app.picture.contours import above, levels
from app.picture.plots import HUGE, AxisScale, Plot, scale
from app.picture.text import escaped
from engine.calculus.descent import DescentPoint, heights
from engine.numbers import brief
from engine.trace.model import Node
from engine.trace.traced import Trace

SAMPLES = 120  # of a curve
GRID = 24  # cells of a map along each leaf
DOTS = 60  # steps up to which each has a dot
RADII = {"start": 4, "stop": 2}
FAR = 100.0
"""Steps further from the start than this many times its size are outside the picture."""
ROOM = 0.35  # of the path's extent on either side of it
LEAST = 0.5  # half the width around a path that hardly moves, relative to the start and to 1
BEYOND = "Steps from {step} on are outside the picture."
MAP = "The bluer the ground, the higher {output}."
NO_MAP = "Without contours: they would take more than {most:,} operations."


class DescentPicture(NamedTuple):
    """A picture, the place of each step's mark where it is inside, and what is said of it."""

    picture: Markup
    marks: Sequence[tuple[float, float] | None]
    says: str


def picture(
    shown: Trace, leaves: Sequence[Node], places: Sequence[DescentPoint], at: int, most: int
) -> DescentPicture:
    """The path with a mark at step `at`; the ground is that of the drawn graph."""
    if len(leaves) == 1:
        return _along(shown, leaves[0], places, at)
    if len(leaves) == 2:
        return _over(shown, leaves, places, at, most)
    return _by_step(shown, places, at)


def _inside(places: Sequence[DescentPoint]) -> int:
    """The number of first steps that are in the picture."""
    start = places[0].numbers
    reach = [FAR * max(1.0, abs(x)) for x in start]
    for place in places:
        gaps = zip(place.numbers, start, reach, strict=True)
        if any(abs(x - x0) > far for x, x0, far in gaps) or abs(place.output) > HUGE:
            return max(place.step, 1)
    return len(places)


def _axis(numbers: Sequence[float]) -> AxisScale:
    low, high = min(numbers), max(numbers)
    room = max(ROOM * (high - low), (LEAST * max(abs(numbers[0]), 1.0) - (high - low)) / 2)
    return AxisScale(low - room, high + room)


def _steps_of(axis: AxisScale, count: int) -> list[float]:
    return [axis.low + (axis.high - axis.low) * k / count for k in range(count + 1)]


def _along(shown: Trace, leaf: Node, places: Sequence[DescentPoint], at: int) -> DescentPicture:
    output = shown.names()[shown.drawn]
    inside = places[: _inside(places)]
    axis = _axis([place.numbers[0] for place in inside])
    xs = _steps_of(axis, SAMPLES)
    (ys,) = heights(shown, [(leaf.id, xs)])
    path = [(place.numbers[0], place.output) for place in inside]
    curve = list(zip(xs, ys, strict=True))
    plot = Plot(axis, scale([*(y for _, y in path), *_near(ys, [y for _, y in path])]))
    parts = [
        *plot.grid(leaf.name, output),
        plot.line(_cut(curve, plot.y), "curve"),
        *_trail(plot, path, inside, output),
    ]
    words = f"{output} over {leaf.name}, with {len(places) - 1} steps along its gradient"
    return _finished(plot, parts, places, [(p.numbers[0], p.output) for p in places], at, words)


def _near(ys: Sequence[float], path: Sequence[float]) -> list[float]:
    """The part of a curve that its axis has room for: within some heights of the path."""
    low, high = min(path), max(path)
    room = 2 * (high - low) or max(abs(low), 1.0)
    return [min(max(y, low - room), high + room) for y in ys if math.isfinite(y)]


def _cut(points: Sequence[tuple[float, float]], axis: AxisScale) -> list[tuple[float, float]]:
    """The points, with nan for those far outside of an axis, between which no line is drawn."""
    room = 3 * (axis.high - axis.low)
    return [(x, y if axis.low - room <= y <= axis.high + room else math.nan) for x, y in points]


def _over(
    shown: Trace, leaves: Sequence[Node], places: Sequence[DescentPoint], at: int, most: int
) -> DescentPicture:
    output = shown.names()[shown.drawn]
    inside = places[: _inside(places)]
    x, y = (_axis([place.numbers[k] for place in inside]) for k in (0, 1))
    plot = Plot(x, y, height=270.0)
    has_map = (GRID + 1) ** 2 * len(shown.nodes) <= most * MAPS
    ground = list(_ground(shown, leaves, plot)) if has_map else []
    path = [(place.numbers[0], place.numbers[1]) for place in inside]
    names = [leaf.name for leaf in leaves]
    parts = [*ground, *plot.grid(*names), *_trail(plot, path, inside, output)]
    words = (
        f"{output} over {names[0]} and {names[1]}, with {len(places) - 1} steps along its gradient"
    )
    ends = [(p.numbers[0], p.numbers[1]) for p in places]
    found = _finished(plot, parts, places, ends, at, words)
    missing = MAP.format(output=output) if has_map else NO_MAP.format(most=most * MAPS)
    return found._replace(says=f"{missing} {found.says}".strip())


MAPS = 4
"""Times the operations of a check that a map may take: it is computed without gradients."""


def _ground(shown: Trace, leaves: Sequence[Node], plot: Plot) -> Iterator[str]:
    """The contours; what has no value there is left blank."""
    xs, ys = _steps_of(plot.x, GRID), _steps_of(plot.y, GRID)
    found = heights(shown, [(leaves[0].id, xs), (leaves[1].id, ys)])
    names = shown.names()

    def to(column: float, row: float) -> tuple[float, float]:
        across = plot.x.low + (plot.x.high - plot.x.low) * column / GRID
        return plot.at(across, plot.y.low + (plot.y.high - plot.y.low) * row / GRID)

    lowest = [[z if math.isfinite(z) else -math.inf for z in row] for row in found]
    bounds = levels(found)
    for number, level in enumerate(bounds, 1):
        upper = f" to {brief(bounds[number])}" if number < len(bounds) else " and more"
        title = f"<title>{escaped(names[shown.drawn])} {brief(level)}{upper}</title>"
        yield f'<path class="level" d="{above(lowest, level, to)}">{title}</path>'
    undefined = [[0.0 if math.isfinite(z) else 1.0 for z in row] for row in found]
    if any(z for row in undefined for z in row):
        title = "<title>no value</title>"
        yield f'<path class="undefined" d="{above(undefined, 0.5, to)}">{title}</path>'


def _by_step(shown: Trace, places: Sequence[DescentPoint], at: int) -> DescentPicture:
    output = shown.names()[shown.drawn]
    path = [(float(place.step), place.output) for place in places]
    shown_y = [y for _, y in path[: _inside(places)]]
    plot = Plot(AxisScale(0.0, max(float(len(places) - 1), 1.0)), scale(shown_y))
    inside = places[: _inside(places)]
    trail = _trail(plot, path[: len(inside)], inside, output)
    parts = [*plot.grid("step", output), *trail]
    words = f"{output} by step, {len(places) - 1} steps along its gradient"
    return _finished(plot, parts, places, path, at, words)


def _trail(
    plot: Plot, path: Sequence[tuple[float, float]], places: Sequence[DescentPoint], output: str
) -> Iterator[str]:
    yield plot.line(path, "trail")
    for (x, y), place in zip(path, places, strict=True):
        if len(places) > DOTS and place.step:
            break
        left, top = plot.at(x, y)
        title = escaped(f"step {place.step}: {output} {brief(place.output)}")
        look = "start" if place.step == 0 else "stop"
        yield (
            f'<circle class="{look}" cx="{left:.1f}" cy="{top:.1f}" r="{RADII[look]}">'
            f"<title>{title}</title></circle>"
        )


def _finished(
    plot: Plot,
    parts: Sequence[str],
    places: Sequence[DescentPoint],
    ends: Sequence[tuple[float, float]],
    at: int,
    words: str,
) -> DescentPicture:
    count = _inside(places)
    marks = [_mark(plot, end) if k < count else None for k, end in enumerate(ends)]
    here = marks[at] or (0.0, 0.0)
    hidden = "visible" if marks[at] else "hidden"
    place = f'cx="{here[0]:.1f}" cy="{here[1]:.1f}" r="5.5" visibility="{hidden}"'
    mark = f'<circle class="mark" data-place="mark" {place}/>'
    says = BEYOND.format(step=count) if count < len(places) else ""
    svg = Markup(plot.svg([*parts, mark], words))  # noqa: S704  all text is escaped
    return DescentPicture(svg, marks, says)


def _mark(plot: Plot, end: tuple[float, float]) -> tuple[float, float]:
    x, y = plot.at(*end)
    return round(x, 1), round(y, 1)
