"""The front page's run: a small network on the two moons, whose boundary bends step by step."""

from __future__ import annotations

import math
import string
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from app.picture.contours import above
from app.train.address import TrainView
from app.train.live_run import LiveRun
from app.train.sample_points import GRID
from app.train.state import grid_shades, setup
from engine.numbers import brief
from engine.runs.run import history
from engine.training.spec import TrainSpec

SPEC = TrainSpec(
    data="moons",
    samples=80,
    layers=(2, 8, 1),
    activation="tanh",
    loss="bce",
    learning_rate=1.0,
    schedule="constant",
    steps=600,
)
STEPS = (0, 1, 2, 4, 7, 10, 15, 20, 30, 40, 60, 80, 110, 140, 170, 200, 240, 280, 330, 390, 450)
"""The steps of the slider: dense where the boundary bends most."""
SHOWN = 390
"""The step of the still picture."""
ACROSS, DOWN = 29, 21
"""The places at which the outputs are drawn: corners, edges and between."""
WIDTH, HEIGHT = 360, 252  # of the picture
CURVE = 64  # height of the curve
LEVELS = string.digits + string.ascii_lowercase
"""The signs of an output's levels: the first half is below the threshold, the second above."""

Heights = Sequence[Sequence[float]]


@dataclass(frozen=True, slots=True)
class Bend:
    """The variables of the page: the run's query, the slider's steps, their losses and curve.

    `levels` has for each step a sign of LEVELS for each place, row by row; `region` is what lies
    above the threshold at the step that is `shown`; `dots` are the samples of both classes.
    """

    query: str
    parameters: int
    steps: Sequence[int]
    losses: Sequence[str]
    shown: int
    curve: str
    levels: Sequence[str]
    columns: int
    region: str
    dots: Sequence[str]


def bend() -> Bend:
    """The run at the steps of the slider."""
    found, run = history(SPEC), LiveRun(SPEC)
    losses = [found.losses[step] for step in STEPS]
    pictures = [_heights(run, step) for step in STEPS]
    shown = STEPS.index(SHOWN)
    return Bend(
        TrainView(SPEC).run_query(),
        SPEC.parameter_count,
        STEPS,
        [brief(loss) for loss in losses],
        shown,
        _curve(losses),
        [_levels(heights) for heights in pictures],
        ACROSS,
        above(pictures[shown], 0.0, _pixel),
        _dots(setup(SPEC)),
    )


def _heights(run: LiveRun, step: int) -> Heights:
    """The outputs at a step from −1 to 1, row by row from the top."""
    run.seek(step)
    shades = grid_shades(run) or b""
    rows = [round(k * (GRID - 1) / (DOWN - 1)) for k in range(DOWN)]
    columns = [round(k * (GRID - 1) / (ACROSS - 1)) for k in range(ACROSS)]
    return [[(shades[GRID * row + column] - 128) / 127 for column in columns] for row in rows]


def _levels(heights: Heights) -> str:
    """The signs of the outputs' roots, so that there are many levels near the threshold."""
    most = len(LEVELS) - 1
    roots = (math.copysign(math.sqrt(abs(height)), height) for row in heights for height in row)
    return "".join(LEVELS[round((root + 1) / 2 * most)] for root in roots)


def _curve(losses: Sequence[float]) -> str:
    """The points of a line, each above its place on the slider."""
    step, top = WIDTH / (len(losses) - 1), max(losses)
    points = ((step * place, CURVE * (1 - loss / top)) for place, loss in enumerate(losses))
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in points)


def _pixel(column: float, row: float) -> tuple[float, float]:
    return column / (ACROSS - 1) * WIDTH, row / (DOWN - 1) * HEIGHT


def _dots(made: dict[str, Any]) -> list[str]:
    """A path of zero-length lines for each of the two classes."""
    left, right, low, high = made["bounds"]
    paths = ["", ""]
    for sample in made["samples"]:
        x = (sample["x"][0] - left) / (right - left) * WIDTH
        y = (high - sample["x"][1]) / (high - low) * HEIGHT
        paths[int(sample["y"])] += f"M{x:.1f} {y:.1f}h0"
    return paths
