"""The methods of dict and its relatives, and of sets: CPython's own, keys and items counted."""

from __future__ import annotations

from collections import Counter, OrderedDict, defaultdict
from typing import Any

from .classes import ProgramType
from .contract import Kind, Machine, Method
from .methods_of_lists import weighed_key
from .weights import check_key, check_keys, gaps, listed, natively


def _keyed(method: Any, cost: int = 1) -> Method:
    """A method whose first argument is a key."""

    def call(m: Machine, table: Any, *args: Any, **kwargs: Any) -> Any:
        m.spend(cost)
        if args:
            check_key(m, args[0], len(table))
        return method(table, *args, **kwargs)

    return call


def _all(table: Any, *args: Any) -> int:
    return 1 + 2 * len(table) + gaps(table)


def pairs_of(m: Machine, given: Any, size: int = 0) -> Any:
    """A dict or a list of pairs from what `dict(…)` and `update` take, charged."""
    if isinstance(given, dict) and _is_read_as_dict(type(given)):
        m.spend(2 * len(given) + gaps(given))
        check_keys(m, given, size)
        return given
    if isinstance(given, list | tuple | str) or not _is_mapping(given):
        return _pairs(m, given, size)
    get = type(given).__getitem__
    keys = listed(m, type(given).keys(given))
    check_keys(m, keys, size)
    return [(key, get(given, key)) for key in keys]


def _is_read_as_dict(kind: type) -> bool:
    """Whether a program's class has the keys and items of its dict."""
    names = ("__iter__", "keys", "items", "values", "__getitem__")
    own = [vars(base) for base in kind.__mro__ if isinstance(base, ProgramType)]
    return not any(name in members for members in own for name in names)


def _is_mapping(given: Any) -> bool:
    return hasattr(type(given), "keys") and hasattr(type(given), "__getitem__")


def _pairs(m: Machine, given: Any, size: int) -> list[Any]:
    pairs = [_pair(m, item, number) for number, item in enumerate(m.items(given))]
    m.spend(len(pairs))
    check_keys(m, (pair[0] for pair in pairs if len(pair)), size)
    return pairs


def _pair(m: Machine, item: Any, number: int) -> Any:
    """A pair, or another iterable of two as a list."""
    if isinstance(item, str | tuple | list):
        return item
    if not hasattr(type(item), "__iter__"):
        message = f"cannot convert dictionary update sequence element #{number} to a sequence"
        raise TypeError(message)
    return listed(m, item)


def _update(m: Machine, table: dict[Any, Any], *args: Any, **kwargs: Any) -> None:
    m.spend(1 + 2 * len(kwargs))
    given = [pairs_of(m, arg, len(table)) for arg in args[:1]]
    dict.update(table, *given, *args[1:], **kwargs)


def from_keys(m: Machine, *args: Any) -> dict[Any, Any]:
    """`dict.fromkeys`."""
    if not args:
        return dict.fromkeys()  # type: ignore[call-overload,no-any-return]
    keys = listed(m, args[0])
    m.spend(len(keys))
    check_keys(m, keys)
    return dict.fromkeys(keys, *args[1:])


_DICT: dict[str, Method] = {
    "get": _keyed(dict.get), "pop": _keyed(dict.pop), "setdefault": _keyed(dict.setdefault, 2),
    "popitem": natively(dict.popitem), "keys": natively(dict.keys), "values": natively(dict.values),
    "items": natively(dict.items), "copy": natively(dict.copy, _all),
    "clear": natively(dict.clear), "update": _update,
    "fromkeys": lambda m, table, *args: from_keys(m, *args),
}  # fmt: skip
DICT = Kind(dict, "a dict", methods=_DICT)
VIEWS = Kind((type({}.keys()), type({}.values()), type({}.items())), "a view of a dict")

DEFAULT_DICT = Kind(
    defaultdict,
    "a defaultdict",
    {"default_factory": lambda m, table: table.default_factory},
    {**_DICT, "copy": natively(defaultdict.copy, _all)},
)


def _ordered_update(m: Machine, table: OrderedDict[Any, Any], *args: Any, **kwargs: Any) -> None:
    m.spend(1 + 2 * len(kwargs))
    given = [pairs_of(m, arg, len(table)) for arg in args[:1]]
    OrderedDict.update(table, *given, *args[1:], **kwargs)


ORDERED_DICT = Kind(
    OrderedDict,
    "an OrderedDict",
    methods={
        **_DICT,
        "copy": natively(OrderedDict.copy, _all),
        "popitem": natively(OrderedDict.popitem),
        "pop": _keyed(OrderedDict.pop),
        "setdefault": _keyed(OrderedDict.setdefault, 2),
        "clear": natively(OrderedDict.clear),
        "move_to_end": _keyed(OrderedDict.move_to_end),
        "keys": natively(OrderedDict.keys),
        "values": natively(OrderedDict.values),
        "items": natively(OrderedDict.items),
        "update": _ordered_update,
    },
)


# Counter


def counted(m: Machine, given: Any, size: int = 0) -> Any:
    """What a Counter counts: a dict of counts as it is, or a list of things."""
    if isinstance(given, dict) or given is None:
        return pairs_of(m, given or {}, size)
    things = listed(m, given)
    m.spend(2 * len(things))
    check_keys(m, things, size)
    return things


def _count(name: str) -> Method:
    def count(m: Machine, table: Counter[Any], *args: Any, **kwargs: Any) -> None:
        m.spend(1 + 2 * len(kwargs))
        given = [counted(m, arg, len(table)) for arg in args[:1]]
        getattr(Counter, name)(table, *given, *args[1:], **kwargs)

    return count


def _most_common(m: Machine, table: Counter[Any], n: Any = None) -> list[tuple[Any, Any]]:
    """Items by falling count; in the order of their first appearance where counts are equal."""
    size = len(table)
    m.spend(1 + size * (3 + size.bit_length() // 2))
    by_count = weighed_key(m, lambda pair: pair[1], 1)
    ordered = sorted(table.items(), key=by_count, reverse=True)
    return ordered if n is None else ordered[: max(n, 0)]


def _elements(m: Machine, table: Counter[Any]) -> Any:
    return iter(table.elements())


COUNTER = Kind(
    Counter,
    "a Counter",
    methods={
        **{name: method for name, method in _DICT.items() if name != "fromkeys"},
        "most_common": _most_common, "elements": _elements, "update": _count("update"),
        "subtract": _count("subtract"), "total": natively(Counter.total, _all),
        "copy": natively(Counter.copy, _all),
    },
)  # fmt: skip

# Sets


def set_items(m: Machine, given: Any, size: int = 0) -> Any:
    """The items of an iterable for a set, charged; a set as it is."""
    if isinstance(given, set | frozenset):
        m.spend(2 * len(given) + gaps(given))
        check_keys(m, given, size)
        return given
    items = listed(m, given)
    m.spend(len(items))
    check_keys(m, items, size)
    return items


def _with_others(name: str) -> Method:
    """A method of a set that takes other iterables."""

    def call(m: Machine, members: Any, *others: Any) -> Any:
        m.spend(1 + 2 * len(members) + gaps(members))
        kind = set if isinstance(members, set) else frozenset
        return getattr(kind, name)(
            members, *(set_items(m, other, len(members)) for other in others)
        )

    return call


_COMPARING = "union intersection difference symmetric_difference issubset issuperset isdisjoint"
_UPDATING = "intersection_update difference_update symmetric_difference_update"


def _add_all(m: Machine, members: set[Any], *others: Any) -> None:
    m.spend(1)
    members.update(*(set_items(m, other, len(members)) for other in others))


_BOTH: dict[str, Method] = {name: _with_others(name) for name in _COMPARING.split()}
FROZENSET = Kind(
    frozenset, "a frozenset", methods={**_BOTH, "copy": natively(frozenset.copy, _all)}
)
SET = Kind(
    set,
    "a set",
    methods={
        **_BOTH,
        **{name: _with_others(name) for name in _UPDATING.split()},
        "update": _add_all,
        "add": _keyed(set.add, 2),
        "discard": _keyed(set.discard),
        "remove": _keyed(set.remove),
        "pop": natively(set.pop, lambda table: 1 + gaps(table)),
        "clear": natively(set.clear),
        "copy": natively(set.copy, _all),
    },
)
