"""The steps of a view by its grain: where it stands, and links to the steps beside it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from app.explore import explanation
from app.explore.picture_parts import Timeline
from app.picture.grains import (
    DEFAULT,
    FrameSpan,
    Grain,
    chosen,
    first_from,
    place_of,
    step_at,
    steps_by,
)
from app.picture.grouping import VisibleGraph
from app.picture.steps import Folded, boxes, clusters, folded
from app.program_address import View
from engine.trace.traced import Trace


class Stepping(NamedTuple):
    """The steps by a grain, and the one that is shown; `closed` are the closed formulas."""

    closed: Mapping[str, Folded]
    grain: Grain
    steps: Sequence[FrameSpan]
    step: FrameSpan


def stepping(shown: Trace, view: View, graph: VisibleGraph) -> Stepping:
    """The steps of a view through its picture."""
    last = len(shown.frames) - 1
    frame = last if view.frame is None else min(view.frame, last)
    by = chosen(view.lenses.get("by", ""))
    closed = folded(shown, clusters(graph))
    among = steps_by(shown, closed, by.grain, boxes(graph))
    return Stepping(closed, by.grain, among, step_at(among, frame, by.slot))


def timeline(shown: Trace, view: View, now: Stepping) -> Timeline:
    """The player of a view, with the explanation of its step."""
    closed, grain, among, step = now
    place = place_of(among, step)
    return Timeline(
        frame=step.frame,
        step=place,
        count=len(among),
        unit="frame" if grain is DEFAULT else "step",
        grain=grain.name,
        pass_=shown.frames[step.frame].pass_,
        explanation=explanation.step_card(shown, step, closed),
        templates=explanation.templates(shown),
        links=_links(view, grain, among, step),
    )


def _links(
    view: View, grain: Grain, among: Sequence[FrameSpan], step: FrameSpan
) -> dict[str, str | None]:
    """Links for stepping without JavaScript: each step is a page."""
    place = place_of(among, step)
    is_on = first_from(among, step.frame) < len(among) and among[place].frame == step.frame
    before, after = among[:place], among[place + 1 if is_on else place :]
    to = {
        "first": before[0] if before else None,
        "back": before[-1] if before else None,
        "forward": after[0] if after else None,
        "last": after[-1] if after else None,
    }
    return {name: None if at is None else _link(view, grain, at) for name, at in to.items()}


def _link(view: View, grain: Grain, step: FrameSpan) -> str:
    by = grain.name if step.slot is None else f"{grain.name}:{step.slot}"
    there = view.with_lens("by", "" if grain is DEFAULT else by)
    return f"/?{there.at(step.frame).query()}"
