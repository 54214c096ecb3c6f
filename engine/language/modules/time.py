"""The module `time`: a clock that starts at 0 and goes on by a thousandth of a second a reading."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.language.builtin_iteration import bound
from engine.language.contract import Machine

_TICK = 0.001
_SECONDS = ("time", "perf_counter", "monotonic", "process_time", "thread_time")
_DATES = ("strftime", "ctime", "localtime", "gmtime", "asctime", "mktime", "strptime")
_NOTE = "Clocks are not real here: every run of a program gives the same numbers."


def names(m: Machine) -> dict[str, Any]:
    """The names of the module `time`."""
    table: dict[str, Any] = {name: _clock(m, name, 1) for name in _SECONDS}
    table |= {f"{name}_ns": _clock(m, f"{name}_ns", 10**9) for name in _SECONDS}
    table |= {name: bound(m, _date, name) for name in _DATES}
    return table | {"sleep": bound(m, _sleep, "sleep")}


def _clock(m: Machine, name: str, unit: int) -> Callable[[], Any]:
    def read() -> Any:
        m.spend(1)
        m.note(_NOTE)
        seconds = m.natives.clock
        m.natives.clock = round(seconds + _TICK, 3)
        return seconds if unit == 1 else round(seconds * unit)

    read.__name__ = read.__qualname__ = name
    return read


def _sleep(m: Machine, seconds: Any, /) -> None:
    m.spend(1)
    if isinstance(seconds, int | float):
        m.natives.clock = round(m.natives.clock + min(max(seconds, 0), 1e6), 3)


def _date(m: Machine, *args: Any, **kwargs: Any) -> Any:
    m.refuse("There is no date here: a run of a program gives the same every day.", "Remove it.")
