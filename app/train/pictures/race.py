"""The losses of several runs on shared axes as SVG, on a log scale; styled by the page."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from markupsafe import Markup

from app.picture.ticks import ticks
from engine.numbers import compact

WIDTH, HEIGHT = 364.0, 260.0
LEFT, RIGHT, TOP, BOTTOM = 46.0, 10.0, 10.0, 24.0
ACROSS, DOWN = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM
DECADES = 8  # powers of ten shown at most
COLOURS = 6  # runs beyond are dashed, in the same colours

Losses = Sequence[float]


def race_svg(curves: Sequence[Losses], steps: int) -> Markup:
    """The curves in the order of their runs; losses that are 0 or not finite are left out."""
    low, high = _range(curves)
    parts = [*_axes(low, high, steps), *_curves(curves, low, high, steps)]
    box = f'viewBox="0 0 {WIDTH:g} {HEIGHT:g}"'
    words = f"Losses of {len(curves)} runs over {steps:,} steps, log scale"
    return Markup(  # noqa: S704  # numbers alone
        f'<svg class="race-picture" {box} role="img" aria-label="{words}">{"".join(parts)}</svg>'
    )


def _range(curves: Sequence[Losses]) -> tuple[float, float]:
    """The common logarithms of the least and the greatest loss."""
    found = [math.log10(x) for curve in curves for x in curve if 0 < x < math.inf]
    high = max(found, default=0.0)
    return max(min(found, default=-1.0), high - DECADES) - 0.05, high + 0.05


def _axes(low: float, high: float, steps: int) -> Iterator[str]:
    for power in range(math.ceil(low), math.floor(high) + 1):
        y = _y(power, low, high)
        yield f'<path class="grid" d="M{LEFT:g} {y:.1f}h{ACROSS:g}"/>'
        yield _tick(LEFT - 6, y + 3.6, compact(10.0**power), "end")
    for step in ticks(0.0, float(steps)):
        x = LEFT + ACROSS * step / steps
        anchor = "end" if x > WIDTH - RIGHT - 12 else "middle"
        yield _tick(x, TOP + DOWN + 16, f"{step:,.0f}", anchor)


def _tick(x: float, y: float, words: str, anchor: str) -> str:
    place = f'x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"'
    return f'<text class="tick" {place}>{words}</text>'


def _curves(curves: Sequence[Losses], low: float, high: float, steps: int) -> Iterator[str]:
    for number, curve in enumerate(curves):
        dashed = " dashed" if number >= COLOURS else ""
        line = _line(curve, low, high, steps)
        if line:
            yield f'<path class="racing r{number % COLOURS}{dashed}" d="{line}"/>'


def _line(curve: Losses, low: float, high: float, steps: int) -> str:
    each = max(1, math.ceil(len(curve) / ACROSS))
    parts, pen = [], "M"
    for step in sorted({*range(0, len(curve), each), len(curve) - 1}):
        loss = curve[step]
        if not 0 < loss < math.inf:
            pen = "M"
            continue
        y = _y(max(math.log10(loss), low), low, high)
        parts.append(f"{pen}{LEFT + ACROSS * step / steps:.1f} {y:.1f}")
        pen = "L"
    return "".join(parts)


def _y(power: float, low: float, high: float) -> float:
    return TOP + DOWN * (high - power) / (high - low)
