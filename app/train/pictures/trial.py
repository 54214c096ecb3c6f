"""The loss of a run and of the cured run beside it, on a logarithmic scale.

It is that on training data, or on test data for an illness that shows there.
"""

from __future__ import annotations

import math

from app.picture.plots import AxisScale, Plot, log_scale, text
from app.train.pictures.looks import framed
from engine.numbers import counted
from engine.runs.examination import TrialCurve

LEAST = 1e-4
"""The smallest loss that is told from 0, as a share of the largest."""
APART = 12.0
"""The least distance of the two names."""


def trial_svg(patient: TrialCurve, cured: TrialCurve, words: str, on_test: bool = False) -> str:
    """The two curves with their names, inline for a page."""
    on_test = on_test and len(patient.tests) == len(patient.steps)
    curves = [p._replace(losses=p.tests) if on_test else p for p in (patient, cured)]
    losses = [x for curve in curves for x in curve.losses if math.isfinite(x) and x > 0]
    top, last = max(losses, default=1.0), max(1, *(curve.steps[-1] for curve in curves))
    axis = log_scale(losses, LEAST * top, top)
    plot = Plot(AxisScale(0.0, last), axis, 320, 108, left=40, right=62, top=8, bottom=20)
    places = [
        [(step, max(loss, axis.low)) for step, loss in zip(curve.steps, curve.losses, strict=True)]
        for curve in curves
    ]
    losses = [line[-1][1] for line in places]
    ends = [plot.at(last, x if math.isfinite(x) else axis.high)[1] for x in losses]
    if abs(ends[0] - ends[1]) < APART:
        ends[1] = ends[0] + math.copysign(APART, ends[1] - ends[0])
    parts = list(plot.heights())
    right, floor = plot.width - plot.right, plot.height - 5
    name = "test loss" if on_test else "loss"
    parts.append(text("tick", plot.left, floor, f"{name} from step 0", "start"))
    parts.append(text("tick", right, floor, counted(last, "step"), "end"))
    for look, told, line, y in zip(
        ("sick", "cured"), ("this run", "cured"), places, ends, strict=True
    ):
        parts += [plot.line(line, look), text(look, right + 6, y + 4, told, "start")]
    return framed("trial", (plot.width, plot.height), words, parts)
