"""A copy of names and what they hold, which a program can read and not change."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

from .contract import Kind, Machine, Method
from .methods_of_mappings import DICT


class Snapshot(dict[str, Any]):
    """A dict that refuses every change: it would be lost, as the names live elsewhere."""

    refuse: Callable[[], NoReturn]

    def _refused(self, *args: Any, **keywords: Any) -> NoReturn:
        self.refuse()

    __setitem__ = __delitem__ = __ior__ = _refused


def _refused(m: Machine, held: Snapshot, *args: Any, **keywords: Any) -> NoReturn:
    held.refuse()


_CHANGING = frozenset({"update", "setdefault", "pop", "popitem", "clear", "__setitem__"})
_METHODS: dict[str, Method] = {
    name: _refused if name in _CHANGING else method for name, method in DICT.methods.items()
}
SNAPSHOT = Kind(Snapshot, "a dict", DICT.attributes, _METHODS)
"""Stands before `dict`: the first kind that fits an object is its own."""
