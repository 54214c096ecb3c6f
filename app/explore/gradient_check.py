"""The gradient check as a table: each leaf's gradient beside its finite difference."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from app.program_address import to_parameter
from engine.language.program import Program
from engine.numbers import short
from engine.trace import gradcheck, slopes
from engine.trace.model import Node
from engine.trace.rerun import Rerun
from engine.trace.traced import Trace


class CheckRow(NamedTuple):
    """The gradient that a single pass from zero gives a leaf, beside the measured slope."""

    key: str
    label: str
    grad: str
    nudge: str
    verdict: str
    ok: bool


@dataclass(frozen=True, slots=True)
class Check:
    """The table and its caption; without rows, `unchecked` is the reason."""

    says: str
    rows: Sequence[CheckRow] = ()
    unchecked: str = ""


CENTRAL = "Central differences of the output against the gradients of one pass."
BY_HAND = "Central differences of the output against the program’s own gradients."
NO_PASS = "Not checked: the program has run no backward pass."
NEVER = "{}, which the program never wrote"
LEFT_OUT = "Not checked: this would take more than {most:,} operations."


def check_view(program: Program, shown: Trace, leaves: dict[str, float], most: int) -> Check:
    """The check of a trace with these leaves changed, in at most `most` operations."""
    says = BY_HAND if slopes.is_by_hand(shown) else CENTRAL
    rows = check_rows(shown, most, Rerun(program, leaves, shown, most))
    if rows is None:
        return Check(says, unchecked=LEFT_OUT.format(most=most))
    return Check(says, rows, "" if gradcheck.is_due(shown) else NO_PASS)


def check_rows(shown: Trace, most: int, rerun: Rerun | None = None) -> tuple[CheckRow, ...] | None:
    """One row per leaf; None if the check would take more than `most` operations."""
    if gradcheck.is_due(shown) and gradcheck.cost(shown) > most:
        return None
    names = shown.names()
    by_id = {node.id: node for node in shown.nodes}
    held, unwritten = _held(shown), shown.unwritten()
    return tuple(
        CheckRow(
            key=_key(by_id[row.node]),
            label=names[row.node],
            grad=short(row.grad),
            nudge="–" if row.verdict == gradcheck.UNKNOWN else short(row.slope),
            verdict=NEVER.format(row.verdict)
            if row.node in unwritten and not row.ok
            else _verdict(row, by_id[row.node], held.get(row.node, 0.0)),
            ok=row.ok,
        )
        for row in gradcheck.check(shown, rerun=rerun)
    )


def _key(node: Node) -> str:
    return to_parameter(node.key) if node.key else node.id


def _held(shown: Trace) -> dict[str, float]:
    """The gradient that each Value had before the first write to it, by id."""
    found: dict[str, float] = {}
    for frame in shown.frames:
        if frame.written is not None:
            found.setdefault(frame.node, frame.written.before)
    return found


def _verdict(row: gradcheck.Check, node: Node, held: float) -> str:
    """The verdict of a check; where the Value's gradient is another, both and the reason."""
    is_sum = held and math.isclose(row.grad - held, row.slope, rel_tol=1e-4, abs_tol=1e-6)
    if is_sum and row.verdict.startswith("differs"):
        return f"{row.verdict}, as it was {short(held)} before this pass and was not reset"
    if node.grad is None or node.grad == row.grad or node.grad != node.grad:
        return row.verdict
    verdict = ", which agrees" if row.verdict == "agrees" else f": {row.verdict}"
    return (
        f"A single pass from zero gives {short(row.grad)}{verdict}; {node.name}.grad is "
        f"{short(node.grad)} because gradients were not reset."
    )
