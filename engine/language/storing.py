"""Attributes of a program's objects as they are stored: what `object.__setattr__` does, guarded."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.nn import MLP, Layer, Module, Neuron
from engine.value import Value

from .classes import LINEAGE, READABLE, ProgramType, is_refused
from .contract import Machine
from .kinds import kind_of

_OF_MODULES = frozenset({"hook", "strict"})
_PARTS = frozenset({"w", "neurons", "layers"})
_OF_VALUES = frozenset({"args", "op", "origin", "rounds", "rounded", "single", "tacit"})
_NONE: frozenset[str] = frozenset()


def readable_name(m: Machine, name: str) -> str:
    """As `checked_name`, for an attribute that is only read."""
    exact = str.__str__(name)
    return exact if exact in READABLE or exact in LINEAGE else checked_name(m, exact)


def checked_name(m: Machine, name: str) -> str:
    """The name of an attribute as a text of Python's own class, never one of the program's."""
    if type(name) is not str:
        name = str.__str__(name)
    if name[:1] == "_" and is_refused(name):
        m.refuse(f"{name[:40]} is reserved.", "It could reach outside of the program.")
    return name


def engines_own(o: Any) -> frozenset[str]:
    """The attributes by which the engine works with an object, none of the program's business."""
    return _OF_MODULES if isinstance(o, Module) else _OF_VALUES if isinstance(o, Value) else _NONE


def store(
    m: Any, o: Any, name: str, value: Any, write: Callable[[Any, str, Any], None] = setattr
) -> None:
    """Store an attribute of an object of a class of the program, by its checked name."""
    kind: Any = type(o)
    setter = None if kind._seegrad_plain else kind_of(kind).setters.get(name)
    if setter:
        setter(m, o, value)
    elif not kind._seegrad_plain and name in engines_own(o):
        m.refuse(f"{name} is set by the engine here.", "Choose another name.")
    elif name in _PARTS and isinstance(o, MLP | Layer | Neuron) and type(value) is not list:
        m.refuse(f"{name} of a built-in network is a list.", "Write a class of your own.")
    else:
        write(o, name, m.watched(o, name, value))


def store_by_object(m: Any, o: Any, name: Any, value: Any, /) -> None:
    """`object.__setattr__(o, name, value)`: not by the `__setattr__` of the program's class."""
    store(m, _own(m, o), _name(m, name), value, object.__setattr__)


def delete_by_object(m: Any, o: Any, name: Any, /) -> None:
    """`object.__delattr__(o, name)`."""
    object.__delattr__(_own(m, o), _name(m, name))


def _own(m: Machine, o: Any) -> Any:
    if not isinstance(type(o), ProgramType):
        m.refuse("This sets attributes of a program's own objects only.", "Write a class.")
    return o


def _name(m: Machine, name: Any) -> str:
    if not isinstance(name, str):
        raise TypeError(f"attribute name must be string, not '{type(name).__name__}'")
    return checked_name(m, name)
