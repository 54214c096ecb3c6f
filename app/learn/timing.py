"""How long a lesson takes: the time to read its text, to look at its pictures, and to answer."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from app.learn.lesson import LessonPiece, LessonQuestion, LessonStep, Prose

WORDS = 180
"""Words a minute. Adults read 238 (Brysbaert 2019); numbers take longer."""
LOOK, CODE = 0.4, 1.0
"""Minutes for the picture of a step: a graph or a run, or code that has to be read."""
QUESTION, FIELD, PROGRAM = 0.4, 0.6, 3
"""Minutes for a question, for each of its fields, and for a program to be written."""
CHALLENGE, PIECE = 3, 10
"""Minutes for what a reader may leave out: a challenge, and a piece of the engine."""
_WORD = re.compile(r"\[\[.+?\]\]|[^\s\[\]]*\w[^\s\[\]]*")


def minutes(steps: Sequence[LessonStep]) -> int:
    """Whole minutes for steps, challenges and the pieces of the reader's engine left out."""
    read = sum(len(_WORD.findall(text)) for step in steps for text in _texts(step))
    asked = [question for step in steps for question in step.questions]
    looks = sum(CODE if step.state.get("part") == "program" else LOOK for step in steps)
    return round(read / WORDS + looks + sum(map(_answering, asked)))


def optional_minutes(steps: Sequence[LessonStep]) -> int:
    """Minutes for the challenges and the pieces of the engine."""
    pieces = sum(isinstance(part, LessonPiece) for step in steps for part in step.parts)
    return PIECE * pieces + CHALLENGE * sum(len(step.challenges) for step in steps)


def _texts(step: LessonStep) -> Iterator[str]:
    """What is read of a step, with the replies to right answers."""
    yield step.title
    for part in step.parts:
        if isinstance(part, Prose):
            yield from (token.content for token in part.tokens if token.type in ("inline", "fence"))
        elif isinstance(part, LessonQuestion):
            yield from (part.table["ask"], part.table["right"])
            yield from (option["text"] for option in part.table.get("option", []))


def _answering(question: LessonQuestion) -> float:
    """Minutes for a question; its fields are numbers to type, or lines to put in order."""
    if question.kind == "program":
        return QUESTION + PROGRAM
    found = question.table.get("lines", question.table.get("answer", ""))
    return QUESTION + FIELD * (len(found) if isinstance(found, list) else 1)
