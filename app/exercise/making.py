"""The making of a set of exercises: what a teacher's form asks for, and what is wrong with it."""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping, Sequence
from typing import NamedTuple
from urllib.parse import quote, urlencode

from app.exercise import sets
from app.exercise.address import ExerciseQuery, whole
from app.exercise.page import title_of
from app.exercise.sets import ExerciseSet
from app.exercise.subjects import Subjects
from app.picture.layout import LayoutError
from app.program_address import EXERCISE, View
from engine.exercise.exercise import ExerciseError
from engine.exercise.generator import LEVELS, MOST_SEED
from engine.exercise.task import GRADIENTS, HIDES
from engine.program import ProgramError

BREAK = re.compile(r"^\s*-{3,}\s*$", re.MULTILINE)
"""A line between two programs."""
DEFAULT_LEVEL, DEFAULT_COUNT = 2, 3
EMPTY_FORM: Mapping[str, str] = {
    "title": "Exercises",
    "difficulty": str(DEFAULT_LEVEL),
    "count": str(DEFAULT_COUNT),
    "hide": GRADIENTS,
    "programs": "",
    "names": "",
    "closed": "",
    "zeros": "",
}
NOTHING = "There is nothing to ask: choose a number of generated exercises, or paste a program."
MANY = f"A set has at most {sets.MOST_ITEMS} exercises."
ALL_ZERO = (
    "Program {number}: all answers are 0, so there is nothing to compute. Change its numbers, or "
    "tick “Set it all the same”."
)


class WantedSet(NamedTuple):
    """What the form asks for; `items` are the queries of its exercises."""

    title: str
    items: tuple[str, ...]
    own: int
    """How many of the items, the last ones, are programs that were pasted."""
    is_closed: bool
    names: tuple[str, ...]
    allows_zeros: bool


class DescribedExercise(NamedTuple):
    """An exercise of a set as its page lists it."""

    asked: ExerciseQuery
    title: str
    questions: int
    notice: str = ""


def read_form(form: Mapping[str, str]) -> WantedSet:
    """The set that a form asks for."""
    level = whole(form.get("difficulty", ""))
    level = level if level in LEVELS else DEFAULT_LEVEL
    count = whole(form.get("count", ""))
    count = min(DEFAULT_COUNT if count is None else count, sets.MOST_ITEMS + 1)
    first = whole(form.get("seed", ""))
    first = secrets.randbelow(MOST_SEED) if first is None else first
    hide = form.get("hide", GRADIENTS)
    task = {EXERCISE: hide if hide in HIDES else GRADIENTS}
    items = [
        urlencode(
            {"difficulty": level, "seed": (first + k) % (MOST_SEED + 1), **task}, quote_via=quote
        )
        for k in range(count)
    ]
    text = form.get("programs", "").replace("\r\n", "\n")
    programs = [part.strip("\n") for part in BREAK.split(text) if part.strip()]
    own = [f"{View(program=program).query()}&{urlencode(task)}" for program in programs]
    return WantedSet(
        form.get("title", ""),
        (*items, *own),
        len(own),
        "closed" in form,
        tuple(sets.names_of(form.get("names", ""))),
        "zeros" in form,
    )


def refusal(wish: WantedSet, subjects: Subjects) -> str:
    """Why a set cannot be made, or had better not be; "" if nothing is wrong."""
    if not wish.items:
        return NOTHING
    if len(wish.items) > sets.MOST_ITEMS:
        return MANY
    trial = ExerciseSet("trial", wish.title, wish.items)
    own = [*trial.exercises()][len(wish.items) - wish.own :]
    for number, asked in enumerate(own, 1):
        try:
            found = subjects.exercise(asked)
            subjects.placement(found.trace, asked.view)
        except ProgramError as error:
            return f"Program {number}, line {error.line}: {error.sentences}"
        except (ExerciseError, LayoutError) as error:
            return f"Program {number}: {error}"
        if not wish.allows_zeros and all(not it.answer for it in found.questions):
            return ALL_ZERO.format(number=number)
    return ""


def described(subjects: Subjects, asked: ExerciseQuery) -> DescribedExercise:
    """An exercise with what it is called; one that cannot be asked says why."""
    try:
        found = subjects.exercise(asked)
    except (ExerciseError, ProgramError) as error:
        return DescribedExercise(asked, "No exercise", 0, str(error))
    zeros = "All answers are 0." if all(not it.answer for it in found.questions) else ""
    program = (asked.view.program or "").strip().rpartition("\n")[2]
    return DescribedExercise(
        asked, program[:60] or title_of(asked, found), len(found.questions), zeros
    )


def links(found: ExerciseSet, names: Sequence[str]) -> list[tuple[str, ExerciseSet]]:
    """Each of a class with the set of their own."""
    return [(name, found.of_pupil(name, place)) for place, name in enumerate(names)]
