"""A copy of names and what they hold; what is set in it goes to their owner, or is refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

from .contract import Kind, Machine, Method
from .methods_of_mappings import DICT


class Snapshot(dict[str, Any]):
    """A dict that refuses the changes that would be lost, as the names live elsewhere."""

    refuse: Callable[[], NoReturn]
    write: Callable[[str, Any], None] | None = None
    """Sets a name of the owner, if the owner takes new ones."""

    def _refused(self, *args: Any, **keywords: Any) -> NoReturn:
        self.refuse()

    def __setitem__(self, name: Any, value: Any) -> None:
        if self.write is None or not isinstance(name, str):
            self.refuse()
        self.write(name, value)
        super().__setitem__(name, value)

    __delitem__ = __ior__ = _refused


def _refused(m: Machine, held: Snapshot, *args: Any, **keywords: Any) -> NoReturn:
    held.refuse()


def _update(m: Machine, held: Snapshot, *args: Any, **keywords: Any) -> None:
    """`vars(x).update(names)`: how some classes take in all their arguments at once."""
    given: dict[Any, Any] = {}
    DICT.methods["update"](m, given, *args, **keywords)
    for name, value in given.items():
        held[name] = value


_CHANGING = frozenset({"setdefault", "pop", "popitem", "clear", "__setitem__"})
_METHODS: dict[str, Method] = {
    name: _refused if name in _CHANGING else method for name, method in DICT.methods.items()
} | {"update": _update}
SNAPSHOT = Kind(Snapshot, "a dict", DICT.attributes, _METHODS)
"""Stands before `dict`: the first kind that fits an object is its own."""
