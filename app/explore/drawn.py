"""The trace as an address asks to draw it: operations opened, a rule broken on purpose."""

from __future__ import annotations

from typing import NamedTuple

from app.explore import mistakes
from app.explore.mistakes import MistakeEffect
from app.program_address import View
from engine.trace.expand import expanded
from engine.trace.mistakes import with_mistake
from engine.trace.sabotage import SwitchError
from engine.trace.traced import Trace


class Drawing(NamedTuple):
    """The trace to draw; `broken` is what is said of the rule that is broken, None if none is."""

    trace: Trace
    broken: MistakeEffect | None = None


def drawn(trace: Trace, view: View) -> Drawing:
    """`trace` as the lenses of `view` change it; a switch that cannot be read does nothing."""
    opened = view.listed("expand")
    if trace.output is None or not (opened or view.lenses.get(mistakes.PARAMETER)):
        return Drawing(trace)
    shown = expanded(trace, opened) if opened else trace
    try:
        found = mistakes.applied(trace, view)
    except SwitchError as error:
        return Drawing(shown, mistakes.not_applied(error, view))
    if found is None:
        return Drawing(shown)
    return Drawing(with_mistake(shown, found.broken), mistakes.result(found, view))
