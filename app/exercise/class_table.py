"""The results of a class as a table: marks by name, who is missing, what goes wrong."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from app.exercise.result_line import StudentResult

OUT_OF, MOST_OUT_OF = 10.0, 1000.0
LATER = 0.5
"""What a number that is right after a wrong try counts; at the first try it counts 1."""


class StudentRow(NamedTuple):
    """What a student handed in, exercise by exercise added up."""

    name: str
    exercises: int
    right: int
    asked: int
    first: int
    hints: int
    shown: int
    seconds: int
    mark: float
    is_known: bool = True
    """Whether the name is one of the class, or no class was given."""


COLUMNS: Mapping[str, tuple[str, Callable[[StudentRow], object]]] = {
    "name": ("Name", lambda row: _letters(row.name)),
    "mark": ("Mark", lambda row: -row.mark),
    "exercises": ("Exercises", lambda row: -row.exercises),
    "right": ("Right", lambda row: -row.right),
    "first": ("First try", lambda row: -row.first),
    "hints": ("Hints", lambda row: -row.hints),
    "shown": ("Shown", lambda row: -row.shown),
    "seconds": ("Time", lambda row: -row.seconds),
}
"""The columns by their name in a form: heading, and the order that they are sorted in."""


class KindRow(NamedTuple):
    """A kind of step in a class: how often it was right at the first try."""

    kind: str
    first: int
    begun: int


@dataclass(frozen=True, slots=True)
class ClassTable:
    """The variables of the table; `questions` is the most that anyone was asked."""

    rows: tuple[StudentRow, ...]
    missing: tuple[str, ...]
    kinds: tuple[KindRow, ...]
    sort: str
    out_of: float

    def as_rows(self) -> list[list[object]]:
        """The table with its head, and the names of those who are missing."""
        head: list[object] = ["name", "mark", "out of", *StudentRow._fields[1:8]]
        found = [[row.name, round(row.mark, 2), self.out_of, *row[1:8]] for row in self.rows]
        return [head, *found, *([name, 0, self.out_of, *[0] * 7] for name in self.missing)]


def class_table(
    results: Sequence[StudentResult], names: Sequence[str], sort: str, out_of: str
) -> ClassTable:
    """The table of genuine results. Of several on one exercise by one name the last counts."""
    most = _out_of(out_of)
    latest: dict[str, dict[str, StudentResult]] = {}
    for result in sorted(results, key=lambda it: it.when):
        latest.setdefault(plain_name(result.name), {})[result.digest] = result
    known = {plain_name(name): name for name in names}
    whole = max((sum(it.asked for it in own.values()) for own in latest.values()), default=0)
    rows = [_row(own, known, whole, most) for own in latest.values()]
    sort = sort if sort in COLUMNS else "name"
    rows.sort(key=lambda row: (COLUMNS[sort][1](row), _letters(row.name)))
    missing = tuple(name for plain, name in known.items() if plain not in latest)
    return ClassTable(tuple(rows), missing, _kinds(latest), sort, most)


def _row(
    own: Mapping[str, StudentResult], known: Mapping[str, str], whole: int, most: float
) -> StudentRow:
    found = [*own.values()]
    right, asked, first, hints, shown, seconds = (
        sum(getattr(it, name) for it in found)
        for name in ("right", "asked", "first", "hints", "shown", "seconds")
    )
    points = first + LATER * (right - first)
    plain = plain_name(found[-1].name)
    return StudentRow(
        known.get(plain, found[-1].name),
        len(found),
        right,
        asked,
        first,
        hints,
        shown,
        seconds,
        most * points / whole if whole else 0.0,
        not known or plain in known,
    )


def _kinds(latest: Mapping[str, Mapping[str, StudentResult]]) -> tuple[KindRow, ...]:
    """The kinds of step, those that go wrong most often first."""
    counts: dict[str, list[int]] = {}
    for own in latest.values():
        for result in own.values():
            for kind, first, begun in result.by_kind():
                count = counts.setdefault(kind, [0, 0])
                count[0] += first
                count[1] += begun
    rows = [KindRow(kind, *count) for kind, count in counts.items() if count[1]]
    return tuple(sorted(rows, key=lambda row: row.first / row.begun))


def plain_name(name: str) -> str:
    """A name without what does not tell people apart: case, order, accents, commas and blanks."""
    return " ".join(sorted(re.findall(r"\w+", _letters(name))))


def _letters(name: str) -> str:
    """A name without case and accents."""
    bare = unicodedata.normalize("NFKD", name).casefold()
    return "".join(c for c in bare if not unicodedata.combining(c))


def _out_of(text: str) -> float:
    try:
        found = float(text.replace(",", "."))
    except ValueError:
        return OUT_OF
    return found if 0 < found <= MOST_OUT_OF else OUT_OF
