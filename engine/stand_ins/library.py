"""Modules as programs see them, and names of modules that are not here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NoReturn

from .contract import Kind
from .ordinary import OPERATORS


class LibraryModule:
    """A module of the tables: its dotted name and the names in it."""

    __slots__ = ("name", "names")

    def __init__(self, name: str, names: Mapping[str, Any]) -> None:
        self.name, self.names = name, names

    def __repr__(self) -> str:
        return f"<module '{self.name}'>"


class Missing:
    """Something in a module that is not here; calling it or computing with it is refused.

    `find` gives what is in it, by name: as a rule more that is missing.
    """

    __slots__ = ("find", "path", "refuse")

    def __init__(
        self, path: str, refuse: Callable[[], NoReturn], find: Callable[[str], Any] | None = None
    ) -> None:
        self.path, self.refuse, self.find = path, refuse, find

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(f"{self.path!r} has no attribute {name!r}")
        return self.find(name) if self.find else Missing(f"{self.path}.{name}", self.refuse)


def _refused(missing: Missing, *args: Any) -> NoReturn:
    missing.refuse()


for _name in (
    *(prefix + name for name in OPERATORS for prefix in ("", "r", "i")),
    "call", "repr", "format", "bool", "int", "float", "index", "len", "iter", "next", "contains",
    "getitem", "setitem", "delitem", "enter", "exit", "lt", "le", "gt", "ge", "neg", "pos", "abs",
    "invert", "round",
):  # fmt: skip
    setattr(Missing, f"__{_name}__", _refused)


Missing.__mro_entries__ = lambda missing, bases: missing.refuse()  # type: ignore[attr-defined]

LIBRARY_KINDS = (Kind(LibraryModule), Kind(Missing))
