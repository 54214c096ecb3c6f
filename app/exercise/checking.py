"""The check of results that were handed in: which lines are genuine, and how a class did."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import NamedTuple
from urllib.parse import parse_qsl, urlsplit

from app import packed_text
from app.exercise import sets
from app.exercise.address import ExerciseQuery, of_generated, read
from app.exercise.class_table import ClassTable, class_table, plain_name
from app.exercise.result_line import ResultLine, StudentResult, count_lines, read_lines
from app.exercise.signing import Key
from engine.exercise.generator import LEVELS, MOST_SEED

_GENERATED = re.compile(r"difficulty (\d), seed (\d{1,9})", re.ASCII)
_ADDRESS = re.compile(r"(?:https?://\S+|/\S+)\s*$")
MOST_ADDRESSES = 200
MOST_KNOWN = 1_200
"""Exercises of all students together that are made, a second's work."""
ELSEWHERE = "genuine, but of none of the exercises above"
DAMAGED = "damaged: cut off, or changed beyond reading"
UNSIGNED = "does not fit its signature: damaged on the way, changed, or of another server"


class CheckedLine(NamedTuple):
    """A line as the teacher sees it: `href` is the address of its exercise, if that is known."""

    number: int
    result: StudentResult | None
    verdict: str
    look: str
    href: str
    time: str


@dataclass(frozen=True, slots=True)
class Checked:
    """The variables of exercise_results.html."""

    text: str
    addresses: str
    names: str
    rows: tuple[CheckedLine, ...]
    table: ClassTable
    genuine: int
    unread_addresses: tuple[str, ...]
    is_made: bool
    left_out: int
    """Lines beyond those that are checked at once."""
    left_out_addresses: int

    @property
    def csv(self) -> str:
        """The lines as a table for spreadsheets, which take no text of it for a formula."""
        head = ["line", "verdict", *StudentResult._fields]
        empty = [""] * len(StudentResult._fields)
        return as_csv([head, *([it.number, it.verdict, *(it.result or empty)] for it in self.rows)])

    @property
    def class_csv(self) -> str:
        """The table of the class for spreadsheets."""
        return as_csv(self.table.as_rows())


def as_csv(rows: Sequence[Sequence[object]]) -> str:
    """Rows as comma-separated values."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([*map(_as_text, row)] for row in rows)
    return text.getvalue()


def _as_text(cell: object) -> object:
    is_formula = isinstance(cell, str) and cell[:1] in set("=+-@\t\r")
    return f"'{cell}" if is_formula else cell


def checked(form: Mapping[str, str], key: Key) -> Checked:
    """The lines of a form, checked; its `addresses` are those of exercises or sets, one a line."""
    text, addresses, names = (form.get(name, "") for name in ("lines", "addresses", "names"))
    given = [line.strip() for line in addresses.splitlines() if line.strip()]
    lines = read_lines(text, key)
    present = {plain_name(line.result.name) for line in lines if line.result}
    known, unread = _exercises(given[:MOST_ADDRESSES], present)
    rows = tuple(_row(number, line, known) for number, line in enumerate(lines, 1))
    good = [row.result for row in rows if row.look == "good" and row.result]
    table = class_table(good, sets.names_of(names), form.get("sort", ""), form.get("out_of", ""))
    return Checked(
        text,
        addresses,
        names,
        rows,
        table,
        len(good),
        unread,
        key.is_made,
        left_out=count_lines(text) - len(lines),
        left_out_addresses=max(len(given) - MOST_ADDRESSES, 0),
    )


def _row(number: int, line: ResultLine, known: Mapping[str, ExerciseQuery]) -> CheckedLine:
    if line.result is None:
        return CheckedLine(number, None, DAMAGED, "bad", "", "")
    verdict, look = "genuine", "good"
    if not line.is_genuine:
        verdict, look = UNSIGNED, "bad"
    elif line.same_as:
        verdict, look = f"the same as line {line.same_as}", "twice"
    elif known and line.result.digest not in known:
        verdict, look = ELSEWHERE, "other"
    found = known.get(line.result.digest) or _generated(line.result)
    href = found.href if found else ""
    return CheckedLine(number, line.result, verdict, look, href, time_text(line.result.seconds))


def _generated(result: StudentResult) -> ExerciseQuery | None:
    """The generated exercise that a line names, if its digest says so, too."""
    match = _GENERATED.fullmatch(result.title)
    if match is None or int(match[1]) not in LEVELS or int(match[2]) > MOST_SEED:
        return None
    asked = of_generated(int(match[1]), int(match[2]))
    return asked if asked.digest == result.digest else None


def _exercises(
    addresses: Sequence[str], present: AbstractSet[str]
) -> tuple[dict[str, ExerciseQuery], tuple[str, ...]]:
    """The exercises of addresses by digest, and the addresses that are none."""
    found: dict[str, ExerciseQuery] = {}
    unread: list[str] = []
    for line in addresses:
        asked = _of_address(line, present)
        found |= {it.digest: it for it in asked}
        unread += [] if asked else [line[:80]]
    return found, tuple(unread)


def _of_address(line: str, present: AbstractSet[str]) -> list[ExerciseQuery]:
    """The exercises of an address, before which a name may stand; [] if it names none."""
    match = _ADDRESS.search(line)
    try:
        parts = urlsplit(match[0].strip() if match else line)
        if parts.path.endswith(sets.SET):
            return _of_set(parts.query, present)
        return [read(parse_qsl(parts.query, keep_blank_values=True))] if parts.query else []
    except (ValueError, packed_text.Damaged):
        return []


def _of_set(query: str, present: AbstractSet[str]) -> list[ExerciseQuery]:
    """The exercises of a set, and of all its students if the address names them.

    In a large class those of the names that are `present` alone.
    """
    found = sets.read_set(query)
    names = [text for name, text in parse_qsl(query) if name == "name"][: sets.MOST_NAMES]
    if found is None:
        return []
    is_large = len(names) * len(found.items) > MOST_KNOWN
    every = [found]
    for place, name in enumerate(names):
        if not is_large or plain_name(name) in present:
            every.append(found.of_pupil(name, place))
    return [asked for one in every for asked in one.exercises()]


def time_text(seconds: int) -> str:
    """Seconds as minutes and seconds."""
    minutes, rest = divmod(seconds, 60)
    return f"{minutes} min {rest:02d} s" if minutes else f"{rest} s"
