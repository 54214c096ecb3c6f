"""The classes of `collections.abc` as bases: abstract methods, and those that come with them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from engine.language.classes import ProgramType, make_class
from engine.language.contract import Machine
from engine.language.weights import check_key

from .abc import collect

_MARK = "_seegrad_form"


@dataclass(frozen=True, slots=True)
class Abstract:
    """One class: what it derives from, what a program has to define, what comes with it."""

    parents: tuple[str, ...] = ()
    needed: tuple[str, ...] = ()
    given: Callable[[Machine], dict[str, Any]] = lambda m: {}


def _iterator(m: Machine) -> dict[str, Any]:
    return {"__iter__": lambda self: self}


def _sequence(m: Machine) -> dict[str, Any]:
    def iterate(self: Any) -> Iterator[Any]:
        at = 0
        while True:
            m.spend(2)
            try:
                item = self[at]
            except IndexError:
                return
            yield item
            at += 1

    def backwards(self: Any) -> Iterator[Any]:
        for at in reversed(range(len(self))):
            m.spend(2)
            yield self[at]

    def index(self: Any, value: Any) -> int:
        for at, item in enumerate(m.items(self)):
            if item is value or item == value:
                return at
        raise ValueError

    def count(self: Any, value: Any) -> int:
        return sum(1 for item in m.items(self) if item is value or item == value)

    return {
        "__iter__": iterate, "__contains__": _is_in(m), "__reversed__": backwards,
        "index": index, "count": count,
    }  # fmt: skip


def _is_in(m: Machine) -> Callable[[Any, Any], bool]:
    return lambda self, value: any(item is value or item == value for item in m.items(self))


def _mutable_sequence(m: Machine) -> dict[str, Any]:
    def append(self: Any, value: Any) -> None:
        self.insert(len(self), value)

    def extend(self: Any, values: Any) -> None:
        for value in list(m.items(values)):
            self.append(value)

    def add(self: Any, values: Any) -> Any:
        self.extend(values)
        return self

    def pop(self: Any, at: Any = -1) -> Any:
        value = self[at]
        del self[at]
        return value

    def remove(self: Any, value: Any) -> None:
        del self[self.index(value)]

    def clear(self: Any) -> None:
        for _ in range(len(self)):
            m.spend(2)
            self.pop()

    return {
        "append": append, "extend": extend, "__iadd__": add, "pop": pop, "remove": remove,
        "clear": clear,
    }  # fmt: skip


def _mapping(m: Machine) -> dict[str, Any]:
    def table(self: Any) -> dict[Any, Any]:
        found: dict[Any, Any] = {}
        for key in m.items(self):
            m.spend(2)
            check_key(m, key, len(found))
            found[key] = self[key]
        return found

    def get(self: Any, key: Any, default: Any = None) -> Any:
        try:
            return self[key]
        except KeyError:
            return default

    def has(self: Any, key: Any) -> bool:
        try:
            self[key]
        except KeyError:
            return False
        return True

    def equals(self: Any, other: Any) -> Any:
        if not is_form(type(other), "Mapping") and not isinstance(other, dict):
            return NotImplemented
        return table(self) == (table(other) if is_form(type(other), "Mapping") else other)

    return {
        "get": get, "__contains__": has, "keys": lambda self: table(self).keys(),
        "values": lambda self: table(self).values(), "items": lambda self: table(self).items(),
        "__eq__": equals,
    }  # fmt: skip


def _mutable_mapping(m: Machine) -> dict[str, Any]:
    nothing = object()

    def pop(self: Any, key: Any, default: Any = nothing) -> Any:
        try:
            value = self[key]
        except KeyError:
            if default is nothing:
                raise
            return default
        del self[key]
        return value

    def setdefault(self: Any, key: Any, default: Any = None) -> Any:
        try:
            return self[key]
        except KeyError:
            self[key] = default
        return default

    def update(self: Any, other: Any = (), /, **keywords: Any) -> None:
        is_table = isinstance(other, dict) or is_form(type(other), "Mapping")
        pairs = m.get_attribute(other, "items")() if is_table else other
        for key, value in [*m.items(pairs), *keywords.items()]:
            m.spend(2)
            self[key] = value

    def clear(self: Any) -> None:
        for key in list(m.items(self)):
            del self[key]

    return {"pop": pop, "setdefault": setdefault, "update": update, "clear": clear}


ABSTRACT: dict[str, Abstract] = {
    "Iterable": Abstract((), ("__iter__",)),
    "Sized": Abstract((), ("__len__",)),
    "Container": Abstract((), ("__contains__",)),
    "Callable": Abstract((), ("__call__",)),
    "Hashable": Abstract((), ("__hash__",)),
    "Reversible": Abstract(("Iterable",), ("__reversed__",)),
    "Iterator": Abstract(("Iterable",), ("__next__",), _iterator),
    "Collection": Abstract(("Sized", "Iterable", "Container")),
    "Sequence": Abstract(("Reversible", "Collection"), ("__getitem__",), _sequence),
    "MutableSequence": Abstract(
        ("Sequence",), ("__setitem__", "__delitem__", "insert"), _mutable_sequence
    ),
    "Mapping": Abstract(("Collection",), ("__getitem__",), _mapping),
    "MutableMapping": Abstract(("Mapping",), ("__setitem__", "__delitem__"), _mutable_mapping),
}
"""The classes of `collections.abc` that a program may derive from."""


def abstract_class(m: Machine, name: str, made: dict[str, ProgramType]) -> ProgramType:
    """The class by its name; those made before are in `made`."""
    if name not in made:
        entry = ABSTRACT[name]
        parents = tuple(abstract_class(m, parent, made) for parent in entry.parents)
        members = {method: _needed(method) for method in entry.needed} | entry.given(m)
        marks = {_MARK: name, "_seegrad_ready": staticmethod(collect), "__slots__": ()}
        made[name] = make_class(name, parents, {**members, **marks})
        collect(made[name])
    return made[name]


def _needed(name: str) -> Callable[..., Any]:
    def method(self: Any, *args: Any) -> Any:
        raise NotImplementedError

    method.__name__ = name
    setattr(method, "__isabstractmethod__", True)  # noqa: B010 -- unknown to the types
    return method


def is_form(kind: type, name: str) -> bool:
    """Whether a program's class derives from the abstract class of a name."""
    return any(vars(base).get(_MARK) == name for base in kind.__mro__)
