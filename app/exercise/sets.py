"""A set of exercises as one link, for a class.

    /exercise/set?id=k3J9…&title=Monday&closed=1&item=difficulty%3D2%26seed%3D7%26exercise%3Dgradients

`closed` leaves out what shows the numbers: Explore, paper, other numbers and other ways of asking.
The teacher's link adds `teacher`, the signature of `id`, and `names`, the class: each of them may
have a link with numbers of their own. An exercise of a set says so in its own address, as `in`.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from urllib.parse import parse_qsl, quote, urlencode

from app.exercise import address
from app.exercise.address import PATH, ExerciseQuery
from app.exercise.result_line import LONGEST_NAME, plain
from app.exercise.signing import TEACHER, Key
from engine.exercise.generator import MOST_SEED

SET = f"{PATH}/set"
MOST_ITEMS, MOST_NAMES = 20, 200
LONGEST_TITLE = 30
ID_BYTES = 9


@dataclass(frozen=True, slots=True)
class ExerciseSet:
    """Exercises in order, each as the query of its address; a `pupil` may have own numbers."""

    id: str
    title: str
    items: tuple[str, ...]
    is_closed: bool = False
    pupil: str = ""

    @property
    def query(self) -> str:
        """The query of the link for the class, or for one pupil."""
        pairs = [("id", self.id), ("title", self.title)] + [("closed", "1")] * self.is_closed
        pairs += [("pupil", self.pupil)] if self.pupil else []
        return urlencode([*pairs, *(("item", item) for item in self.items)])

    @property
    def href(self) -> str:
        """The link."""
        return f"{SET}?{self.query}"

    def exercises(self) -> Iterator[ExerciseQuery]:
        """The exercises, each of which knows its place. Raises packed_text.Damaged."""
        for number, item in enumerate(self.items, 1):
            pairs = [
                *parse_qsl(item, keep_blank_values=True),
                (address.WITHIN, f"{number}:{self.query}"),
            ]
            yield address.read(pairs)

    def of_pupil(self, name: str, place: int) -> ExerciseSet:
        """The set of one of a class: generated exercises have seeds of their own."""
        step = (place + 1) * len(self.items)
        return replace(self, pupil=name, items=tuple(_later(item, step) for item in self.items))


@dataclass(frozen=True, slots=True)
class SetPlace:
    """An exercise's place in a set, counted from 1."""

    set: ExerciseSet
    number: int

    @property
    def title(self) -> str:
        """What the exercise is called in results."""
        return f"{self.set.title}: {self.number} of {len(self.set.items)}"

    @property
    def next(self) -> ExerciseQuery | None:
        """The exercise after this one."""
        found = [*self.set.exercises()]
        return found[self.number] if self.number < len(found) else None


def made(title: str, items: Sequence[str], is_closed: bool) -> ExerciseSet:
    """A new set."""
    found = tuple(items[:MOST_ITEMS])
    return ExerciseSet(
        secrets.token_urlsafe(ID_BYTES),
        plain(title, LONGEST_TITLE) or "Exercises",
        found,
        is_closed,
    )


def read_set(query: str) -> ExerciseSet | None:
    """The set of a query, None if it names no exercise."""
    pairs = parse_qsl(query, keep_blank_values=True)
    found = dict(pairs)
    items = tuple(item for name, item in pairs if name == "item")
    if not items or not found.get("id"):
        return None
    title, pupil = (
        plain(found.get("title", ""), LONGEST_TITLE),
        plain(found.get("pupil", ""), LONGEST_NAME),
    )
    return ExerciseSet(
        found["id"][:40], title, items[:MOST_ITEMS], found.get("closed") == "1", pupil
    )


def place_of(asked: ExerciseQuery) -> SetPlace | None:
    """The place in a set that an exercise's address names."""
    number, _, query = asked.within.partition(":")
    found = read_set(query)
    if found is None or not number.isascii() or not number.isdigit() or len(number) > 3:
        return None
    return SetPlace(found, int(number)) if 1 <= int(number) <= len(found.items) else None


def names_of(text: str) -> list[str]:
    """The names of a class, one a line; without repeats."""
    names = (plain(line, LONGEST_NAME) for line in text.splitlines())
    return [*dict.fromkeys(name for name in names if name)][:MOST_NAMES]


def teacher_href(found: ExerciseSet, names: Sequence[str], key: Key) -> str:
    """The teacher's link."""
    pairs = [("teacher", token(found, key)), *(("name", name) for name in names)]
    return f"{found.href}&{urlencode(pairs)}"


def token(found: ExerciseSet, key: Key) -> str:
    """What opens the answers of a set."""
    return key.signature(TEACHER, found.id.encode("utf-8", "surrogatepass"))


def is_teachers(found: ExerciseSet, text: str, key: Key) -> bool:
    """Whether a text is the token of a set."""
    return key.is_genuine(TEACHER, found.id.encode("utf-8", "surrogatepass"), text)


def _later(item: str, step: int) -> str:
    """An item with the seed moved on, if it has one."""
    pairs = parse_qsl(item, keep_blank_values=True)
    if {"program", "packed"} & {name for name, _ in pairs}:
        return item
    moved = [(n, _seed(text, step) if n == "seed" else text) for n, text in pairs]
    return urlencode(moved, quote_via=quote)


def _seed(text: str, step: int) -> str:
    found = address.whole(text)
    return text if found is None else str((found + step) % (MOST_SEED + 1))
