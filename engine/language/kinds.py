"""The kinds of objects that a program can hold: one entry each.

An entry has the object's name in messages, the attributes that a program may read and set, and its
methods; nothing else of a Python object can be reached. To add a kind, add one entry.
"""

from __future__ import annotations

from weakref import WeakKeyDictionary

from .classes import ProgramType
from .contract import Kind, Method
from .kinds_of_values import VALUE_KINDS
from .library import LIBRARY_KINDS
from .modules import MODULE_KINDS
from .native_kinds import NATIVE_KINDS
from .tensor_kinds import TENSOR_KINDS

KINDS: tuple[Kind, ...] = (
    *TENSOR_KINDS,
    *VALUE_KINDS,
    *LIBRARY_KINDS,
    *MODULE_KINDS,
    *NATIVE_KINDS,
    Kind(
        property,
        "a property",
        methods={
            name: lambda m, x, *args, name=name: getattr(x, name)(*map(m.callable, args))
            for name in ("getter", "setter", "deleter")
        },
    ),
    Kind(object, "an object"),
)
"""Every kind; the first whose type fits an object is its kind."""

_BY_TYPE: dict[type, Kind] = {}
"""The entries of Python's types and ours, as they were found."""
_OF_PROGRAMS: WeakKeyDictionary[type, Kind] = WeakKeyDictionary()
"""Those of classes of programs, which come and go."""


def kind_of(kind: type) -> Kind:
    """The entry of a Python type."""
    found = _BY_TYPE.get(kind) or _OF_PROGRAMS.get(kind)
    if found is None:
        found = next(entry for entry in KINDS if issubclass(kind, entry.types))
        known = _OF_PROGRAMS if isinstance(kind, ProgramType) else _BY_TYPE
        known[kind] = found
    return found


def method_of(kind: type, name: str) -> Method | None:
    """A method of the table, if objects of the type `kind` have it."""
    return kind_of(kind).methods.get(name)
