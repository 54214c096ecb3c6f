"""Dates and spans of time. Every run begins with the year 2024 and goes on with its clock."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime, timedelta
from typing import Any

from .contract import Kind, Machine, Method
from .plain import plain

_START = datetime(2024, 1, 1)  # noqa: DTZ001 -- programs compare it with dates without a zone
_TICK = 0.001
_LONGEST_FORMAT = 100  # characters; C takes up to 256 times as many to write a date
_NOTE = "Clocks are not real here: every run of a program gives the same numbers."


def _now(m: Machine, tz: Any = None) -> datetime:
    m.spend(1)
    m.note(_NOTE)
    m.natives.clock = round(m.natives.clock + _TICK, 3)
    return _START + timedelta(seconds=m.natives.clock)


def _made(kind: Any) -> Callable[..., Any]:
    def construct(m: Machine, *args: Any, **keywords: Any) -> Any:
        m.spend(4)
        return kind(*map(plain, args), **{name: plain(x) for name, x in keywords.items()})

    return construct


def _written(m: Machine, x: Any, pattern: Any) -> str:
    if isinstance(pattern, str) and len(pattern) > _LONGEST_FORMAT:
        m.refuse("This format of a date is too long.", "Make it shorter.")
    m.spend(20)
    text: str = x.strftime(pattern)
    return text


def _plainly(name: str) -> Method:
    def call(m: Machine, x: Any, *args: Any, **keywords: Any) -> Any:
        m.spend(4)
        return getattr(x, name)(*args, **keywords)

    return call


def _read(name: str) -> Callable[[Machine, Any], Any]:
    return lambda m, x: getattr(x, name)


_OF_DAYS = ("year", "month", "day")
_OF_HOURS = ("hour", "minute", "second", "microsecond")
_METHODS = {
    "strftime": _written,
    **{name: _plainly(name) for name in ("isoformat", "weekday", "isoweekday", "replace")},
}
DATES = (
    Kind(
        datetime,
        "a date with a time",
        {name: _read(name) for name in (*_OF_DAYS, *_OF_HOURS)},
        {**_METHODS, "date": _plainly("date")},
    ),
    Kind(date, "a date", {name: _read(name) for name in _OF_DAYS}, _METHODS),
    Kind(
        timedelta,
        "a span of time",
        {name: _read(name) for name in ("days", "seconds", "microseconds")},
        {"total_seconds": _plainly("total_seconds")},
    ),
)
OF_DATES: dict[type, dict[str, Callable[..., Any]]] = {
    datetime: {"now": _now, "today": _now, "utcnow": _now},
    date: {"today": lambda m: _now(m).date()},
}
"""Functions that belong to a type itself."""
CONSTRUCTORS_OF_DATES: dict[type, Callable[..., Any]] = {
    kind: _made(kind) for kind in (datetime, date, timedelta)
}


def names(m: Machine) -> dict[str, Any]:
    """The names of the module `datetime`."""
    return {"datetime": datetime, "date": date, "timedelta": timedelta}
