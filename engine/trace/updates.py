"""What a program changed after the pass that is drawn: the weights of a network, mostly."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.language.own import number_of
from engine.language.plain import as_float
from engine.language.program import Note, Run
from engine.language.scenes import Stage
from engine.value import Value

from .model import Node

NAMED = 2
"""Names that the note lists."""


def changed_since(stage: Stage) -> list[Value]:
    """The Values whose numbers at the end of the program are not those of `stage`.

    To be called before the pass is replayed, which sets the numbers back.
    """
    if stage.held is None:
        recorded = zip(stage.backward.order, stage.backward.data, strict=True)
        return [value for value, data in recorded if _differ(value.data, data)]
    drawn = set(stage.backward.order)
    return [value for value, owner in stage.held.items() if _is_replaced(value, owner, drawn)]


def _is_replaced(value: Value, owner: Any, drawn: set[Value]) -> bool:
    """Whether the object `owner` now holds a number that is not drawn, and another one."""
    number = number_of(owner)
    if number is None or number.value in drawn:
        return False
    return _differ(as_float(number), value.data)


def _differ(a: float, b: float) -> bool:
    return a != b and (a == a or b == b)


def note_on(changed: Sequence[Value], nodes: Mapping[Value, Node], run: Run) -> list[Note]:
    """The note on Values changed since; none if there are none."""
    if not changed or run.stage is None:
        return []
    kind = run.scene.kind if run.scene else "backward"
    moment = "drawing" if kind == "drawing" else "pass"
    verb = "was" if len(changed) == 1 else "were"
    message = f"The numbers are those of this {moment}; {_listed(changed, nodes)} {verb} changed"
    place = run.scene.node if run.scene else run.stage.backward.node
    return [Note(f"{message} after it.", run.source.span(place))]


def _listed(changed: Sequence[Value], nodes: Mapping[Value, Node]) -> str:
    """`w0, w1 and 39 more`, or `41 Values` if none has a label."""
    names = [nodes[value].name for value in changed if value.label][:NAMED]
    rest = len(changed) - len(names)
    if not names:
        return f"{rest:,} Value" + ("s" if rest > 1 else "")
    if rest:
        return f"{', '.join(names)} and {rest:,} more"
    return " and ".join(names)
