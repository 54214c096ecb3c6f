"""The methods of list, tuple, range and deque: CPython's own, counted."""

from __future__ import annotations

from collections import deque
from typing import Any

from .classes import native_kind
from .contract import Kind, Machine, Method
from .weights import attribute, listed, natively, weigh, whole


def _shift(items: Any, *args: Any) -> int:
    """Cost of moving the items behind a place."""
    return 1 + (len(items) >> 6)


def _all(items: Any, *args: Any) -> int:
    return 1 + len(items)


def _append(m: Machine, items: list[Any], *args: Any) -> None:
    m.spend(1)
    list.append(items, *args)


def _pop(m: Machine, items: list[Any], *args: Any) -> Any:
    m.spend(1 if not args else 1 + (len(items) >> 6))
    return list.pop(items, *args)


def _extend(name: str) -> Method:
    def extend(m: Machine, items: Any, *args: Any) -> None:
        method = getattr(native_kind(items), name)
        method(items, listed(m, args[0])) if len(args) == 1 else method(items, *args)

    return extend


def _comparing(name: str) -> Method:
    """index, count, remove: a comparison with each item."""

    def compare(m: Machine, items: Any, *args: Any) -> Any:
        m.spend(1 + len(items))
        if args:
            weigh(m, args[0])
            _weigh_items(m, items)
        return getattr(native_kind(items), name)(items, *args)

    return compare


def _weigh_items(m: Machine, items: Any) -> int:
    """Charge a comparison of each item with another thing; returns the charge."""
    if isinstance(items, range):
        return 0
    return sum(weigh(m, item) for item in items if type(item) is not float)


def _sort(m: Machine, items: list[Any], *args: Any, **kwargs: Any) -> None:
    key = kwargs.pop("key", None)
    rounds = len(items).bit_length()
    m.spend(1 + len(items) * (1 + rounds) // 2)
    if key is None:
        m.spend(_weigh_items(m, items) * rounds)
        list.sort(items, *args, **kwargs)
    else:
        list.sort(items, *args, key=weighed_key(m, key, rounds), **kwargs)


def weighed_key(m: Machine, key: Any, rounds: int) -> Any:
    """The function `key` of a sort, whose results are compared `rounds` times each."""
    function = m.callable(key)

    def weighed(item: Any) -> Any:
        m.spend(1)
        result = function(item)
        if charge := weigh(m, result):
            m.spend(charge * rounds)
        return result

    return weighed


def _rotate(m: Machine, items: deque[Any], *args: Any) -> None:
    steps = abs(whole(args[0])) if args else 1
    m.spend(1 + min(steps, len(items)))
    items.rotate(*args)


_COMPARING: dict[str, Method] = {name: _comparing(name) for name in ("index", "count")}
_CHANGING: dict[str, Method] = {
    "remove": _comparing("remove"), "insert": natively(list.insert, _shift),
    "reverse": natively(list.reverse, _shift), "clear": natively(list.clear),
    "copy": natively(list.copy, _all),
}  # fmt: skip

LIST = Kind(
    list,
    "a list",
    methods={
        "append": _append, "extend": _extend("extend"), "pop": _pop, "sort": _sort,
        **_CHANGING, **_COMPARING,
    },
)  # fmt: skip
TUPLE = Kind(tuple, "a tuple", methods=_COMPARING)
RANGE = Kind(
    range,
    "a range",
    {name: attribute(name) for name in ("start", "stop", "step")},
    _COMPARING,
)
DEQUE = Kind(
    deque,
    "a deque",
    {"maxlen": attribute("maxlen")},
    {
        **{
            name: natively(getattr(deque, name))
            for name in ("append", "appendleft", "pop", "popleft", "clear")
        },
        **{name: _comparing(name) for name in ("index", "count", "remove")},
        **{name: natively(getattr(deque, name), _all) for name in ("copy", "reverse", "insert")},
        "extend": _extend("extend"),
        "extendleft": _extend("extendleft"),
        "rotate": _rotate,
    },
)
