"""The trace as an address asks to draw it: operations opened, a rule broken on purpose."""

from __future__ import annotations

from app.program_address import View
from engine.trace.expand import expanded
from engine.trace.mistakes import Switch, break_rule, with_mistake
from engine.trace.sabotage import SwitchError
from engine.trace.traced import Trace


def drawn(trace: Trace, view: View) -> Trace:
    """`trace` as the lenses of `view` change it; a switch that cannot be read does nothing."""
    if trace.output is None:
        return trace
    opened = view.listed("expand")
    shown = expanded(trace, opened) if opened else trace
    switch = view.lenses.get("mistake")
    if not switch:
        return shown
    try:
        return with_mistake(shown, break_rule(trace, Switch.read(switch)))
    except SwitchError:
        return shown
