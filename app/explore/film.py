"""A trace with its picture, ready to be stepped through elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from markupsafe import Markup

from app.explore.mistakes import MistakeEffect
from app.explore.stages import Stages, clusters
from app.explore.stepping import Stepping, stepping
from app.picture import layout
from app.picture.direction import ROOM, Room
from app.picture.steps import Folded, folded
from app.program_address import View
from engine.trace.traced import Trace


class Film(NamedTuple):
    """A trace with its picture: the frame shown, the formulas closed, and the trace for scripts.

    `now` has the steps by the grain of the view. `broken` is what is said of the rule that is
    broken on purpose, None if none is.
    """

    trace: Trace
    placement: layout.Placement
    frame: int
    closed: Mapping[str, Folded]
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
    opened = clusters(graph)
    last = len(shown.frames) - 1
    at = last if view.frame is None else min(view.frame, last)
    placement, closed = stages.place(graph, view, room), folded(shown, opened)
    return Film(shown, placement, at, closed, trace_json, stepping(shown, view, opened), broken)
