"""What a record is checked by while it is read: it may come from a place that nobody trusts."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Any, TypeVar

T = TypeVar("T")

TEXT = 200
"""Letters of names and titles."""
MESSAGE = 20_000
"""Letters of sentences."""
TIMES = 1 << 53
"""Bound of whole numbers."""
SPECIAL = {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}
_LARGE = re.compile(r"-?0x[0-9a-f]{1,1025}", re.ASCII)


class BadRecord(ValueError):
    """A text that is no record of a run of the program."""


def bad(what: str) -> BadRecord:
    return BadRecord(f"no record: {what}")


def whole(x: Any, low: int = 0, high: int = TIMES) -> int:
    """A whole number from `low` up to, and without, `high`."""
    if type(x) is not int or not low <= x < high:
        raise bad("a whole number")
    return x


def real(x: Any) -> float:
    """A number; whole ones stay whole."""
    if type(x) is float or (type(x) is int and -TIMES < x < TIMES):
        return x
    if type(x) is str:
        if x in SPECIAL:
            return SPECIAL[x]
        if _LARGE.fullmatch(x):
            return int(x, 16)
    raise bad("a number")


def reals(xs: Any, length: int | None = None) -> list[float]:
    return list(map(real, rows(xs, length)))


def text(x: Any, most: int = TEXT) -> str:
    if type(x) is not str or len(x) > most:
        raise bad("a text")
    return x


def truth(x: Any) -> bool:
    if x is not True and x is not False:
        raise bad("a truth value")
    return x is True


def rows(x: Any, length: int | None = None) -> list[Any]:
    """A list, of this length if it is given."""
    if type(x) is not list or (length is not None and len(x) != length):
        raise bad("a list")
    return x


def members(x: Any, *names: str) -> list[Any]:
    """The members of an object by their names."""
    if type(x) is not dict or not x.keys() >= set(names):
        raise bad(f"an object with {names[0]}")
    return [x[name] for name in names]


def of(table: Sequence[T], at: Any) -> T:
    """The entry of a table with this index."""
    if type(at) is not int or not 0 <= at < len(table):
        raise bad("an index")
    return table[at]


def of_or_none(table: Sequence[T], at: Any) -> T | None:
    """As `of`; None for -1."""
    return None if at == -1 and type(at) is int else of(table, at)


def rising(xs: Any, high: int = TIMES) -> list[int]:
    """Whole numbers, each larger than the one before."""
    last = -1
    for x in rows(xs):
        last = whole(x, last + 1, high)
    return xs  # type: ignore[no-any-return]
