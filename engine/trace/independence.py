"""The note on leaves that the output of a scene does not depend on."""

from __future__ import annotations

from engine.program import Note, RecordedRun
from engine.record.model import RunNumber

NAMED = 3
"""Names that the note lists."""


def notes(run: RecordedRun, output: RunNumber) -> list[Note]:
    """The note on the leaves that the program named for this scene, and that are not drawn."""
    if not run.unused:
        return []
    labels = [leaf.label for leaf in run.unused]
    message = f"{output.label or 'The output'} does not depend on {_listed(labels)}"
    if not any(leaf.has_gradient for leaf in run.unused):
        message += ": its gradient is 0" if len(labels) == 1 else ": their gradients are 0"
    return [Note(f"{message}.", run.source.span(run.unused[0].node))]


def _listed(names: list[str]) -> str:
    """`a`, `a and b`, or `a, b, c and 39 others`."""
    rest = len(names) - NAMED
    if rest > 0:
        return f"{', '.join(names[:NAMED])} and {rest:,} other{'s' if rest > 1 else ''}"
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))
