"""The catalogue of broken autograd classes in tests/data/bugs: right programs, and edits of them.

A folder holds programs of one style of writing and `bugs.toml`, whose keys `class`, `data` and
`grad` name the class and its attributes; a program may have its own. Tables of the file:

- `[[right]]`: `file`; `check`, expressions whose gradients count; `outputs`, expressions whose sum
  is differentiated; `since`, the line before which the last pass starts (of a program that updates
  its leaves between passes).
- `[[bug]]`: `name`, `base` (a file), `edits` ([old, new], each old text there once), `kind`,
  `also` (another kind that is as true, of a mistake that has two sides),
  `line` (the blamed line, stripped, as it is after the edits; `nth` if it is there several times),
  `cause` (a line that may be blamed instead: a table's or a call's, where the factor of the blamed
  write comes from),
  `node` with the gradients `written` and `due` at the end of the run, `fix` (the right text of the
  line), `raises` (the exception that ends the program), `elsewhere` (one more edit, with which a
  bug shows that these numbers hide).

`pairs.toml` names pairs of bugs of one base, written style/name.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from tests.support.places import DATA

FOLDER = DATA / "bugs"


@dataclass(frozen=True)
class Right:
    """A program whose gradients are all right, and the names by which it says so."""

    style: str
    file: str
    text: str
    class_name: str
    data: str
    grad: str
    check: tuple[str, ...]
    outputs: tuple[str, ...]
    since: str | None

    @property
    def name(self) -> str:
        return f"{self.style}/{self.file.removesuffix('.py')}"


@dataclass(frozen=True)
class Bug:
    """A right program with one mistake in it, and the verdict that is due."""

    style: str
    short: str
    base: Right
    edits: tuple[tuple[str, str], ...]
    kind: str
    also: str | None
    blamed: str
    nth: int | None
    cause: str | None
    node: str | None
    written: float | None
    due: float | None
    fix: str | None
    raises: str | None
    elsewhere: tuple[str, str] | None

    @property
    def name(self) -> str:
        return f"{self.style}/{self.short}"

    @property
    def text(self) -> str:
        """The broken program."""
        return edited(self.base.text, self.edits)

    @property
    def line(self) -> int:
        """The blamed line, counted from 1."""
        return self.line_in(self.text)

    def line_in(self, text: str) -> int:
        """The blamed line in a text with this mistake and perhaps another one."""
        at = _lines(text, self.blamed)
        if len(at) < (self.nth or 1) or (len(at) > 1 and self.nth is None):
            raise ValueError(f"{self.name}: {self.blamed!r} stands in {len(at)} lines")
        return at[(self.nth or 1) - 1]

    @property
    def kinds(self) -> frozenset[str]:
        """All kinds that are true of it."""
        return frozenset({self.kind, self.also or self.kind})

    @property
    def lines(self) -> frozenset[int]:
        """All lines that may be blamed."""
        return frozenset({self.line, *_lines(self.text, self.cause or "\n")})


@dataclass(frozen=True)
class Pair:
    """Two mistakes in one program: `first` is to be named, and `second` once that is fixed."""

    first: Bug
    second: Bug

    @property
    def name(self) -> str:
        return f"{self.first.name}+{self.second.short}"

    @property
    def text(self) -> str:
        """The program with both mistakes."""
        return edited(self.first.base.text, (*self.first.edits, *self.second.edits))

    @property
    def line(self) -> int:
        """The line blamed for the first mistake."""
        return self.first.line_in(self.text)


def _lines(text: str, stripped: str) -> list[int]:
    """The numbers of the lines that are this text, apart from indentation."""
    return [n for n, line in enumerate(text.split("\n"), 1) if line.strip() == stripped]


def edited(text: str, edits: Iterable[tuple[str, str]]) -> str:
    """The text after the edits. Raises ValueError for an old text that is not there just once."""
    for old, new in edits:
        if text.count(old) != 1:
            raise ValueError(f"{old!r} stands {text.count(old)} times in the program")
        text = text.replace(old, new)
    return text


@cache
def right_programs() -> tuple[Right, ...]:
    """All right programs, by style."""
    return tuple(
        _right(style, table, entry)
        for style, table in _tables().items()
        for entry in table.get("right", ())
    )


@cache
def bugs() -> tuple[Bug, ...]:
    """All bugs, by style."""
    bases = {(right.style, right.file): right for right in right_programs()}
    return tuple(
        _bug(style, bases[style, entry["base"]], entry)
        for style, table in _tables().items()
        for entry in table.get("bug", ())
    )


@cache
def pairs() -> tuple[Pair, ...]:
    """All pairs."""
    file = FOLDER / "pairs.toml"
    found = {bug.name: bug for bug in bugs()}
    entries = tomllib.loads(file.read_text("utf-8"))["pair"]
    return tuple(Pair(found[entry["first"]], found[entry["second"]]) for entry in entries)


@cache
def _tables() -> dict[str, Any]:
    files = sorted(FOLDER.glob("*/bugs.toml"))
    return {file.parent.name: tomllib.loads(file.read_text("utf-8")) for file in files}


def _right(style: str, table: Mapping[str, Any], entry: Mapping[str, Any]) -> Right:
    def of(key: str) -> str:
        value: str = entry.get(key, table.get(key))
        return value

    return Right(
        style,
        entry["file"],
        (FOLDER / style / entry["file"]).read_text("utf-8"),
        of("class"),
        of("data"),
        of("grad"),
        tuple(entry["check"]),
        tuple(entry["outputs"]),
        entry.get("since"),
    )


def _bug(style: str, base: Right, entry: Mapping[str, Any]) -> Bug:
    elsewhere = entry.get("elsewhere")
    return Bug(
        style,
        entry["name"],
        base,
        tuple((old, new) for old, new in entry["edits"]),
        entry["kind"],
        entry.get("also"),
        entry["line"],
        entry.get("nth"),
        entry.get("cause"),
        entry.get("node"),
        entry.get("written"),
        entry.get("due"),
        entry.get("fix"),
        entry.get("raises"),
        tuple(elsewhere) if elsewhere else None,
    )
