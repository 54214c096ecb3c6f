"""The module `statistics`: CPython's functions of plain numbers, items counted."""

from __future__ import annotations

import statistics
from collections.abc import Callable
from itertools import chain
from typing import Any

from engine.language.builtin_iteration import bound
from engine.language.contract import Machine
from engine.language.plain import plain
from engine.language.weights import check_keys, listed, weigh, whole
from engine.value import Value

_OF_ONE = (
    "mean", "fmean", "geometric_mean", "harmonic_mean", "median", "median_low", "median_high",
    "median_grouped", "mode", "multimode", "stdev", "pstdev", "variance", "pvariance",
)  # fmt: skip
_OF_TWO = ("correlation", "covariance", "linear_regression")
_COST = 8
"""Operations an item: sums are exact, over fractions."""


def names(m: Machine) -> dict[str, Any]:
    """The names of the module `statistics`."""
    table = {name: _counted(m, name) for name in (*_OF_ONE, *_OF_TWO)}
    table["quantiles"] = bound(m, _quantiles, "quantiles")
    return {**table, "StatisticsError": statistics.StatisticsError}


def _counted(m: Machine, name: str) -> Callable[..., Any]:
    native: Callable[..., Any] = getattr(statistics, name)
    columns = 2 if name in _OF_TWO else 1

    def call(*args: Any, **kwargs: Any) -> Any:
        lists = [listed(m, arg) for arg in args[:columns]]
        given = [_checked(m, items) for items in lists]
        kwargs = {
            key: _numbers(m, x)
            if key in ("data", "weights", "x", "y") and x is not None
            else plain(x)
            for key, x in kwargs.items()
        }
        found = native(*given, *map(plain, args[columns:]), **kwargs)
        return m.own.connected(found, chain(*lists))

    call.__name__ = call.__qualname__ = name
    return call


def _numbers(m: Machine, iterable: Any) -> list[Any]:
    return _checked(m, listed(m, iterable))


def _checked(m: Machine, given: list[Any]) -> list[Any]:
    """The items as plain numbers, charged for exact sums."""
    items = [plain(item) for item in given]
    m.spend(_COST * len(items))
    check_keys(m, items)
    for item in items:
        if isinstance(item, Value):
            m.refuse("statistics works on plain numbers here.", "Pass [v.data for v in xs].")
        weigh(m, item)
    return items


def _quantiles(m: Machine, data: Any, *, n: Any = 4, method: Any = "exclusive") -> list[Any]:
    n = whole(n)
    m.spend(max(n, 0))
    return statistics.quantiles(_numbers(m, data), n=n, method=method)
