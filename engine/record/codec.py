"""How values of a record are written as JSON and read again: a `RecordColumn` does both.

What is read may come from a place that nobody trusts: every type, reference and size is checked,
and what does not fit is a `BadRecord`. Columns are lists: the checks of a long one run in C.
"""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Callable, Container, Iterator, Sequence
from itertools import chain, islice, pairwise
from typing import Any, NamedTuple

from engine.real import as_float

TEXT_LENGTH = 200
"""Letters of names and titles."""
MESSAGE_LENGTH = 20_000
"""Letters of sentences."""
TIMES = 1 << 53
"""Bound of whole numbers, all of which JSON tells exactly."""
LONGEST = 1 << 12
"""Bits of a whole number; a longer one is as good as infinite."""
SPECIAL = {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}
_LARGE = re.compile(r"-?0x[0-9a-f]{1,1025}", re.ASCII)


class BadRecord(ValueError):
    """A text that is no record of a run of the program."""


def bad(what: str) -> BadRecord:
    return BadRecord(f"no record: {what}")


def rows(x: Any, length: int | None = None) -> list[Any]:
    """A list, of this length if it is given."""
    if type(x) is not list or (length is not None and len(x) != length):
        raise bad("a list")
    return x


# Numbers


def safe(x: Any) -> float | str:
    """A number as JSON has it, exactly: nan, infinities and large ints are texts."""
    if type(x) is float or isinstance(x, float):
        x = float(x)
        return x if x - x == 0 else repr(x)
    whole = int(x)
    if -TIMES < whole < TIMES:
        return whole
    return hex(whole) if whole.bit_length() <= LONGEST else repr(as_float(whole))


def real(x: Any) -> float:
    """A number that `safe` has written; whole ones stay whole."""
    if type(x) is float or (type(x) is int and -TIMES < x < TIMES):
        return x
    if type(x) is str:
        if x in SPECIAL:
            return SPECIAL[x]
        if _LARGE.fullmatch(x):
            return int(x, 16)
    raise bad("a number")


# Columns

Write = Callable[[Any, Sequence[Any]], list[Any]]
"""JSON values of values, by the tables of what is written."""
Read = Callable[[Any, Any], list[Any]]
"""The values, by the tables of what has been read. Raises BadRecord."""


class RecordColumn(NamedTuple):
    """Values of one kind."""

    write: Write
    read: Read


def _as_they_are(_: Any, xs: Sequence[Any]) -> list[Any]:
    return list(xs)


def _are(xs: Sequence[Any], *kinds: type) -> bool:
    return set(map(type, xs)) <= set(kinds)


def checked(
    what: str, fits: Callable[[list[Any]], bool], write: Write = _as_they_are
) -> RecordColumn:
    """Values that JSON has, all of which must fit."""

    def read(_: Any, xs: Any) -> list[Any]:
        if not fits(rows(xs)):
            raise bad(what)
        return xs  # type: ignore[no-any-return]

    return RecordColumn(write, read)


def texts(most: int = TEXT_LENGTH) -> RecordColumn:
    return checked("a text", lambda xs: _are(xs, str) and max(map(len, xs), default=0) <= most)


def wholes(low: int = 0, high: int = TIMES) -> RecordColumn:
    """Whole numbers from `low` up to, and without, `high`."""
    return checked("a whole number", lambda xs: is_within(xs, low, high))


def is_within(xs: Sequence[Any], low: int, high: int) -> bool:
    return not xs or (_are(xs, int) and low <= min(xs) and max(xs) < high)


def _write_reals(_: Any, xs: Sequence[Any]) -> list[Any]:
    if _are(xs, float) and math.isfinite(sum(xs)):
        return list(xs)
    return list(map(safe, xs))


def one_of(known: Container[str]) -> RecordColumn:
    return checked("a known word", lambda xs: _are(xs, str) and all(x in known for x in xs))


def _is_rising(xs: list[Any]) -> bool:
    return is_within(xs, 0, TIMES) and all(a < b for a, b in pairwise(xs))


def _are_flags(xs: list[Any]) -> bool:
    """Whether these are truth values by their names."""
    if not _are(xs, dict):
        return False
    names = [name for x in xs for name in x]
    is_short = max(map(len, names), default=0) <= TEXT_LENGTH
    return is_short and all(_are([*x.values()], bool) for x in xs)


TEXT, MESSAGE, WHOLE = texts(), texts(MESSAGE_LENGTH), wholes()
REAL = RecordColumn(
    _write_reals, lambda _, xs: xs if _are(rows(xs), float) else list(map(real, xs))
)
FINITE = checked(
    "a finite number", lambda xs: _are(xs, int, float) and all(-TIMES < x < TIMES for x in xs)
)
TRUTH = checked("a truth value", lambda xs: _are(xs, bool))
RISING = checked("rising places", _is_rising)
FLAGS = checked("flags", _are_flags)


def references(table: str, write: str = "", *, optional: bool = False) -> RecordColumn:
    """Indices into a table, which `write` gives, or which are written; if `optional` -1 is None."""

    def read(known: Any, xs: Any) -> list[Any]:
        found = getattr(known, table)
        if not is_within(rows(xs), -1 if optional else 0, len(found)):
            raise bad("an index")
        if optional:
            return [found[at] if at >= 0 else None for at in xs]
        return list(map(found.__getitem__, xs))

    return RecordColumn(lambda out, xs: list(map(getattr(out, write), xs) if write else xs), read)


def optional(column: RecordColumn) -> RecordColumn:
    """Values that may be None; `column` writes each of its values by itself."""

    def but_none(each: Callable[[Any, Any], list[Any]], tables: Any, xs: Any) -> list[Any]:
        found = iter(each(tables, [x for x in xs if x is not None]))
        return [None if x is None else next(found) for x in xs]

    return RecordColumn(
        lambda out, xs: but_none(column.write, out, xs),
        lambda known, xs: but_none(column.read, known, rows(xs)),
    )


def listed(column: RecordColumn, kind: Callable[[Any], Any] = list) -> RecordColumn:
    """Lists of values, or another `kind` of sequence: their lengths, and all values in a row."""

    def write(out: Any, xs: Sequence[Any]) -> list[Any]:
        return [list(map(len, xs)), column.write(out, list(chain.from_iterable(xs)))]

    def read(known: Any, found: Any) -> list[Any]:
        lengths, values = rows(found, 2)
        flat = column.read(known, values)
        if sum(WHOLE.read(known, lengths)) != len(flat):
            raise bad("lists of these lengths")
        each = iter(flat)
        return [kind(islice(each, length)) for length in lengths]

    return RecordColumn(write, read)


def records(
    make: Callable[..., Any], *columns: RecordColumn, take: Callable[[Any], Any] | None = None
) -> RecordColumn:
    """Things that `make` makes of a value of each column; `take` takes them of one, if no tuple."""

    def write(out: Any, xs: Sequence[Any]) -> list[Any]:
        if not xs:
            return []
        cells = zip(*(xs if take is None else map(take, xs)), strict=True)
        each = zip(columns, cells, strict=True)
        return [column.write(out, values) for column, values in each]

    def read(known: Any, found: Any) -> list[Any]:
        if not rows(found):
            return []
        each = zip(columns, rows(found, len(columns)), strict=True)
        cells = [column.read(known, values) for column, values in each]
        if len(set(map(len, cells))) > 1:
            raise bad("as many of each field")
        return list(map(make, *cells))

    return RecordColumn(write, read)


def is_function(node: Any) -> bool:
    return node is None or isinstance(node, ast.FunctionDef | ast.Lambda)


def functions(places: RecordColumn) -> RecordColumn:
    """Places that define a function."""

    def read(known: Any, xs: Any) -> list[Any]:
        found = places.read(known, xs)
        if not all(map(is_function, found)):
            raise bad("a function")
        return found

    return RecordColumn(places.write, read)


class RecordMembers:
    """The members of an object by their names, each a column."""

    def __init__(self, **columns: RecordColumn) -> None:
        self.columns = columns

    def write(self, out: Any, **values: Any) -> dict[str, Any]:
        return {name: column.write(out, values[name]) for name, column in self.columns.items()}

    def read(self, known: Any, found: Any) -> Iterator[Any]:
        """What each member is, in their order."""
        if type(found) is not dict or not found.keys() >= self.columns.keys():
            raise bad(f"an object with {next(iter(self.columns))}")
        return (column.read(known, found[name]) for name, column in self.columns.items())


def single(column: RecordColumn) -> RecordColumn:
    """A single value as a member."""
    read: Any = lambda known, x: column.read(known, [x])[0]  # noqa: E731
    write: Any = lambda out, x: column.write(out, [x])[0]  # noqa: E731
    return RecordColumn(write, read)
