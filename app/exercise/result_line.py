"""Results as lines of text: what a student hands in, and a teacher checks.

seegrad 1 | Ada Lovelace | 3f9a2c71b04d5e6f | difficulty 3, seed 7 | right 6 of 6 | first 5 |
hints 1 | shown 0 | 252 s | 2026-11-22 19:40 UTC | signature

Blanks and ends of lines within do not matter, nor the signs ">" of quoted mail before each of its
lines, as mail programs change them.
"""

from __future__ import annotations

import re
import time
from itertools import pairwise
from typing import NamedTuple

from app.exercise.signing import RESULT, Key

LONGEST_NAME = 60
LONGEST_TITLE = 48
MOST = 500
"""Lines that are checked at once."""
_LINE = re.compile(
    r"seegrad 1 \| (?P<name>[^|]{1,100}) \| (?P<digest>[0-9a-f]{16}) \| (?P<title>[^|]{1,100})"
    r" \| right (?P<right>\d{1,3}) of (?P<asked>\d{1,3}) \| first (?P<first>\d{1,3})"
    r" \| hints (?P<hints>\d{1,4}) \| shown (?P<shown>\d{1,3}) \| (?P<seconds>\d{1,9}) s"
    r" \| (?P<when>\d{4}-\d\d-\d\d \d\d:\d\d) UTC \| (?P<signature>[A-Za-z0-9_-]{20,64})",
    re.ASCII,
)
_COUNTS = ("right", "asked", "first", "hints", "shown", "seconds")
_QUOTED = re.compile(r"^[ \t]*(?:>[ \t]*)+", re.MULTILINE)
_START = re.compile(r"seegrad 1 \|")


class StudentResult(NamedTuple):
    """What a line says."""

    name: str
    digest: str
    title: str
    right: int
    asked: int
    first: int
    hints: int
    shown: int
    seconds: int
    when: str

    def text(self) -> str:
        """The line without its signature."""
        return (
            f"seegrad 1 | {self.name} | {self.digest} | {self.title} | right {self.right}"
            f" of {self.asked} | first {self.first} | hints {self.hints} | shown {self.shown} |"
            f" {self.seconds} s | {self.when} UTC"
        )

    def line(self, key: Key) -> str:
        """The line with its signature."""
        return f"{self.text()} | {key.signature(RESULT, self.text().encode())}"


class ResultLine(NamedTuple):
    """A line that was handed in: its result, None if it cannot be read, and whether it is genuine.

    `same_as` is the number of an earlier line with the same signature, from 1; 0 without one.
    """

    result: StudentResult | None
    is_genuine: bool
    same_as: int = 0


def plain(text: str, most: int) -> str:
    """A text as a line may have it: one line, without bars and control characters."""
    kept = "".join(" " if c == "|" or not c.isprintable() else c for c in text)
    return " ".join(kept.split())[:most].strip()


def at(seconds: int) -> str:
    """A time as a line has it."""
    return time.strftime("%Y-%m-%d %H:%M", time.gmtime(seconds))


def count_lines(text: str) -> int:
    """The lines in a text, also those beyond MOST."""
    return len(_START.findall(_joined(text)))


def _joined(text: str) -> str:
    """A text as one line, without the signs of quoted mail."""
    return " ".join(_QUOTED.sub("", text).split())


def read_lines(text: str, key: Key) -> list[ResultLine]:
    """The first MOST lines in a text; whatever stands between them is passed over."""
    joined = _joined(text)
    starts = [found.start() for found in _START.finditer(joined)]
    found: list[ResultLine] = []
    seen: dict[str, int] = {}
    for number, (start, end) in enumerate(pairwise([*starts, len(joined)][: MOST + 1]), 1):
        match = _LINE.match(joined, start, end)
        if match is None:
            found.append(ResultLine(None, is_genuine=False))
            continue
        result, signature = _result(match), match["signature"]
        genuine = key.is_genuine(RESULT, result.text().encode(), signature)
        found.append(ResultLine(result, genuine, seen.get(signature, 0)))
        seen.setdefault(signature, number)
    return found


def _result(match: re.Match[str]) -> StudentResult:
    right, asked, first, hints, shown, seconds = (int(match[name]) for name in _COUNTS)
    name, digest, title = match["name"], match["digest"], match["title"]
    return StudentResult(
        name, digest, title, right, asked, first, hints, shown, seconds, match["when"]
    )
