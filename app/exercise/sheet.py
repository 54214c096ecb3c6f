"""An exercise on paper: the picture with empty fields and numbered questions; the key apart."""

from __future__ import annotations

from typing import NamedTuple

from markupsafe import Markup

from app.exercise import pictures
from app.exercise.address import ExerciseQuery
from app.exercise.page import TITLE, heading, title_of
from app.picture.layout import Placement
from engine.exercise.exercise import Exercise
from engine.exercise.hints import formula
from engine.exercise.known import known
from engine.numbers import in_sentence
from engine.ops import OPS
from engine.python_text import one_line


class SheetItem(NamedTuple):
    """A numbered question; in the key with its answer, the rules used and the arithmetic."""

    number: int
    heading: str
    answer: str = ""
    rules: str = ""
    arithmetic: Markup = Markup()


class ExerciseSheet(NamedTuple):
    """The variables of exercise_sheet.html."""

    title: str
    name: str
    digest: str
    program: str
    picture: Markup
    items: tuple[SheetItem, ...]
    has_answers: bool
    href: str


def sheet(
    asked: ExerciseQuery, exercise: Exercise, placement: Placement, with_answers: bool
) -> ExerciseSheet:
    """The sheet of an exercise, or with the answers its key."""
    return ExerciseSheet(
        title=TITLE[asked.task.hide],
        name=title_of(asked, exercise),
        digest=asked.digest,
        program=_program(asked, exercise),
        picture=pictures.on_paper(exercise, placement, with_answers),
        items=tuple(_items(exercise, with_answers)),
        has_answers=with_answers,
        href=asked.href,
    )


def _program(asked: ExerciseQuery, exercise: Exercise) -> str:
    """The program, with a line on each leaf that the address changes."""
    changed = [f"# here {one_line(key)} = {x!r}" for key, x in asked.view.leaves.items()]
    return "\n".join([exercise.trace.program.strip("\n"), *changed])


def _items(exercise: Exercise, with_answers: bool) -> list[SheetItem]:
    found = []
    everything = known(exercise, [question.key for question in exercise.questions])
    for number, question in enumerate(exercise.questions, 1):
        if not with_answers:
            found.append(SheetItem(number, heading(exercise, question)))
            continue
        ops = dict.fromkeys(OPS[contribution.op].symbol for contribution in question.contributions)
        markup = formula(exercise, question, everything, result=True)
        found.append(
            SheetItem(
                number,
                heading(exercise, question),
                in_sentence(question.answer),
                ", ".join(ops),
                Markup(markup),  # noqa: S704  # names are escaped
            )
        )
    return found
