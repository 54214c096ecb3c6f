"""Forward and reverse mode: the tangents with respect to one leaf, and the work of both modes."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from app.explore.drawn import drawn
from app.program_address import View
from engine.numbers import brief, compact, counted, in_equation, more_digits, with_minus
from engine.real import same
from engine.trace import gradcheck
from engine.trace.model import Node
from engine.trace.slopes import from_zero, is_at_kink, is_by_hand
from engine.trace.tangents import (
    ForwardSweep,
    Modes,
    TangentSum,
    Work,
    forward,
    inputs,
    modes,
    rounding,
)
from engine.trace.traced import Trace

PARAMETER = "tangent"
NOTHING = "No sweep can start: no path leads from a leaf with a gradient to the output."
STALE = "Data was changed after the forward pass. Both modes use the present numbers."
THE_INPUT, NO_INPUT = "the input", "not the input"
KINK = "at a kink there is no slope, and either is a convention."
EARLIER = "the gradient was not zeroed before the pass, and still holds the old one."
OTHER = "the program’s gradient is not that of one right pass from zero."
LISTED = 120
"""Rows of the sweep that are listed."""
FEW = 30
"""Values of a graph of which also those that do not depend on the leaf are listed."""
MARKED = 1_000
"""Tangents that are shown in the picture."""
MOST = 10**12
"""The most inputs or outputs that can be asked for."""
ASKED = ((1, 1), (1, 100), (100, 1), (1_000_000, 1))
"""Inputs and outputs that a link asks for."""


class SweepLink(NamedTuple):
    """A link that chooses a leaf, or numbers of inputs and outputs; `to` is its parameter."""

    label: str
    to: str
    href: str
    is_chosen: bool


class TermText(NamedTuple):
    """One term of a sum: the partial, the tangent of the Value `of`."""

    partial: str
    tangent: str
    of: str


@dataclass(frozen=True, slots=True)
class TangentRow:
    """A row of the sweep: a Value, the terms of its tangent, the tangent, the frame of its data.

    Without terms it is a leaf, of which `says` tells the rest. `look` is "now" in that frame,
    "later" before it, and "still" is added for a Value that does not depend on the leaf.
    """

    node: str
    name: str
    terms: Sequence[TermText]
    says: str
    tangent: str
    full: str
    frame: int
    look: str
    href: str


class ModeRow(NamedTuple):
    """The work of one mode, as texts: that of one sweep, how many sweeps, all of them."""

    name: str
    each: str
    """What one sweep is for: an input or an output."""
    multiplications: str
    additions: str
    sweeps: str
    whole: str
    wins: bool


@dataclass(frozen=True, slots=True)
class WhatIf:
    """The work of both modes for numbers of inputs and outputs, and which mode wins."""

    inputs: int
    outputs: int
    rows: Sequence[ModeRow]
    verdict: str
    choices: Sequence[SweepLink]
    most: int = MOST


@dataclass(frozen=True, slots=True)
class ForwardView:
    """The section; without a sweep, `missing` is the reason.

    `marks` is JSON for the picture: the text of each Value's tangent and the frame of its data.
    """

    missing: str = ""
    choices: Sequence[SweepLink] = ()
    more: int = 0
    """The leaves that are not among the choices."""
    input: str = ""
    steps: Sequence[TangentRow] = ()
    left_out: int = 0
    still: str = ""
    """What is said of the Values that do not depend on the leaf."""
    result: str = ""
    agrees: bool = True
    notice: str = ""
    what_if: WhatIf | None = None
    marks: str = ""
    chosen: str = ""
    """The id of the leaf."""


class TangentQuery(NamedTuple):
    """What an address asks for: the leaf, and numbers of inputs and outputs if it says any."""

    leaf: Node
    numbers: tuple[int, int] | None


def forward_view(trace: Trace, view: View) -> ForwardView:
    """The section for a trace and the leaf that its address chooses."""
    shown = drawn(trace, view).trace
    leaves = inputs(shown)
    if not leaves:
        return ForwardView(missing=NOTHING)
    asked = _asked(view, leaves)
    sweep = forward(shown, asked.leaf.id)
    steps = list(_steps(shown, sweep, view))
    listed = leaves[: view.links // 2]
    agrees, result = _result(shown, sweep, asked.leaf)
    return ForwardView(
        choices=[_choice(leaf.name, asked._replace(leaf=leaf), asked, view) for leaf in listed],
        more=len(leaves) - len(listed),
        input=asked.leaf.name,
        steps=steps if len(steps) <= LISTED else [*steps[: LISTED - 1], steps[-1]],
        left_out=max(len(steps) - LISTED, 0),
        still=_still(len(sweep.tangents) - len(steps), asked.leaf.name),
        result=result,
        agrees=agrees,
        notice=STALE if shown.stale else "",
        what_if=_what_if(shown, asked, view),
        marks=_marks(steps),
        chosen=asked.leaf.id,
    )


def _asked(view: View, leaves: Sequence[Node]) -> TangentQuery:
    chosen, _, rest = view.lenses.get(PARAMETER, "").partition("@")
    leaf = next((leaf for leaf in leaves if leaf.id == chosen), leaves[0])
    n, _, m = rest.partition("@")
    numbers = (_count(n), _count(m))
    return TangentQuery(leaf, numbers if all(numbers) else None)


def _count(text: str) -> int:
    """A number of inputs or outputs; 0 if the text is none."""
    is_whole = text.isascii() and text.isdigit() and len(text) <= len(str(MOST))
    return min(int(text), MOST) if is_whole else 0


def _to(asked: TangentQuery) -> str:
    numbers = "".join(f"@{count}" for count in asked.numbers or ())
    return f"{asked.leaf.id}{numbers}"


def _choice(label: str, of: TangentQuery, now: TangentQuery, view: View) -> SweepLink:
    to = _to(of)
    return SweepLink(label, to, f"/?{view.with_lens(PARAMETER, to).query()}", of == now)


# The sweep


def _steps(shown: Trace, sweep: ForwardSweep, view: View) -> Iterator[TangentRow]:
    """The rows in the order of the sweep: of all Values of a small graph, else of those that move.

    A Value gets its tangent in the frame in which it gets its data.
    """
    names, frames = shown.names(), _frames(shown)
    now = len(shown.frames) - 1 if view.frame is None else view.frame
    rows = {row.node: row for row in sweep.rows}
    moving = {sweep.input}
    for node, tangent in sweep.tangents.items():
        row = rows.get(node)
        if row is not None and any(term.of in moving for term in row.terms):
            moving.add(node)
        if node not in moving and len(sweep.tangents) > FEW:
            continue
        frame = frames.get(node, 0)
        look = "later" if frame > now else "now" if frame == now else ""
        yield TangentRow(
            node,
            names[node],
            tuple(_terms(row, names)) if row else (),
            THE_INPUT if node == sweep.input else NO_INPUT,
            in_equation(tangent),
            with_minus(repr(tangent)),
            frame,
            look if node in moving else f"{look} still".strip(),
            f"/?{view.at(frame).query()}",
        )


def _frames(shown: Trace) -> Mapping[str, int]:
    """The frame in which each Value gets its data; that of the leaves is the first."""
    return {
        frame.node: at
        for at, frame in enumerate(shown.frames)
        if frame.pass_ == "forward" and not frame.given
    }


def _marks(steps: Sequence[TangentRow]) -> str:
    """JSON for the picture: the tangent of each Value, its frame, and whether it moves."""
    marks = {s.node: [s.tangent, s.frame, "still" not in s.look] for s in steps[:MARKED]}
    return json.dumps(marks, ensure_ascii=False)


def _terms(row: TangentSum, names: Mapping[str, str]) -> Iterator[TermText]:
    """The terms with as many digits as make the sum right as it is shown."""
    numbers = [x for term in row.terms for x in (term.partial, term.tangent)]
    more = more_digits(numbers, row.tangent, _sum)
    for term in row.terms:
        partial, tangent = (_number(x, more) for x in (term.partial, term.tangent))
        yield TermText(partial, tangent, names[term.of])


def _sum(*numbers: float) -> float:
    return math.fsum(a * b for a, b in zip(numbers[::2], numbers[1::2], strict=True))


def _number(x: float, more: int) -> str:
    """A number of a term without idle zeros, in parentheses if it is negative."""
    text = in_equation(x, more=more)
    if "." in text and "e" not in text:
        text = text.rstrip("0").rstrip(".")
    return f"({text})" if text.startswith("−") else text


def _still(count: int, leaf: str) -> str:
    """What is said of the Values that are not listed, as they do not depend on the leaf."""
    verb = "does" if count == 1 else "do"
    return (
        f"{counted(count, 'more Value')} {verb} not depend on {leaf}: tangent 0." if count else ""
    )


def _result(shown: Trace, sweep: ForwardSweep, leaf: Node) -> tuple[bool, str]:
    """Whether the leaf's gradient is the output's tangent, and a sentence on both."""
    output, tangent = shown.names()[shown.drawn], sweep.tangents[shown.drawn]
    says = f"The tangent of {output} is {in_equation(tangent)}"
    grad = leaf.grad if gradcheck.is_due(shown) else None
    if grad is None:
        return True, f"{says}. The program has run no backward pass to compare it with."
    wrong = shown.broken.grads.get(leaf.id) if shown.broken else None
    if wrong is not None:
        return False, f"{says}, and with the broken rule {leaf.name}.grad is {in_equation(wrong)}."
    if same(tangent, grad):
        return True, f"{says}, and so is {leaf.name}.grad."
    off = abs(tangent - grad)
    if off <= rounding(shown, leaf.id):
        return True, f"{says}, and so is {leaf.name}.grad, but for rounding ({off:.0e})."
    differ = f"They differ by {brief(off)}: {_reason(shown, leaf)}"
    return False, f"{says}, and {leaf.name}.grad is {in_equation(grad)}. {differ}"


def _reason(shown: Trace, leaf: Node) -> str:
    """Why the gradient of a leaf is not the output's tangent."""
    by_id = {node.id: node for node in shown.nodes}
    if any(is_at_kink(node, by_id) for node in shown.nodes):
        return KINK
    held = from_zero(shown).get(leaf.id, 0.0) if not is_by_hand(shown) else leaf.grad
    return OTHER if held == leaf.grad else EARLIER


# The work


def _what_if(shown: Trace, asked: TangentQuery, view: View) -> WhatIf:
    own = modes(shown)
    numbers = asked.numbers or (own.inputs, own.outputs)
    found = own._replace(inputs=numbers[0], outputs=numbers[1])
    now = asked._replace(numbers=numbers)
    ways = {(own.inputs, own.outputs): "this program: "}
    ways |= {way: "" for way in ASKED if way not in ways}
    choices = [
        _choice(f"{says}{way[0]:,} → {way[1]:,}", asked._replace(numbers=way), now, view)
        for way, says in ways.items()
    ]
    return WhatIf(found.inputs, found.outputs, _mode_rows(found), _verdict(found), choices)


def _mode_rows(found: Modes) -> Sequence[ModeRow]:
    def row(mode: str, each: str, one: Work, sweeps: int, whole: Work) -> ModeRow:
        return ModeRow(
            mode.capitalize(),
            each,
            f"{one.multiplications:,}",
            f"{one.additions:,}",
            f"{sweeps:,}",
            f"{whole.total:,}",
            found.cheaper == mode,
        )

    return (
        row("forward", "input", found.forward, found.inputs, found.by_forward),
        row("reverse", "output", found.reverse, found.outputs, found.by_reverse),
    )


def _verdict(found: Modes) -> str:
    sizes = f"{counted(found.inputs, 'input')} and {counted(found.outputs, 'output')}"
    if not found.cheaper:
        return f"For {sizes} both modes do the same work."
    few, many = sorted((found.by_forward.total, found.by_reverse.total))
    other = "forward" if found.cheaper == "reverse" else "reverse"
    times = f": {compact(many / few, 3)} times less" if few else ""
    return (
        f"For {sizes} {found.cheaper} mode wins: {few:,} operations instead of {many:,} "
        f"by {other} mode{times}."
    )
