"""The classes from which a program's class derives, as the program may see them."""

from __future__ import annotations

from collections.abc import Callable

from engine.nn import Module
from engine.value import Value

from .classes import LINEAGE, ProgramType
from .contract import Machine

_OWN_BASES = (Value, Module)


def lineage(m: Machine, cls: ProgramType) -> tuple[type, ...]:
    """`cls.__mro__`, of which a program sees its own classes and those that it could name."""
    m.spend(1 + len(cls.__mro__))
    return tuple(filter(_is_known, cls.__mro__))


def mro(m: Machine, cls: ProgramType) -> Callable[[], list[type]]:
    """`cls.mro`, a function without arguments."""
    return lambda: list(lineage(m, cls))


def refuse_lineage(m: Machine, kind: type, name: str) -> None:
    """Refuse what a class of Python's or of ours derives from."""
    if name in LINEAGE:
        m.refuse(f"{name} is that of a program's own classes here.", f"Leave out {kind.__name__}.")


def _is_known(kind: type) -> bool:
    """Whether a program could name the class itself."""
    is_named = isinstance(kind, ProgramType) or kind.__module__ == "builtins"
    return is_named or issubclass(kind, _OWN_BASES)
