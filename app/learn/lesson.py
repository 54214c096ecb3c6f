"""A lesson as plain data, as its file says it; numbers and addresses come when it is shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from markdown_it.token import Token

Table = Mapping[str, Any]
"""The contents of a block, as TOML has them."""


class LessonError(ValueError):
    """A lesson's file breaks the format; the message names the file and the place."""


class Prose(NamedTuple):
    """Markdown between blocks, parsed."""

    tokens: Sequence[Token]


@dataclass(frozen=True, slots=True)
class LessonQuestion:
    """A question; `index` counts within its step, `table` is its block."""

    index: int
    kind: str
    table: Table


class ExerciseLink(NamedTuple):
    """A link to an exercise of one's own: numbers of a program are hidden and asked for."""

    table: Table


@dataclass(frozen=True, slots=True)
class LessonChallenge:
    """Something to reach in the picture; `index` counts within its step, `table` is its block."""

    index: int
    table: Table


class LessonDrawing(NamedTuple):
    """A drawing in the text: a file of `drawings/`, and what it shows in words."""

    name: str
    words: str


class LessonPiece(NamedTuple):
    """A piece of the reader's own engine that is to be written now: the slug of its stage."""

    stage: str


Part = Prose | LessonQuestion | LessonChallenge | ExerciseLink | LessonDrawing | LessonPiece
"""A part of a step."""


@dataclass(frozen=True, slots=True)
class LessonStep:
    """One step: its heading, its state, and its text with the questions in it."""

    title: str
    state: Table
    parts: Sequence[Part]

    @property
    def questions(self) -> list[LessonQuestion]:
        """The questions of the step, in order."""
        return [part for part in self.parts if isinstance(part, LessonQuestion)]

    @property
    def challenges(self) -> list[LessonChallenge]:
        """The challenges of the step, in order."""
        return [part for part in self.parts if isinstance(part, LessonChallenge)]


@dataclass(frozen=True, slots=True)
class Lesson:
    """A lesson. `others` are the named states whose numbers the text uses."""

    slug: str
    title: str
    minutes: int
    after: Sequence[str]
    idea: str
    carry: str
    programs: Mapping[str, str]
    steps: Sequence[LessonStep]
    others: Mapping[str, Table] = field(default_factory=dict)
