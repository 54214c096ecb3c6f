"""What a program changed after the pass that is drawn: the weights of a network, mostly."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.program import Note, RecordedRun
from engine.record.model import RunNumber

from .model import Node

NAMED = 2
"""Names that the note lists."""


def note_on(
    changed: Sequence[RunNumber], nodes: Mapping[RunNumber, Node], run: RecordedRun
) -> list[Note]:
    """The note on Values changed since; none if there are none."""
    if not changed or run.stage is None:
        return []
    kind = run.scene.kind if run.scene else "backward"
    moment = "drawing" if kind == "drawing" else "pass"
    verb = "was" if len(changed) == 1 else "were"
    message = f"The numbers are those of this {moment}; {_listed(changed, nodes)} {verb} changed"
    place = run.scene.node if run.scene else run.stage.backward.node
    return [Note(f"{message} after it.", run.source.span(place))]


def _listed(changed: Sequence[RunNumber], nodes: Mapping[RunNumber, Node]) -> str:
    """`w0, w1 and 39 more`, or `41 Values` if none has a label."""
    names = [nodes[value].name for value in changed if value.label][:NAMED]
    rest = len(changed) - len(names)
    if not names:
        return f"{rest:,} Value" + ("s" if rest > 1 else "")
    if rest:
        return f"{', '.join(names)} and {rest:,} more"
    return " and ".join(names)
