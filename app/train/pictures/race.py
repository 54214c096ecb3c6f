"""The losses of several runs on shared axes as SVG, on a log scale; styled by the page."""

from __future__ import annotations

import math
from collections.abc import Sequence

from markupsafe import Markup

from app.picture.plots import AxisScale, Plot, log_scale
from app.train.pictures.chart import chart
from app.train.pictures.looks import framed

SHOWN = 1e-8  # the least loss on the axis, as a share of the largest
COLOURS = 6  # runs beyond are dashed, in the same colours


def race_svg(curves: Sequence[Sequence[float]], steps: int) -> Markup:
    """The curves in the order of their runs; losses that are 0 or not finite are left out."""
    found = [x for curve in curves for x in curve if 0 < x < math.inf]
    top = max(found, default=1.0)
    plot = Plot(AxisScale(0.0, steps), log_scale(found, SHOWN * top, top), 364, 260, bottom=24)
    lines = [
        (f"racing r{number % COLOURS}{' dashed' if number >= COLOURS else ''}", curve)
        for number, curve in enumerate(curves)
    ]
    words = f"Losses of {len(curves)} runs over {steps:,} steps, log scale"
    size = plot.width, plot.height
    return Markup(framed("race-picture", size, words, chart(plot, lines)))  # noqa: S704  # numbers
