"""The members of a program's classes that Python itself calls: their names and their cost."""

from __future__ import annotations

from collections.abc import Iterable
from types import FunctionType
from typing import Any

from engine.value import Value

from .classes import ProgramType, Thing, is_refused
from .contract import Machine

OF_PROGRAM = "__main__"
"""The module of the functions and classes of a program."""
ANNOTATED = "_seegrad_annotated"
"""The attribute of a decorated function that gives the class in its first annotation."""
BESIDE: tuple[type, ...] = (list, Value)
"""Bases beside which a mixin may stand: it has no member that one of them could not have."""
_SIZED = (list, tuple, dict, set, str)


def check_member(m: Machine, bases: Iterable[type], name: str) -> None:
    """Refuse a member that would hide the size of an object from those who charge for it."""
    if is_refused(name):
        m.refuse(f"{name[:40]} is reserved.", "It could reach outside of the program.")
    if name == "__new__" and not all(map(_is_made_plainly, bases)):
        m.refuse("__new__ of this class cannot be replaced here.", "Write __init__.")
    if name == "__len__" and any(issubclass(base, _SIZED) for base in bases):
        m.refuse("The length of a container cannot be changed here.", "Leave __len__ out.")


def _is_made_plainly(base: type) -> bool:
    """Whether objects of a class are made by Python itself, or by a `__new__` of the program."""
    made: Any = base.__new__
    if isinstance(made, FunctionType):
        return made.__module__ == OF_PROGRAM
    return base is Thing or isinstance(base, ProgramType) or base.__module__ == "builtins"


def check_assignment(cls: ProgramType, name: str) -> None:
    """Before `cls.name = …`. Raises AttributeError for a member of an enumeration."""
    if name in (cls._seegrad_items or ()):
        raise AttributeError(f"cannot reassign member {name!r}")
    if name == "__setattr__":
        cls._seegrad_sets = True


def check_deletion(cls: ProgramType, name: str) -> None:
    """Before `del cls.name`. Raises AttributeError for a member of an enumeration."""
    if name in (cls._seegrad_items or ()):
        raise AttributeError(f"{cls.__name__!r} cannot delete member {name!r}.")


LINEAGE = 100
"""Classes that a class may derive from, directly or not: Python searches them for a name."""


def check_lineage(m: Machine, bases: Iterable[type]) -> None:
    """Refuse a class with too many bases."""
    if sum(len(base.__mro__) for base in bases) > LINEAGE:
        m.refuse(f"A class derives from at most {LINEAGE} others here.", "Use fewer bases.")


_OF_EVERY_OBJECT = frozenset({"__dict__", "__weakref__"})
"""Slots that let an object take any attribute, and be referred to weakly."""


def slots(m: Machine, given: Any) -> tuple[str, ...]:
    """The names in `__slots__`, each one that a member of a class may have."""
    names = (given,) if isinstance(given, str) else tuple(m.items(given))
    if not all(isinstance(name, str) for name in names):
        raise TypeError("__slots__ items must be strings")
    exact = tuple(str.__str__(name) for name in names)
    for name in exact:
        if name not in _OF_EVERY_OBJECT:
            check_member(m, (), name)
    return tuple(name for name in exact if name != "__weakref__")


def hashing(m: Machine, function: Any) -> Any:
    """`__hash__` of a class: objects with one hash that Python compares by itself are charged.

    A table compares each new key with all keys of the same hash. Those whose class has an `__eq__`
    of the program are charged there.
    """
    if function is None or function is Thing.__hash__ or hasattr(function, "of_program"):
        return function
    if not isinstance(function, FunctionType):
        return m.refuse("__hash__ is a function here.", "Write def __hash__(self): …")

    def hashed(self: Any) -> Any:
        value = function(self)
        if type(value) is int and not isinstance(type(self).__eq__, FunctionType):
            known = m.natives.hashes.setdefault(value, set())
            known.add(id(self))
            m.spend(2 + (len(known) >> 3))
        return value

    hashed.__name__, hashed.__qualname__ = "__hash__", function.__qualname__
    hashed.of_program = function  # type: ignore[attr-defined]
    return hashed
