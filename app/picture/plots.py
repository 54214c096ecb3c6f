"""Axes, lines and marks of small plots, as SVG.

A plot has classes only; `static/css/plots.css` gives them colours. All text is escaped.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from app.picture.text import escaped
from app.picture.ticks import ticks
from engine.numbers import compact

HUGE = 1e300
DECADES = 4  # labelled powers of ten on a logarithmic axis, at most about as many


class AxisScale(NamedTuple):
    """The range of an axis; `is_log` makes it logarithmic, its ends being powers of ten."""

    low: float
    high: float
    is_log: bool = False

    def share(self, at: float) -> float:
        """The place of a number on the axis, from 0 to 1."""
        low, high = self.low, self.high
        if self.is_log:
            at, low, high = (math.log10(max(x, 1e-320)) for x in (at, low, high))
        return (at / 2 - low / 2) / (high / 2 - low / 2)

    def ticks(self) -> list[float]:
        """The numbers with a tick."""
        if not self.is_log:
            return ticks(self.low, self.high)
        first, last = round(math.log10(self.low)), round(math.log10(self.high))
        every = max(1, -(-(last - first) // DECADES))
        return [10.0**k for k in range(first, last + 1) if k % every == 0]


def scale(numbers: Iterable[float], margin: float = 0.05) -> AxisScale:
    """A linear axis for the finite `numbers`, never empty."""
    finite = [min(max(x, -HUGE), HUGE) for x in numbers if math.isfinite(x)]
    low, high = min(finite, default=0.0), max(finite, default=1.0)
    if high - low <= 1e-9 * max(abs(low), abs(high)) or high - low < 1 / HUGE:
        reach = max(abs(low) / 2, 0.5)
        return AxisScale(low - reach, high + reach)
    return AxisScale(low - margin * (high - low), high + margin * (high - low))


def log_scale(numbers: Iterable[float], least: float, most: float) -> AxisScale:
    """A logarithmic axis for the positive `numbers`, within `least` and `most`."""
    seen = [min(max(x, least), most) for x in numbers if math.isfinite(x) and x > 0] or [1.0]
    low, high = math.floor(math.log10(min(seen))), math.ceil(math.log10(max(seen)))
    return AxisScale(10.0**low, 10.0 ** max(high, low + 1), is_log=True)


@dataclass(frozen=True, slots=True)
class Plot:
    """The plane of a plot: its axes and its place in the drawing, in pixels."""

    x: AxisScale
    y: AxisScale
    width: float = 332.0
    height: float = 190.0
    left: float = 46.0
    right: float = 10.0
    top: float = 12.0
    bottom: float = 34.0

    @property
    def across(self) -> float:
        return self.width - self.left - self.right

    @property
    def down(self) -> float:
        return self.height - self.top - self.bottom

    def at(self, x: float, y: float) -> tuple[float, float]:
        """The pixel of a point; far outside of the plane, one beyond its edge."""
        shares = (min(max(s, -9.0), 9.0) for s in (self.x.share(x), self.y.share(y)))
        along, up = shares
        return self.left + self.across * along, self.top + self.down * (1 - up)

    def is_in(self, y: float) -> bool:
        """Whether a number lies within the range of the upright axis."""
        return math.isfinite(y) and self.y.low <= y <= self.y.high

    def line(self, points: Sequence[tuple[float, float]], look: str) -> str:
        """A path through the points, interrupted where a number is not finite."""
        parts, pen = [], "M"
        for x, y in points:
            if not (math.isfinite(x) and math.isfinite(y)):
                pen = "M"
                continue
            left, top = self.at(x, y)
            parts.append(f"{pen}{left:.1f} {top:.1f}")
            pen = "L"
        return f'<path class="{look}" d="{"".join(parts)}"/>'

    def grid(self, xlabel: str = "", ylabel: str = "") -> Iterator[str]:
        """Grid lines with their numbers, and the names of the axes."""
        floor = self.top + self.down
        yield from self.heights()
        yield f'<path class="axis" d="M{self.left:g} {floor:g}h{self.across:g}"/>'
        for value in self.x.ticks():
            x, _ = self.at(value, self.y.low)
            yield text("tick", x, floor + 13, _number(value, self.x), "middle")
        if xlabel:
            middle = self.left + self.across / 2
            yield text("label", middle, self.height - 6, xlabel, "middle")
        if ylabel:
            yield text("label", 2, 9, ylabel, "start")

    def heights(self) -> Iterator[str]:
        """The grid lines of the upright axis with their numbers."""
        for value in self.y.ticks():
            _, y = self.at(self.x.low, value)
            yield f'<path class="grid" d="M{self.left:g} {y:.1f}h{self.across:g}"/>'
            yield text("tick", self.left - 5, y + 3.5, _number(value, self.y), "end")

    def svg(self, parts: Iterable[str], name: str) -> str:
        """The drawing, cut at the plane's edge; `name` is its accessible name."""
        return (
            f'<svg class="plot" viewBox="0 0 {self.width:g} {self.height:g}" role="img"'
            f' aria-label="{escaped(name)}">{"".join(parts)}</svg>'
        )


def text(look: str, x: float, y: float, words: str, anchor: str) -> str:
    """A text of the drawing."""
    place = f'x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"'
    return f'<text class="{look}" {place}>{escaped(words)}</text>'


def _number(value: float, axis: AxisScale) -> str:
    if not axis.is_log:
        return compact(value)
    power = round(math.log10(value))
    return f"1e{power}".replace("-", "−") if abs(power) > 2 else compact(value)
