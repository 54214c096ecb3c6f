"""The loss curve as SVG: training, test (dashed), penalty, and a run for comparison."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from app.picture.plots import HUGE, AxisScale, Plot, text
from app.picture.ticks import ticks
from app.train.pictures.looks import framed
from engine.numbers import brief, counted

WHOLE = 1_000  # longest run, in steps, whose axis has its full length from the start

Plain = Mapping[str, Any]
Losses = Sequence[Any]
"""Numbers as in JSON, with "nan", "inf" and "-inf" for non-finite ones."""


def loss_svg(
    setup: Plain,
    losses: Losses,
    test_losses: Losses = (),
    page: bool = False,
    beside: Losses = (),
    penalties: Losses = (),
) -> str:
    """The chart of the losses so far, inline for a page or as a standalone file."""
    own = "batch" if any(segment["partial"] for segment in setup.get("segments", ())) else "train"
    kinds = {"beside": beside, "penalty": penalties, "test": test_losses, own: losses}
    curves = [(f"curve {name}", [*map(float, found)]) for name, found in kinds.items() if found]
    finite = [x for _, curve in curves for x in curve if math.isfinite(x)]
    reached = max([1, *(len(curve) - 1 for _, curve in curves)])
    steps = AxisScale(0.0, max(reached, min(setup["steps"], WHOLE)))
    heights = AxisScale(0.0, min(max(finite, default=0.0) * 1.05, HUGE) or 1.0)
    plot = Plot(steps, heights, 364, 142, left=40, right=8, top=10, bottom=22)
    words = loss_words(losses, test_losses)
    about = () if page else ("Loss over the steps", words)
    return framed("loss-picture", (plot.width, plot.height), words, chart(plot, curves), about, 2)


def chart(plot: Plot, curves: Sequence[tuple[str, Sequence[float]]]) -> Iterator[str]:
    """The curves, by class, over the steps from 0 on; what is not on the axis is left out."""
    yield from plot.heights()
    floor, right = plot.top + plot.down, plot.width - plot.right
    yield f'<path class="axis" d="M{plot.left:g} {floor:g}h{plot.across:g}"/>'
    for step in ticks(0.0, plot.x.high):
        if step == int(step):
            x, _ = plot.at(step, plot.y.low)
            yield text("tick", x, floor + 15, f"{step:,.0f}", "end" if x > right - 12 else "middle")
    for look, curve in curves:
        places = list(_thinned(curve, math.ceil(len(curve) / (2 * plot.across))))
        yield plot.line([(step, _height(loss, plot.y)) for step, loss in places], look)


def _height(loss: float, axis: AxisScale) -> float:
    """A loss within the axis; nan where it has no place there."""
    if not math.isfinite(loss) or (axis.is_log and loss <= 0):
        return math.nan
    return max(loss, axis.low)


def _thinned(curve: Sequence[float], width: int) -> Iterator[tuple[int, float]]:
    """The steps with their losses: of many within one pixel, the minimum and the maximum.

    A single one is there twice, so that it is a dot.
    """
    if width <= 1:
        yield from enumerate(curve)
        yield from enumerate(curve[:1] if len(curve) == 1 else ())
        return
    for start in range(0, len(curve), 2 * width):
        part = range(start, min(start + 2 * width, len(curve)))
        finite = [i for i in part if math.isfinite(curve[i])]
        if not finite:
            yield start, math.nan
            continue
        ends = {min(finite, key=curve.__getitem__), max(finite, key=curve.__getitem__)}
        yield from ((i, curve[i]) for i in sorted(ends | {part[-1]}))


def penalties(state: Plain) -> Losses:
    """The penalty before each step so far and at the current one; [] without any."""
    found = state.get("penalties", ())
    return [*found, state["penalty"]] if found or float(state["penalty"]) else []


def loss_words(losses: Losses, test_losses: Losses = ()) -> str:
    """The text alternative of the curve: "loss 1.181 → 0.0123 after 100 steps"."""
    if len(losses) < 2:
        return f"Loss {brief(losses[0])} before the first step" if losses else "No step yet"
    words = f"loss {brief(losses[0])} → {brief(losses[-1])}"
    words += f" after {counted(len(losses) - 1, 'step')}"
    return f"{words}; test loss {brief(test_losses[-1])}" if test_losses else words
