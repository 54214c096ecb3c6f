"""The module `collections`: CPython's own types with guarded constructors, and named tuples."""

from __future__ import annotations

from collections import Counter, OrderedDict, defaultdict, deque
from typing import Any

from engine.language.builtin_iteration import bound
from engine.language.classes import make_class
from engine.language.contract import Machine
from engine.language.texts import repr_text
from engine.language.weights import check_key

from .named_tuples import namedtuple


def names(m: Machine) -> dict[str, Any]:
    """The names of the module `collections`."""
    return {
        "Counter": Counter, "OrderedDict": OrderedDict, "defaultdict": defaultdict, "deque": deque,
        "namedtuple": bound(m, namedtuple, "namedtuple"), "ChainMap": _chain_map(m),
        "UserDict": dict, "UserList": list, "UserString": str,
    }  # fmt: skip


def _chain_map(m: Machine) -> Any:
    """The class ChainMap: reads the first of several dicts that has a key, writes the first."""

    def init(self: Any, *maps: Any) -> None:
        m.spend(4)
        self.maps = list(maps) or [{}]

    def item(self: Any, key: Any) -> Any:
        m.spend(len(self.maps))
        for table in self.maps:
            check_key(m, key, len(table))
            if key in table:
                return table[key]
        raise KeyError(key)

    def set_item(self: Any, key: Any, value: Any) -> None:
        m.spend(2)
        check_key(m, key, len(self.maps[0]))
        self.maps[0][key] = value

    def delete_item(self: Any, key: Any) -> None:
        if key not in self.maps[0]:
            raise KeyError(f"Key not found in the first mapping: {repr_text(m, key)}")
        del self.maps[0][key]

    def merged(self: Any) -> dict[Any, Any]:
        table: dict[Any, Any] = {}
        for one in reversed(self.maps):
            m.spend(1 + 2 * len(one))
            table.update(one)
        return table

    def get(self: Any, key: Any, default: Any = None) -> Any:
        return item(self, key) if key in merged(self) else default

    def written(self: Any) -> str:
        return f"ChainMap({', '.join(repr_text(m, table) for table in self.maps)})"

    def child(self: Any, table: Any = None) -> Any:
        return type(self)({} if table is None else table, *self.maps)

    return make_class(
        "ChainMap",
        (),
        {
            "__init__": init, "__getitem__": item, "__setitem__": set_item,
            "__delitem__": delete_item, "__repr__": written, "get": get,
            "__iter__": lambda self: iter(merged(self)), "__len__": lambda self: len(merged(self)),
            "__contains__": lambda self, key: key in merged(self),
            "__bool__": lambda self: any(self.maps), "keys": lambda self: merged(self).keys(),
            "values": lambda self: merged(self).values(),
            "items": lambda self: merged(self).items(), "new_child": child,
            "parents": property(lambda self: type(self)(*self.maps[1:])),
        },
    )  # fmt: skip
