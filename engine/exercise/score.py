"""The score of an exercise: answers right, at the first try, hints, and that by kind of step."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from .exercise import Exercise
from .rules import RuleKind, kind_of

OPEN, RIGHT, SHOWN = "open", "right", "shown"


class Mark(NamedTuple):
    """What became of one question: wrong tries, hints seen, and its outcome."""

    wrong: int = 0
    hints: int = 0
    outcome: str = OPEN

    @property
    def is_first(self) -> bool:
        """Whether the first try was right, with any number of hints."""
        return self.outcome == RIGHT and self.wrong == 0

    @property
    def is_begun(self) -> bool:
        """Whether there was a try, or the answer was shown."""
        return self.wrong > 0 or self.outcome != OPEN


class KindScore(NamedTuple):
    """The count of one kind of step: right at the first try, of all that were begun."""

    kind: RuleKind
    first: int
    begun: int


class ExerciseScore(NamedTuple):
    """The counts of a run, and the kinds of step that were begun."""

    asked: int
    right: int
    first: int
    hints: int
    shown: int
    rows: tuple[KindScore, ...]

    @property
    def is_done(self) -> bool:
        """Whether no question is open."""
        return self.right + self.shown == self.asked


def score(exercise: Exercise, marks: Sequence[Mark]) -> ExerciseScore:
    """The score of the marks of all questions, in their order."""
    ops = {node.id: node.op for node in exercise.trace.nodes}
    counts: dict[RuleKind, list[int]] = {}
    for question, mark in zip(exercise.questions, marks, strict=True):
        if mark.is_begun:
            count = counts.setdefault(kind_of(question, ops), [0, 0])
            count[0] += mark.is_first
            count[1] += 1
    return ExerciseScore(
        asked=len(marks),
        right=sum(mark.outcome == RIGHT for mark in marks),
        first=sum(mark.is_first for mark in marks),
        hints=sum(mark.hints for mark in marks),
        shown=sum(mark.outcome == SHOWN for mark in marks),
        rows=tuple(KindScore(kind, *count) for kind, count in counts.items()),
    )
