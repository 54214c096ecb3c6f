"""A trace with its picture, ready to be stepped through elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from markupsafe import Markup

from app.explore.mistakes import MistakeEffect
from app.explore.stepping import Stepping
from app.picture import layout
from app.picture.steps import Folded
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
