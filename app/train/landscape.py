"""The panel with the loss as a landscape: its picture, its choice of axes, its words."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import parse_qsl

from app.train.address import Pairs, TrainView, items, read, text_of
from app.train.edits import name_of
from app.train.live_run import LiveRun
from app.train.pictures.landscape import landscape_svg, pixels
from engine.cancellation import IsCancelled
from engine.kernel import Run
from engine.numbers import brief, percent
from engine.runs import landscape as surface
from engine.training.fields import SpecError, Whole, refusal
from engine.training.limits import TrainLimits
from engine.training.spec import TrainSpec

MOST_PINS = 4
MOST_NAMED = 400  # parameters among which to choose


def panel(
    run: LiveRun, view: TrainView, pairs: Pairs, limits: TrainLimits, is_cancelled: IsCancelled
) -> dict[str, Any]:
    """The context of landscape.html: a run over the parameters of `plane`, beside those of `pin`.

    `trail` has the path for the scripts, as JSON.

    Raises SpecError, and Cancelled.
    """
    spec = view.spec
    chosen = axes_of(pairs, spec)
    run.make_edits()
    others = _pinned(pairs, limits, spec, is_cancelled)
    try:
        found = surface.landscape(run.kernel, chosen, view.step, others, is_cancelled)
    except surface.TooLargeError as error:
        return {"picture": "", "trail": "[]", "words": str(error), "choices": (), "chosen": chosen}
    titles = ("first main direction", "second main direction")
    if chosen:
        titles = (name_of(spec.layers, chosen[0]), name_of(spec.layers, chosen[1]))
    words = _words(found, spec.total_steps, view.step if chosen else None)
    named = range(spec.parameter_count if spec.parameter_count <= MOST_NAMED else 0)
    name = f"The loss over {titles[0]} and {titles[1]}. {words}"
    return {
        "picture": landscape_svg(found, titles, name),
        "trail": json.dumps(pixels(found)),
        "words": words,
        "choices": [{"value": i, "label": name_of(spec.layers, i)} for i in named],
        "chosen": chosen,
    }


def axes_of(pairs: Pairs, spec: TrainSpec) -> tuple[int, int] | None:
    """The two parameters of `plane`; None for the main directions. Raises SpecError."""
    if text_of(pairs, "plane") in (None, "main"):
        return None
    found = [int(i) for i in items(pairs, "plane", Whole(0, spec.parameter_count - 1), 2)]
    if len(found) != 2:
        raise refusal("plane", found, "; give two different parameters, such as 0,3.")
    return found[0], found[1]


def _pinned(
    pairs: Pairs, limits: TrainLimits, spec: TrainSpec, is_cancelled: IsCancelled
) -> list[Run]:
    """The runs of `pin` with a network of the same layers, without those that are refused."""
    found = []
    for text in [text for name, text in pairs if name == "pin"][:MOST_PINS]:
        try:
            other = read(parse_qsl(text), limits)
        except SpecError:
            continue
        if other.spec.layers == spec.layers:
            pinned = LiveRun(other.spec, other.edits)
            pinned.is_cancelled = is_cancelled
            pinned.make_edits()
            found.append(pinned.kernel)
    return found


def _words(found: surface.LossLandscape, last: int, step: int | None) -> str:
    start, end = found.path[0], found.path[-1]
    seen = [loss for row in found.losses for loss in row] + [place.loss for place in found.path]
    lowest = min((loss for loss in seen if loss == loss), default=end.loss)
    course = f"The path goes from loss {brief(start.loss)} to {brief(end.loss)}"
    if end.step < last:
        course += f" at step {end.step:,}, beyond which the parameters are too large to be drawn"
    course += f"; the lowest on the map is {brief(lowest)}."
    if step is not None:
        return f"{course} All other parameters are as at step {step:,}; the path has its own."
    return f"{course} The two directions hold {percent(found.plane.share)} of the path's extent."
