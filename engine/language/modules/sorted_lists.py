"""The modules `heapq` and `bisect`: CPython's own on lists of the program, comparisons counted."""

from __future__ import annotations

import bisect
import heapq
from collections.abc import Callable
from typing import Any

from engine.language.builtin_iteration import bound, sorted_
from engine.language.contract import Machine
from engine.language.weights import listed, weigh, whole


def heapq_names(m: Machine) -> dict[str, Any]:
    """The names of the module `heapq`."""
    table = {
        name: _on_heap(m, name) for name in ("heappush", "heappop", "heapreplace", "heappushpop")
    }
    table["heapify"] = bound(m, _heapify, "heapify")
    table["merge"] = bound(
        m, lambda m, *given: iter(sorted_(m, [x for xs in given for x in m.items(xs)])), "merge"
    )
    return table | {"nlargest": _first(m, reverse=True), "nsmallest": _first(m, reverse=False)}


def _on_heap(m: Machine, name: str) -> Callable[..., Any]:
    native: Callable[..., Any] = getattr(heapq, name)

    def call(*args: Any) -> Any:
        rounds = len(args[0]).bit_length() if args and isinstance(args[0], list) else 0
        m.spend(1 + rounds)
        weight = max([weigh(m, item) for item in (*args[1:], *args[0][:1])] if rounds else [0])
        m.spend(weight * rounds)
        return native(*args)

    call.__name__ = call.__qualname__ = name
    return call


def _heapify(m: Machine, x: Any, /) -> None:
    weigh(m, x)
    heapq.heapify(x)


def _first(m: Machine, *, reverse: bool) -> Callable[..., list[Any]]:
    def call(n: Any, iterable: Any, key: Any = None) -> list[Any]:
        return sorted_(m, iterable, key=key, reverse=reverse)[: max(whole(n), 0)]

    return call


def bisect_names(m: Machine) -> dict[str, Any]:
    """The names of the module `bisect`."""
    names = ("bisect", "bisect_left", "bisect_right", "insort", "insort_left", "insort_right")
    return {name: _search(m, name) for name in names}


def _search(m: Machine, name: str) -> Callable[..., Any]:
    native: Callable[..., Any] = getattr(bisect, name)

    def call(a: Any, x: Any, *args: Any, key: Any = None) -> Any:
        if not isinstance(a, list | tuple):
            a = listed(m, a)
        m.spend(1 + len(a).bit_length() + (len(a) >> 6))
        m.spend(weigh(m, x) * len(a).bit_length())
        return native(a, x, *args, key=None if key is None else m.callable(key))

    call.__name__ = call.__qualname__ = name
    return call
