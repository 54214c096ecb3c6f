"""The plot of an operation and its derivative as SVG, with a point and its tangent.

`static/js/reference/operation.js` moves the point; `static/css/operation.css` styles the classes.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from markupsafe import Markup

from app.caches import cached
from app.operations.views import PlottedInput
from app.picture.text import escaped
from app.picture.ticks import ticks
from engine.numbers import compact, in_equation

WIDTH, HEIGHT = 640.0, 400.0
LEFT, RIGHT, TOP, BOTTOM = 44.0, 12.0, 12.0, 30.0
ACROSS, DOWN = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM
MARGIN = 0.06  # of the height, above and below
TAIL = 0.2  # share of the numbers on either side that may be left out where they are far away
FAR = 6.0  # heights of the middle numbers, beyond which they are
AROUND = 1.25  # heights of the middle numbers that are then shown on either side of them
FINE = 4  # points drawn for each place of the point that is dragged
JUMP = 0.12  # of the height, by which a line leaves its tangents at a jump


@dataclass(frozen=True, slots=True)
class Curves:
    """The places of the point, and the value and derivative at each."""

    choice: PlottedInput
    xs: Sequence[float]
    ys: Sequence[float]
    slopes: Sequence[float]
    bottom: float
    top: float

    def x(self, at: float) -> float:
        """The abscissa in the picture."""
        low, high = self.choice.view.low, self.choice.view.high
        return LEFT + ACROSS * (at - low) / (high - low)

    def y(self, at: float) -> float:
        """The ordinate in the picture, at most one height outside of it."""
        share = (at - self.bottom) / (self.top - self.bottom)
        return TOP + DOWN * (1 - min(max(share, -1.0), 2.0))


@cached("curves of operations")
def curves(choice: PlottedInput) -> Curves:
    """The numbers of a plot."""
    xs = choice.view.places()
    numbers = [choice.numbers(x) for x in xs]
    ys, slopes = [y for y, _ in numbers], [slope for _, slope in numbers]
    bottom, top = _range([x for x in (*ys, *slopes) if math.isfinite(x)])
    return Curves(choice, xs, ys, slopes, bottom, top)


def plot(choice: PlottedInput, place: int) -> Markup:
    """The plot with the point at the number `place` of its places."""
    shown = curves(choice)
    frame = f'x="{LEFT:g}" y="{TOP:g}" width="{ACROSS:g}" height="{DOWN:g}"'
    parts = (
        f'<defs><clipPath id="inside"><rect {frame}/></clipPath></defs>',
        *_undefined(shown),
        *_grid(shown),
        '<g clip-path="url(#inside)">',
        f'<path class="slope" d="{_line(choice, 1)}"/><path class="curve" d="{_line(choice, 0)}"/>',
        _tangent(shown, place),
        "</g>",
        _point(shown, place),
    )
    return Markup(  # noqa: S704  # numbers, and names of the table
        f'<svg class="plot" id="plot" viewBox="0 0 {WIDTH:g} {HEIGHT:g}" role="img"'
        f' aria-label="{escaped(words(shown))}">{"".join(parts)}</svg>'
    )


def words(shown: Curves) -> str:
    """The text alternative: names, interval and range."""
    choice = shown.choice
    over = choice.op.params[choice.over]
    held = ""
    if choice.held is not None:
        held = f" with {choice.op.params[1 - choice.over]} = {compact(choice.held)}"
    return (
        f"{choice.op.called} and its derivative for {over} from {compact(choice.view.low)} to "
        f"{compact(choice.view.high)}{held}"
    )


# Axes


def _range(numbers: list[float]) -> tuple[float, float]:
    """The range of the numbers with a margin; without the tails if they are far from the rest."""
    ordered = sorted(numbers) or [0.0]
    low, high = ordered[0], ordered[-1]
    first, last = (ordered[round(share * (len(ordered) - 1))] for share in (TAIL, 1 - TAIL))
    height = last - first
    if height and high - low > FAR * height:
        low, high = max(low, first - AROUND * height), min(high, last + AROUND * height)
    low, high = min(low, 0.0), max(high, 0.0)
    if high - low < 1e-9:
        low, high = -1.0, 1.0
    margin = MARGIN * (high - low)
    return low - margin, high + margin


def _grid(shown: Curves) -> Iterator[str]:
    view = shown.choice.view
    for value in ticks(shown.bottom, shown.top, 6):
        y, look = shown.y(value), "axis" if abs(value) < 1e-12 else "grid"
        yield f'<path class="{look}" d="M{LEFT:g} {y:.1f}h{ACROSS:g}"/>'
        yield _text(LEFT - 6, y + 4, compact(round(value, 9)), "end")
    for value in ticks(view.low, view.high, 8):
        x, look = shown.x(value), "axis" if abs(value) < 1e-12 else "grid"
        yield f'<path class="{look}" d="M{x:.1f} {TOP:g}v{DOWN:g}"/>'
        yield _text(x, TOP + DOWN + 18, compact(round(value, 9)), "middle")


def _text(x: float, y: float, words: str, anchor: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escaped(words)}</text>'


def _undefined(shown: Curves) -> Iterator[str]:
    """Shaded stripes where the operation has no value."""
    start: float | None = None
    for x, y in [*zip(shown.xs, shown.ys, strict=True), (shown.choice.view.high, 0.0)]:
        if math.isnan(y):
            start = x if start is None else start
        elif start is not None:
            left, right = shown.x(start), shown.x(x)
            rect = f'x="{left:.1f}" y="{TOP:g}" width="{right - left:.1f}" height="{DOWN:g}"'
            yield f'<rect class="undefined" {rect}/>'
            start = None


# Curves


@cached("lines of operations")
def _line(choice: PlottedInput, which: int) -> str:
    """A path through values (0) or slopes (1), interrupted at jumps and where there is no value."""
    shown = curves(choice)
    height = shown.top - shown.bottom
    step = choice.view.step / FINE
    count = (choice.view.size - 1) * FINE + 1
    points = []
    for i in range(count):
        x = round(choice.view.low + i * step, 9) + 0.0
        y, slope = choice.numbers(x)
        points.append((x, y if which == 0 or math.isnan(y) else slope))
    parts, pen = [], "M"
    for (x, y), (_, after) in pairwise([*points, (0.0, math.nan)]):
        if not math.isfinite(y):
            pen = "M"
            continue
        parts.append(f"{pen}{shown.x(x):.1f} {shown.y(y):.1f}")
        jumps = abs(after - y) > JUMP * height and _leaves(points, x, y, after, step)
        pen = "M" if jumps else "L"
    return "".join(parts)


def _leaves(
    points: Sequence[tuple[float, float]], x: float, y: float, after: float, step: float
) -> bool:
    """Whether the change from `y` to `after` is not the start of a steep part of one sign."""
    i = round((x - points[0][0]) / step)
    before = points[max(i - 1, 0)][1]
    if not math.isfinite(before):
        return True
    change, last = after - y, y - before
    return last * change <= 0 or abs(change) > 8 * abs(last)


def _tangent(shown: Curves, place: int) -> str:
    """The tangent at the point, from edge to edge of the plot."""
    return f'<path class="tangent" id="tangent" d="{tangent(shown, place)}"/>'


def tangent(shown: Curves, place: int) -> str:
    """The path of the tangent; "" if there is none."""
    x, y, slope = shown.xs[place], shown.ys[place], shown.slopes[place]
    if not (math.isfinite(y) and math.isfinite(slope)):
        return ""
    scale = -slope * DOWN / (shown.top - shown.bottom)
    scale *= (shown.choice.view.high - shown.choice.view.low) / ACROSS
    across = 2 * WIDTH / math.hypot(1, scale)
    px, py = shown.x(x), shown.y(y)
    dx, dy = across, across * scale
    return f"M{px - dx:.1f} {py - dy:.1f}L{px + dx:.1f} {py + dy:.1f}"


def _point(shown: Curves, place: int) -> str:
    """The point on the curve, and the one below or above it on the derivative."""
    x = shown.x(shown.xs[place])
    dots = []
    for name, number in (("dot-slope", shown.slopes[place]), ("dot", shown.ys[place])):
        there = shown.bottom <= number <= shown.top
        hidden = "" if there else ' visibility="hidden"'
        y = shown.y(number) if there else TOP
        dots.append(f'<circle class="{name}" id="{name}" cx="{x:.1f}" cy="{y:.1f}" r="6"{hidden}/>')
    return f'<path class="stem" id="stem" d="M{x:.1f} {TOP:g}v{DOWN:g}"/>{"".join(dots)}'


def reading(shown: Curves, place: int) -> tuple[str, str, str]:
    """x, y and the slope at a place, as texts."""
    x, y, slope = shown.xs[place], shown.ys[place], shown.slopes[place]
    return compact(x), in_equation(y), in_equation(slope)
