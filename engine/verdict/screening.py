"""Which edits of a program make its gradients right, told by plain runs of the edited texts.

A run that nobody records takes a hundredth of the time of one that is judged. What passes here is
judged before it is offered.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TypeAlias

from engine.parser_lock import Span
from engine.record.attribute_names import BACKWARD
from engine.record.source import Source

from .edits import edits
from .evidence import Evidence
from .ledger import PassLedger
from .model import Mistake
from .places import FaultLocator
from .plain_runs import Answer, PlainProgram, answers_to_edits
from .slopes import SlopePoint, Slopes, near, with_changes
from .surroundings import SourceLine
from .syntax import INITS
from .text_edits import Rewrite

Candidates: TypeAlias = Callable[[SourceLine], Iterator[Rewrite]]
SECONDS = 1.5
"""Processor time for all edits at one point."""
STALLS = 2
"""Edits that may take all that time, as they never end."""


@dataclass(frozen=True, slots=True)
class Screen:
    """The points at which edits of `text` are tried, and the lines that may be edited."""

    text: str
    slopes: Slopes
    lines: Sequence[int]

    @property
    def most(self) -> int:
        """How many gradients can be right."""
        return len(self.slopes.names)

    def right(self, lines: Sequence[int]) -> list[Rewrite]:
        """The edits of some lines with which everything is right, the likeliest first."""
        edited = [edit for line in lines for edit in edits_of(self.text, line)]
        pairs = zip(edited, self.passed(edited), strict=True)
        found = [edit for edit, count in pairs if count == self.most]
        return sorted(found, key=lambda edit: edit.kind == "order")

    def passed(self, edits: Sequence[Rewrite]) -> list[int]:
        """For each edit how many gradients are right with it, at the point where it is worst."""
        counts = [self.most] * len(edits)
        for point in self.slopes.points:
            left = [at for at, count in enumerate(counts) if count]
            for at, count in zip(left, self._at(point, [edits[at] for at in left]), strict=True):
                counts[at] = min(counts[at], count)
        return counts

    def _at(self, point: SlopePoint, edits: Sequence[Rewrite]) -> list[int]:
        """How many are right at one point; 0 for what does not end, or fails."""
        names = [self.slopes.reader.format(name) for name in self.slopes.names]
        program = PlainProgram(with_changes(self.text, point.changes), names)
        found: list[int] = []
        for _ in range(STALLS):
            more = answers_to_edits(program, edits[len(found) :], SECONDS)
            found += [_right(point, it) for it in more]
            if len(found) >= len(edits):
                break
            found.append(0)
        return (found + [0] * len(edits))[: len(edits)]


def _right(point: SlopePoint, answer: Answer) -> int:
    return 0 if isinstance(answer, str) else sum(map(near, answer, point.slopes.values()))


def screen_of(slopes: Slopes, source: Source, lines: Sequence[int] = ()) -> Screen:
    """The screen of a program with these slopes."""
    return Screen("\n".join(source.lines), slopes, lines or _of_functions(source))


def _of_functions(source: Source) -> list[int]:
    """The lines of all functions that may run in a pass, those first that read gradients."""
    near: list[ast.AST] = []
    rest: list[ast.AST] = []
    for kind in (ast.FunctionDef, ast.Lambda):
        for node in source.each(kind):
            read = {part.attr for part in ast.walk(node) if isinstance(part, ast.Attribute)}
            is_near = getattr(node, "name", "") in BACKWARD or not source.gradients.isdisjoint(read)
            (near if is_near else rest).append(node)
    return _lines_of([*near, *rest])


def _lines_of(functions: Iterable[ast.AST]) -> list[int]:
    lines: dict[int, None] = {}
    for node in functions:
        if getattr(node, "name", "") not in INITS:
            lines |= dict.fromkeys(range(node.lineno, (node.end_lineno or 0) + 1))  # type: ignore[attr-defined]
    return list(lines)


def changes_numbers(evidence: Evidence) -> bool:
    """Whether the numbers of the pass depend on gradients, or gradients were there before."""
    end = evidence.run.scene.end if evidence.run.scene else 0
    is_updated = any(at < end for at, _, _ in evidence.witness.updated)
    return is_updated or any(evidence.held.values())


def lines_near(evidence: Evidence, ledger: PassLedger, mistake: Mistake) -> list[int]:
    """The lines of the functions that ran, those first that a gradient came from."""
    places = FaultLocator(evidence, ledger)
    ids = {f"v{at}": value for at, value in enumerate(evidence.order, 1)}
    value = ids.get(mistake.node or "")
    near: list[ast.AST] = []
    for entry in ledger.entries:
        if entry.used is value or value is None:
            near += [call.node for call in entry.step.calls]
    for user in evidence.users(value) if value is not None else ():
        near += [call.node for call in places.calls_at(user)]
        near += [begun.node for begun in places.runs(user)]
    every = [*near, *(begun.node for begun in evidence.witness.begun)]
    return _lines_of(dict.fromkeys(every))


def edits_of(text: str, number: int, *more: Candidates, wanted: str = "") -> list[Rewrite]:
    """The edits of a line that change something, each once, those of `more` first."""
    try:
        line = SourceLine(text, number, wanted)
    except (SyntaxError, ValueError):
        return []
    found: dict[tuple[Span, str], Rewrite] = {}
    for rewrite in chain(*(candidates(line) for candidates in (*more, edits))):
        if rewrite.text != line.text_at(rewrite.span):
            found.setdefault((rewrite.span, rewrite.text), rewrite)
    return list(found.values())
