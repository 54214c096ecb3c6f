"""The module `statistics`: CPython's functions, whose results are connected with their data."""

from __future__ import annotations

import statistics
from collections.abc import Callable
from typing import Any

from engine.record.follow import plain

from .contract import Machine

_OF_ONE = (
    "mean", "fmean", "geometric_mean", "harmonic_mean", "median", "median_low", "median_high",
    "median_grouped", "mode", "stdev", "pstdev", "variance", "pvariance",
)  # fmt: skip


def names(m: Machine) -> dict[str, Any]:
    """The names of the module `statistics`."""
    table = {k: v for k, v in vars(statistics).items() if not k.startswith("_")}
    return {**table, **{name: _connected(m, name) for name in _OF_ONE}}


def _connected(m: Machine, name: str) -> Callable[..., Any]:
    native: Callable[..., Any] = getattr(statistics, name)

    def call(data: Any, *args: Any, **kwargs: Any) -> Any:
        items = list(data)
        found = native(list(map(plain, items)), *map(plain, args), **kwargs)
        return m.own.connected(found, items)

    call.__name__ = call.__qualname__ = name
    return call
