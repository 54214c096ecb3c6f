"""The section “Break a rule”: a backward pass with a common mistake beside the right one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from app.program_address import View
from engine.numbers import counted, full, in_equation, with_minus
from engine.ops import OPS
from engine.trace.mistakes import MISTAKES, DeliberateMistake, MistakeSwitch, break_rule, why
from engine.trace.sabotage import Broken, SwitchError
from engine.trace.traced import Trace

LISTED = 200
"""Rows of the table."""
PARAMETER = "mistake"


class SwitchRow(NamedTuple):
    """A switch: `href` turns it on, or off if it is on."""

    mistake: DeliberateMistake
    is_on: bool
    href: str


class PartialRow(NamedTuple):
    """A partial that can be replaced: its place in the address, its symbol and the right text."""

    place: str
    words: str
    right: str
    href: str
    is_chosen: bool


class WrongRow(NamedTuple):
    """A Value with its right and its wrong gradient, short and in full."""

    node: str
    name: str
    right: str
    wrong: str
    right_full: str
    wrong_full: str
    change: str
    is_first: bool


@dataclass(frozen=True, slots=True)
class MistakeEffect:
    """What the chosen mistake does to this graph; `example` shows it where it does nothing.

    Without a title no rule is broken, and `why` says why not.
    """

    title: str
    why: str
    first: str = ""
    rows: Sequence[WrongRow] = ()
    more: int = 0
    right: str = ""
    off: str = ""
    example: str = ""


@dataclass(frozen=True, slots=True)
class MistakesView:
    """The section: the switches, the partials of this graph, the error of a switch, the result."""

    switches: Sequence[SwitchRow]
    partials: Sequence[PartialRow]
    own: str
    error: str
    result: MistakeEffect | None


def mistakes_view(trace: Trace, view: View) -> MistakesView:
    """The section for a trace and the switch of its address."""
    found, error = None, ""
    try:
        found = applied(trace, view)
    except SwitchError as refused:
        error = str(refused)
    chosen, *parts = view.lenses.get(PARAMETER, "").split(":", 3)
    switches = [
        SwitchRow(mistake, name == chosen, _href(view, "" if name == chosen else name))
        for name, mistake in MISTAKES.items()
        if name != "partial"
    ]
    own = parts[2] if len(parts) == 3 else ""
    place = ":".join(parts[:2]) if chosen == "partial" else ""
    partials = tuple(_partials(trace, view, place))
    said = None if found is None else result(found, view)
    return MistakesView(switches, partials, own, error, said)


class AppliedMistake(NamedTuple):
    """A switch that is on, with the gradients that it gives."""

    switch: MistakeSwitch
    broken: Broken


def applied(trace: Trace, view: View) -> AppliedMistake | None:
    """The switch of the address; None without one. Raises SwitchError."""
    text = view.lenses.get(PARAMETER)
    if not text or trace.output is None:
        return None
    switch = MistakeSwitch.read(text)
    return AppliedMistake(switch, break_rule(trace, switch))


def result(found: AppliedMistake, view: View) -> MistakeEffect:
    """What a switch does to its graph."""
    switch, broken = found
    rows = tuple(_rows(broken))
    return MistakeEffect(
        switch.mistake.label,
        why(broken, switch),
        broken.first or "",
        rows[:LISTED],
        max(len(rows) - LISTED, 0),
        _others(broken),
        _href(view, ""),
        "" if rows else _example(switch),
    )


def not_applied(error: SwitchError, view: View) -> MistakeEffect:
    """What is said of a switch that cannot be thrown."""
    return MistakeEffect("", str(error), off=_href(view, ""))


def _href(view: View, text: str) -> str:
    return f"/?{view.at(None).with_lens(PARAMETER, text).query()}"


def _example(switch: MistakeSwitch) -> str:
    """The address of a program on which the mistake shows."""
    text = switch.text() if switch.own is None or switch.own.op == "*" else "partial:*:0:b+1"
    lenses = {PARAMETER: text, "lens": "mistakes"}
    return f"/?{replace(View(program=switch.mistake.example), lenses=lenses).query()}"


def _partials(trace: Trace, view: View, chosen: str) -> Iterable[PartialRow]:
    """The partials of the ops of this graph, in the order of the table."""
    present = {node.op for node in trace.nodes}
    for name, op in OPS.items():
        if name not in present:
            continue
        for slot, (param, text) in enumerate(zip(op.params, op.partials, strict=True)):
            place = f"{name}:{slot}"
            href = _href(view, f"partial:{place}:({text}) + 1")
            words = f"{op.symbol} by {param}" if len(op.params) > 1 else op.symbol
            yield PartialRow(place, words, text, href, place == chosen)


def _rows(broken: Broken) -> Iterable[WrongRow]:
    names = broken.trace.names()
    for node in broken.differing:
        right, wrong = broken.right[node], broken.wrong[node]
        yield WrongRow(
            node,
            names[node],
            in_equation(right),
            in_equation(wrong),
            with_minus(full(right)),
            with_minus(full(wrong)),
            _change(right, wrong),
            node == broken.first,
        )


def _change(right: float, wrong: float) -> str:
    """The factor between the two if it is a short number, else the difference."""
    factor = wrong / right if right else 0.0
    if factor and round(factor, 2) == factor:
        return f"×\u00a0{factor:g}".replace("-", "−")
    return f"{wrong - right:+.4g}".replace("-", "−")


def _others(broken: Broken) -> str:
    """How many gradients are right all the same."""
    count = len(broken.right) - len(broken.differing)
    if not broken.differing or not count:
        return ""
    verb = "is" if count == 1 else "are"
    return f"{counted(count, 'other gradient')} {verb} right all the same."
