"""A trace with its picture, ready to be stepped through elsewhere."""

from __future__ import annotations

from typing import NamedTuple

from markupsafe import Markup

from app.explore.mistakes import MistakeEffect
from app.explore.stages import Stages
from app.explore.stepping import Stepping, stepping
from app.explore.steps_json import steps_json
from app.picture import layout
from app.picture.direction import ROOM, Room
from app.program_address import View
from engine.trace.traced import Trace


class Film(NamedTuple):
    """A trace with its picture: the frame shown, and trace and steps of the picture for scripts.

    `now` has the steps by the grain of the view. `broken` is what is said of the rule that is
    broken on purpose, None if none is.
    """

    trace: Trace
    placement: layout.Placement
    steps_json: Markup
    frame: int
    trace_json: Markup
    now: Stepping
    broken: MistakeEffect | None = None


def film(
    shown: Trace,
    view: View,
    stages: Stages,
    trace_json: Markup,
    room: Room = ROOM,
    broken: MistakeEffect | None = None,
) -> Film:
    """A trace that has a graph, drawn for `room`. Raises LayoutError, LayoutBusy."""
    graph = stages.graph(shown, view)
    last = len(shown.frames) - 1
    at = last if view.frame is None else min(view.frame, last)
    placement, now = stages.place(graph, view, room), stepping(shown, view, graph)
    return Film(shown, placement, steps_json(shown, graph), at, trace_json, now, broken)
