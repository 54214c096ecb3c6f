"""`typing.Protocol`: classes whose instances are all objects that have certain members."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from engine.language.classes import RESERVED, ProgramType, make_class
from engine.language.contract import Machine

_NO_MEMBERS = frozenset({
    "__module__", "__qualname__", "__doc__", "__annotations__", "__slots__", "__dict__",
    "__weakref__", "__init__", "__match_args__", "__class_getitem__", "__init_subclass__",
})  # fmt: skip
_CHECK = "_seegrad_protocol"


class Structural:
    """A protocol as `isinstance` and `issubclass` take it."""

    def __init__(self, m: Machine, cls: Any) -> None:
        self.m, self.cls = m, cls
        own = [base for base in cls.__mro__ if _CHECK in vars(base) and vars(base)[_CHECK]]
        self.members = dict.fromkeys(name for base in own for name in _members(base))

    def __instancecheck__(self, x: Any) -> bool:
        return isinstance(x, self.cls) or all(self._has(x, name) for name in self.members)

    def __subclasscheck__(self, kind: type) -> bool:
        return issubclass(kind, self.cls) or all(self._has(kind, name) for name in self.members)

    def _has(self, x: Any, name: str) -> bool:
        self.m.spend(1)
        try:
            self.m.get_attribute(x, name)
        except AttributeError:
            return False
        return True


def _members(cls: Any) -> list[str]:
    names = [*vars(cls), *inspect.get_annotations(cls)]
    return [x for x in names if x not in _NO_MEMBERS and not x.startswith(RESERVED)]


def _unchecked(m: Machine, cls: Any) -> Structural:
    message = "Instance and class checks can only be used with @runtime_checkable protocols"
    raise TypeError(message)


def protocol_base(subscript: Any) -> Any:
    """The class `Protocol`; a class that derives from it directly is a protocol."""

    def ready(cls: Any) -> None:
        setattr(cls, _CHECK, staticmethod(_unchecked) if base in cls.__bases__ else None)

    names = {"__class_getitem__": subscript, "_seegrad_ready": staticmethod(ready)}
    base = make_class("Protocol", (), names)
    return base


def runtime_checkable(m: Machine, cls: Any, /) -> Any:
    """The decorator; a class that is no protocol gets the error of CPython."""
    if not isinstance(cls, ProgramType) or cls._seegrad_protocol is None:
        shown = "@runtime_checkable can be only applied to protocol classes"
        raise TypeError(f"{shown}, got {cls!r}")
    check: Callable[[Machine, Any], Structural] = Structural
    setattr(cls, _CHECK, staticmethod(check))
    return cls
