"""The chooser of scenes: which moment of the run is drawn, and the output's curve over them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from markupsafe import Markup

from app.explore.caption import output_label
from app.picture.plots import Plot, scale
from app.program_address import View
from engine.numbers import short
from engine.trace.model import Listed
from engine.trace.traced import Trace

FEWEST = 3
"""Numbers of which a curve is drawn."""
DOTTED = 60
"""Scenes of a curve that has a dot for each."""


class SceneRow(NamedTuple):
    """An entry of the chooser; `value` is that of the address, empty for the last scene."""

    value: str
    words: str
    is_drawn: bool


class CurvePoint(NamedTuple):
    """A scene on the curve: its entry in the chooser, and its place in the drawing."""

    value: str
    words: str
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class SceneCurve:
    """The output's number over the scenes that one line of the program made, as a loss falls."""

    output: str
    svg: Markup
    points: Sequence[CurvePoint]
    at: int


@dataclass(frozen=True, slots=True)
class SceneChooser:
    """The chooser, without rows for a program with fewer than two scenes.

    `back` and `forward` lead to the scenes beside the one drawn, on pages without JavaScript.
    """

    rows: Sequence[SceneRow] = ()
    back: str | None = None
    forward: str | None = None
    curve: SceneCurve | None = None


def chooser(shown: Trace, view: View) -> SceneChooser:
    """The chooser of the scenes of `shown`; another scene starts at its last frame."""
    if len(shown.scenes) < 2:
        return SceneChooser()
    ids = [scene.id for scene in shown.scenes]
    last = ids[-1]
    at = ids.index(shown.scene) if shown.scene in ids else len(ids) - 1

    def href(to: int) -> str | None:
        if not 0 <= to < len(ids):
            return None
        wanted = None if ids[to] == last else ids[to]
        return f"/?{replace(view, scene=wanted, frame=None).query()}"

    rows = [
        SceneRow(_value(scene, last), f"Scene {scene.id} · {scene.title}", i == at)
        for i, scene in enumerate(shown.scenes)
    ]
    return SceneChooser(rows, href(at - 1), href(at + 1), _curve(shown, shown.scenes[at]))


def _value(scene: Listed, last: int) -> str:
    return "" if scene.id == last else str(scene.id)


def _curve(shown: Trace, drawn: Listed) -> SceneCurve | None:
    """The curve through the scenes that the line of the one drawn made, if there are enough."""
    alike = [
        (scene, scene.data)
        for scene in shown.scenes
        if (scene.kind, scene.span) == (drawn.kind, drawn.span)
        and scene.data is not None
        and math.isfinite(scene.data)
    ]
    places = [scene.id for scene, _ in alike]
    if len(alike) < FEWEST or drawn.id not in places:
        return None
    plot = _plot([data for _, data in alike])
    last, points = shown.scenes[-1].id, []
    for i, (scene, data) in enumerate(alike):
        x, y = plot.at(i, data)
        points.append(CurvePoint(_value(scene, last), f"{short(data)} in scene {scene.id}", x, y))
    at, output = places.index(drawn.id), _output_label(shown)
    return SceneCurve(output, _svg(plot, points, at, output), points, at)


def _output_label(shown: Trace) -> str:
    if shown.output is not None:
        return output_label(shown)
    arrays = shown.arrays.nodes if shown.arrays is not None else ()
    return arrays[-1].name if arrays else "The loss"


def _plot(numbers: Sequence[float]) -> Plot:
    """The plane of a curve: a loss falls to the axis of 0."""
    up = scale(numbers, 0.08)
    if min(numbers) >= 0 and min(numbers) < max(numbers) / 2:
        up = up._replace(low=0.0)
    across = scale((0, len(numbers) - 1), 0.0)
    return Plot(across, up, height=96, left=44, right=10, top=10, bottom=8)


def _svg(plot: Plot, points: Sequence[CurvePoint], at: int, output: str) -> Markup:
    line = " ".join(f"{point.x:.1f},{point.y:.1f}" for point in points)
    dots = points if len(points) <= DOTTED else ()
    here = points[at]
    parts = [
        *plot.heights(),
        f'<polyline class="curve" points="{line}"/>',
        *(f'<circle class="mark" cx="{dot.x:.1f}" cy="{dot.y:.1f}" r="2.4"/>' for dot in dots),
        f'<circle class="now" cx="{here.x:.1f}" cy="{here.y:.1f}" r="5"/>',
    ]
    name = f"{output} over {len(points)} scenes, from {points[0].words} to {points[-1].words}"
    return Markup(plot.svg(parts, name))  # noqa: S704  numbers, and the escaped name
