"""The check of results that were handed in: which lines are genuine, and for which exercise."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple
from urllib.parse import parse_qsl, urlsplit

from app import packed_text
from app.exercise.address import ExerciseQuery, of_generated, read
from app.exercise.result_line import ResultLine, StudentResult, count_lines, read_lines
from app.exercise.signing import Key
from engine.exercise.generator import LEVELS, MOST_SEED

_GENERATED = re.compile(r"difficulty (\d), seed (\d{1,9})", re.ASCII)
MOST_ADDRESSES = 200


class CheckedLine(NamedTuple):
    """A line as the teacher sees it: `href` is the address of its exercise, if that is known."""

    number: int
    result: StudentResult | None
    verdict: str
    look: str
    href: str
    time: str


class Checked(NamedTuple):
    """The variables of exercise_results.html."""

    text: str
    addresses: str
    rows: tuple[CheckedLine, ...]
    genuine: int
    unread_addresses: tuple[str, ...]
    is_made: bool
    left_out: int
    """Lines beyond those that are checked at once."""
    left_out_addresses: int

    @property
    def csv(self) -> str:
        """The rows as a table for spreadsheets, which take no text of it for a formula."""
        text = io.StringIO()
        table = csv.writer(text, lineterminator="\n")
        table.writerow(["line", "verdict", *StudentResult._fields])
        for row in self.rows:
            told = row.result or [""] * len(StudentResult._fields)
            table.writerow([row.number, row.verdict, *map(_as_text, told)])
        return text.getvalue()


def _as_text(cell: object) -> object:
    is_formula = isinstance(cell, str) and cell[:1] in set("=+-@\t\r")
    return f"'{cell}" if is_formula else cell


def checked(text: str, addresses: str, key: Key) -> Checked:
    """The lines of a text, checked; `addresses` are those of exercises, one a line."""
    given = [line.strip() for line in addresses.splitlines() if line.strip()]
    known, unread = _exercises(given[:MOST_ADDRESSES])
    lines = read_lines(text, key)
    rows = tuple(_row(number, line, known) for number, line in enumerate(lines, 1))
    genuine = sum(line.is_genuine and not line.same_as for line in lines)
    return Checked(
        text,
        addresses,
        rows,
        genuine,
        unread,
        key.is_made,
        left_out=count_lines(text) - len(lines),
        left_out_addresses=max(len(given) - MOST_ADDRESSES, 0),
    )


def _row(number: int, line: ResultLine, known: Mapping[str, ExerciseQuery]) -> CheckedLine:
    if line.result is None:
        return CheckedLine(
            number, None, "damaged: cut off, or changed beyond reading", "bad", "", ""
        )
    verdict, look = "genuine", "good"
    if not line.is_genuine:
        verdict, look = (
            "does not fit its signature: damaged on the way, changed, or of another server",
            "bad",
        )
    elif line.same_as:
        verdict, look = f"the same as line {line.same_as}", "twice"
    found = known.get(line.result.digest) or _generated(line.result)
    href = found.href if found else ""
    return CheckedLine(number, line.result, verdict, look, href, _time(line.result.seconds))


def _generated(result: StudentResult) -> ExerciseQuery | None:
    """The generated exercise that a line names, if its digest says so, too."""
    match = _GENERATED.fullmatch(result.title)
    if match is None or int(match[1]) not in LEVELS or int(match[2]) > MOST_SEED:
        return None
    asked = of_generated(int(match[1]), int(match[2]))
    return asked if asked.digest == result.digest else None


def _exercises(addresses: Sequence[str]) -> tuple[dict[str, ExerciseQuery], tuple[str, ...]]:
    """The exercises of addresses by digest, and the addresses that are none."""
    found: dict[str, ExerciseQuery] = {}
    unread: list[str] = []
    for line in addresses:
        try:
            parts = urlsplit(line)
            asked = read(parse_qsl(parts.query, keep_blank_values=True))
        except (ValueError, packed_text.Damaged):
            unread.append(line[:80])
            continue
        if not parts.query:
            unread.append(line[:80])
            continue
        found[asked.digest] = asked
    return found, tuple(unread)


def _time(seconds: int) -> str:
    minutes, rest = divmod(seconds, 60)
    return f"{minutes} min {rest:02d} s" if minutes else f"{rest} s"
