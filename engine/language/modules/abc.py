"""The module `abc`: abstract classes, which CPython itself refuses to instantiate."""

from __future__ import annotations

from types import FunctionType
from typing import Any

from engine.language.builtin_iteration import bound
from engine.language.classes import Metaclass, make_class
from engine.language.contract import Machine
from engine.language.members import OF_PROGRAM


def names(m: Machine) -> dict[str, Any]:
    """The names of the module `abc`."""
    abstract = make_class("ABC", (), {"_seegrad_ready": staticmethod(collect)})
    return {
        "ABC": abstract,
        "abstractmethod": bound(m, _abstract, "abstractmethod"),
        "abstractproperty": bound(m, _abstract_property, "abstractproperty"),
        "ABCMeta": Metaclass(abstract),
    }


def collect(cls: Any) -> None:
    """Tell CPython which methods are abstract, so that `cls()` raises its TypeError."""
    own = {name for name, x in cls.__dict__.items() if getattr(x, "__isabstractmethod__", False)}
    inherited = {
        name
        for base in cls.__bases__
        for name in getattr(base, "__abstractmethods__", ())
        if getattr(getattr(cls, name, None), "__isabstractmethod__", False)
    }
    cls.__abstractmethods__ = frozenset(own | inherited)


def _abstract(m: Machine, function: Any, /) -> Any:
    is_own = isinstance(function, FunctionType) and function.__module__ == OF_PROGRAM
    if is_own or isinstance(function, staticmethod | classmethod):
        setattr(function, "__isabstractmethod__", True)  # noqa: B010 -- unknown to the types
    return function


def _abstract_property(m: Machine, function: Any, /) -> property:
    return property(_abstract(m, function))
