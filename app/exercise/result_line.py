"""Results as lines of text: what a student hands in, and a teacher checks.

seegrad 2 | Ada Lovelace | 3f9a2c71b04d5e6f | difficulty 3, seed 7 | right 6 of 6 | first 5 |
hints 1 | shown 0 | 252 s | 2026-11-22 19:40 UTC | *: 1 of 2, sum: 2 of 2 | signature

Mail programs change lines: they wrap them anywhere, quote them with ">", put soft hyphens and other
invisible signs in them, and encode them as quoted-printable. None of it matters: what is signed has
neither blanks nor invisible signs, and Unicode's compatible forms are one.
"""

from __future__ import annotations

import quopri
import re
import time
import unicodedata
from itertools import pairwise
from typing import NamedTuple

from app.exercise.signing import RESULT, Key

LONGEST_NAME = 60
LONGEST_TITLE = 48
MOST = 500
"""Lines that are checked at once."""
FIELDS = 12
_SIGNATURE = re.compile(r"(?:[A-Za-z0-9_-]\s*){43}")
_COUNTS = re.compile(
    r"right(\d{1,3})of(\d{1,3})\|first(\d{1,3})\|hints(\d{1,4})\|shown(\d{1,3})\|(\d{1,9})s"
    r"\|(\d{4}-\d\d-\d\d)(\d\d:\d\d)UTC",
    re.ASCII,
)
_DIGEST = re.compile(r"[0-9a-f]{16}")
_KIND = re.compile(r"\s*(.{1,20}?): (\d{1,3}) of (\d{1,3})\s*", re.ASCII)
_QUOTED = re.compile(r"^[ \t]*(?:>[ \t]*)+", re.MULTILINE)
_BARRED = re.compile(r"^[ \t]*\|[ \t]*seegrad[ \t]*\d.*(?:\n[ \t]*\|.*)*", re.MULTILINE)
"""Rows of a mail that quotes with bars, from a result on: there a bar is not one of the line's."""
_BAR = re.compile(r"^[ \t]*\|", re.MULTILINE)
_START = re.compile(r"\s*".join("seegrad2|").replace("|", r"\|"))
_INVISIBLE = {"Cf", "Cc", "Zl", "Zp"}


class StudentResult(NamedTuple):
    """What a line says; `kinds` has for each kind of step how many were right at the first try."""

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
    kinds: str = ""

    def text(self) -> str:
        """The line without its signature."""
        return (
            f"seegrad 2 | {self.name} | {self.digest} | {self.title} | right {self.right}"
            f" of {self.asked} | first {self.first} | hints {self.hints} | shown {self.shown} |"
            f" {self.seconds} s | {self.when} UTC | {self.kinds}"
        )

    def line(self, key: Key) -> str:
        """The line with its signature."""
        return f"{self.text()} | {key.signature(RESULT, signed(self.text()))}"

    def by_kind(self) -> list[tuple[str, int, int]]:
        """Each kind of step with its count right at the first try, and of how many."""
        found = (_KIND.fullmatch(part) for part in self.kinds.split(","))
        return [(match[1], int(match[2]), int(match[3])) for match in found if match]


class ResultLine(NamedTuple):
    """A line that was handed in: its result, None if it cannot be read, and whether it is genuine.

    `same_as` is the number of an earlier line with the same signature, from 1; 0 without one.
    """

    result: StudentResult | None
    is_genuine: bool
    same_as: int = 0


def plain(text: str, most: int) -> str:
    """A text as a line may have it: one line, without bars and control characters."""
    text = unicodedata.normalize("NFC", text)
    kept = "".join(" " if c == "|" or not c.isprintable() else c for c in text)
    return " ".join(kept.split())[:most].strip()


def at(seconds: int) -> str:
    """A time as a line has it."""
    return time.strftime("%Y-%m-%d %H:%M", time.gmtime(seconds))


def signed(text: str) -> bytes:
    """What of a text is signed."""
    return "".join(unicodedata.normalize("NFKC", _visible(text)).split()).encode(
        "utf-8", "surrogatepass"
    )


def count_lines(text: str) -> int:
    """The lines in a text, also those beyond MOST."""
    return len(_START.findall(_joined(text)))


def read_lines(text: str, key: Key) -> list[ResultLine]:
    """The first MOST lines in a text; whatever stands between them is passed over."""
    found = _read(_joined(text), key)
    if "=" not in text or all(line.is_genuine for line in found):
        return found
    decoded = quopri.decodestring(text.encode("utf-8", "surrogatepass")).decode("utf-8", "replace")
    again = _read(_joined(decoded), key)
    return max(found, again, key=lambda lines: sum(line.is_genuine for line in lines))


def _joined(text: str) -> str:
    """A text as one line, without the signs of quoted mail and invisible ones."""
    text = _BARRED.sub(lambda rows: _BAR.sub("", rows[0]), text)
    return " ".join(_visible(_QUOTED.sub("", text)).split())


def _visible(text: str) -> str:
    """A text without signs that show nothing; ends of lines stay."""
    if text.isascii():
        return text
    return "".join(c for c in text if c.isspace() or unicodedata.category(c) not in _INVISIBLE)


def _read(joined: str, key: Key) -> list[ResultLine]:
    starts = [found.start() for found in _START.finditer(joined)]
    found: list[ResultLine] = []
    seen: dict[str, int] = {}
    for number, (start, end) in enumerate(pairwise([*starts, len(joined)][: MOST + 1]), 1):
        fields = joined[start:end].split("|", FIELDS - 1)
        match = _SIGNATURE.match(fields[-1].lstrip()) if len(fields) == FIELDS else None
        result = _result([part.strip() for part in fields]) if match else None
        if match is None or result is None:
            found.append(ResultLine(None, is_genuine=False))
            continue
        signature = "".join(match[0].split())
        genuine = key.is_genuine(RESULT, signed(result.text()), signature)
        found.append(ResultLine(result, genuine, seen.get(signature, 0)))
        seen.setdefault(signature, number)
    return found


def _result(fields: list[str]) -> StudentResult | None:
    """The result of the fields of a line, None if one cannot be read."""
    _, name, digest, title, *counts, kinds, _ = fields
    digest = "".join(digest.split())
    match = _COUNTS.fullmatch("".join("|".join(counts).split()))
    if match is None or not _DIGEST.fullmatch(digest) or not 0 < len(name) <= 2 * LONGEST_NAME:
        return None
    right, asked, first, hints, shown, seconds = map(int, match.groups()[:6])
    when = f"{match[7]} {match[8]}"
    return StudentResult(
        name, digest, title, right, asked, first, hints, shown, seconds, when, kinds
    )
