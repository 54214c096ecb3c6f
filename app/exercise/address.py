"""The address of an exercise: a program as in Explore, and what is asked of it.

    /exercise?program=…&a=2.5&exercise=gradients,any,tolerance=0.01
    /exercise?difficulty=3&seed=7&exercise=gradients

`exercise` is the text of a task (`engine.exercise.task`); a number there is a leaf of that name.
Without a program, `difficulty` and `seed` name a generated one. `from` is the slug of the lesson
that set the exercise, and `in` its place in a set (`app.exercise.sets`); no leaf has these names,
which are words of Python.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from urllib.parse import urlencode

from app import program_address
from app.program_address import EXERCISE, View
from engine.exercise.generator import LEVELS, fresh
from engine.exercise.task import Task, read_task

PATH = "/exercise"
SHEET, KEY, NEW, RENEWED, CHECK = (
    f"{PATH}/{name}" for name in ("sheet", "key", "new", "renewed", "check-result")
)
LESSON = "from"
WITHIN = "in"
LONGEST_SLUG = 60
DIGITS = 16
STARTING = "a = 3.0\nb = -1.0\nc = 4.0\nf = 2.0\nL = (a*b + c) * f"
"""The program of the page without one."""


@dataclass(frozen=True, slots=True)
class ExerciseQuery:
    """What an address asks for; `generated` is difficulty and seed of a generated program.

    `lesson` is the slug of the lesson that set it, which is no part of the exercise itself.
    """

    view: View
    task: Task
    generated: tuple[int, int] | None = None
    lesson: str = ""
    within: str = ""

    @property
    def query(self) -> str:
        """The query of this exercise."""
        if self.generated is None:
            base = self.view.query()
        else:
            difficulty, seed = self.generated
            base = f"difficulty={difficulty}&seed={seed}"
        pairs = {EXERCISE: self.task.text()} | ({LESSON: self.lesson} if self.lesson else {})
        pairs |= {WITHIN: self.within} if self.within else {}
        return f"{base}&{urlencode(pairs)}"

    @property
    def href(self) -> str:
        """The address of this exercise."""
        return f"{PATH}?{self.query}"

    @property
    def digest(self) -> str:
        """What identifies the exercise in results: a hash of all that it consists of."""
        leaves = sorted(self.view.leaves.items())
        parts = [self.view.program or "", leaves, self.view.scene, self.task.text()]
        parts += [self.within] if self.within else []
        text = json.dumps(parts, ensure_ascii=False, separators=(",", ":"))
        return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:DIGITS]

    def with_task(self, **changes: object) -> ExerciseQuery:
        """The same program with another task."""
        return replace(self, task=replace(self.task, **changes))  # type: ignore[arg-type]


def read(pairs: Iterable[tuple[str, str]]) -> ExerciseQuery:
    """The exercise of the pairs of a query. Raises packed_text.Damaged."""
    rest, text, numbers = list[tuple[str, str]](), "", dict[str, str]()
    lesson = within = ""
    for name, value in pairs:
        if name == EXERCISE and not is_number(value):
            text = value
        elif name == LESSON:
            lesson = value[:LONGEST_SLUG]
        elif name == WITHIN:
            within = value
        else:
            rest.append((name, value))
            numbers[name] = value
    task = read_task(text)
    if not {"program", "packed"} & numbers.keys():
        generated = _generated(numbers)
        program = fresh(*generated).program if generated else STARTING
        return ExerciseQuery(View(program=program), task, generated, lesson, within)
    view = program_address.read(rest)
    kept = View(
        program=view.program,
        leaves=view.leaves,
        scene=view.scene,
        direction=view.direction,
        grouped=view.grouped,
        open=view.open,
    )
    return ExerciseQuery(kept, task, lesson=lesson, within=within)


def of_generated(difficulty: int, seed: int) -> ExerciseQuery:
    """The exercise of a difficulty and a seed, all gradients hidden."""
    return ExerciseQuery(View(program=fresh(difficulty, seed).program), Task(), (difficulty, seed))


def _generated(numbers: dict[str, str]) -> tuple[int, int] | None:
    difficulty, seed = whole(numbers.get("difficulty", "")), whole(numbers.get("seed", ""))
    if difficulty is None or difficulty not in LEVELS or seed is None:
        return None
    return difficulty, seed


def whole(text: str) -> int | None:
    """A whole number of up to nine digits, None for any other text."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 9 else None


def is_number(text: str) -> bool:
    """Whether a text is a number, and so that of a leaf."""
    try:
        float(text)
    except ValueError:
        return False
    return True
