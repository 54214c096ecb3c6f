"""The loss of a run and of the cured run beside it, on a logarithmic scale.

It is that on training data, or on test data for an illness that shows there.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from app.picture.text import escaped
from app.train.pictures.looks import look
from engine.numbers import compact, counted
from engine.runs.examination import TrialCurve

WIDTH, HEIGHT = 320.0, 108.0
LEFT, RIGHT, TOP, BOTTOM = 40.0, 62.0, 8.0, 20.0
ACROSS, DOWN = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM
LEAST = 1e-4
"""The smallest loss that is told from 0, as a share of the largest."""
APART = 12.0
"""The least distance of the two names."""


def trial_svg(patient: TrialCurve, cured: TrialCurve, words: str, on_test: bool = False) -> str:
    """The two curves with their names, inline for a page."""
    on_test = on_test and len(patient.tests) == len(patient.steps)
    patient, cured = ((p._replace(losses=p.tests) if on_test else p) for p in (patient, cured))
    scale = _Scale("test loss" if on_test else "loss", patient, cured)
    heights = [scale.height(curve.losses[-1]) for curve in (patient, cured)]
    if abs(heights[0] - heights[1]) < APART:
        heights[1] = heights[0] + math.copysign(APART, heights[1] - heights[0])
    parts = [f'<svg class="trial" viewBox="0 0 {WIDTH:g} {HEIGHT:g}" role="img"']
    parts.append(f' aria-label="{escaped(words)}">')
    parts += scale.axes()
    names = (("sick", "this run", patient), ("cured", "cured", cured))
    for (role, name, curve), height in zip(names, heights, strict=True):
        parts.append(f'<path class="{role}" d="{scale.line(curve)}"/>')
        x = WIDTH - RIGHT + 6
        parts.append(f'<text class="{role}" x="{x:g}" y="{height + 4:.1f}">{name}</text>')
    return "".join((*parts, "</svg>"))


class _Scale:
    """The place of a step and of a loss, logarithmic over what both curves reach."""

    def __init__(self, name: str, *curves: TrialCurve) -> None:
        self.name = name
        losses = [x for curve in curves for x in curve.losses if math.isfinite(x) and x > 0]
        top = max(losses, default=1.0)
        self.high = math.log10(top)
        self.low = min(math.log10(max(min(losses, default=0.1), LEAST * top)), self.high - 0.5)
        self.last = max(1, *(curve.steps[-1] for curve in curves))

    def height(self, loss: float) -> float:
        """The place of a loss; the top for one that is not finite."""
        if not math.isfinite(loss):
            return TOP
        share = (self.high - math.log10(max(loss, 1e-300))) / (self.high - self.low)
        return TOP + DOWN * min(max(share, 0.0), 1.0)

    def line(self, curve: TrialCurve) -> str:
        """A path through the losses that are finite."""
        points = [
            f"{LEFT + ACROSS * step / self.last:.1f} {self.height(loss):.1f}"
            for step, loss in zip(curve.steps, curve.losses, strict=True)
            if math.isfinite(loss)
        ]
        return f"M{'L'.join(points)}" if points else ""

    def axes(self) -> Iterator[str]:
        """Powers of ten, or the two ends if there are fewer than two, and the last step."""
        powers = [10.0**k for k in range(math.ceil(self.low), math.floor(self.high) + 1)]
        if len(powers) < 2:
            powers = [10**self.low, 10**self.high]
        yield from map(self._tick, _some(powers))
        y, end = HEIGHT - 5, WIDTH - RIGHT
        yield f'<text{look("tick", True)} x="{LEFT:g}" y="{y:g}">{self.name} from step 0</text>'
        steps = counted(self.last, "step")
        yield f'<text{look("tick", True)} x="{end:g}" y="{y:g}" text-anchor="end">{steps}</text>'

    def _tick(self, loss: float) -> str:
        y = self.height(loss)
        line = f'<path{look("grid", True)} d="M{LEFT:g} {y:.1f}h{ACROSS:g}"/>'
        place = f'x="{LEFT - 6:g}" y="{y + 3.6:.1f}" text-anchor="end"'
        return f"{line}<text{look('tick', True)} {place}>{compact(float(f'{loss:.2g}'))}</text>"


def _some(powers: Sequence[float]) -> Sequence[float]:
    """At most four of them."""
    return powers[:: -(-len(powers) // 4)]
