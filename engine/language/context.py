"""Context managers: the two functions that `with` calls."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .attributes import method_of
from .classes import ProgramType
from .library import Missing
from .machine import Machine

Entered = tuple[Callable[[], Any], Callable[..., Any]]


def entered(m: Machine, manager: Any) -> Entered:
    """Functions that enter and leave `manager`. Raises TypeError if it is no context manager."""
    if isinstance(manager, Missing):
        manager.refuse()
    kind = type(manager)
    if isinstance(kind, ProgramType):
        for name in ("__enter__", "__exit__"):
            if not hasattr(kind, name):
                raise TypeError(_no_manager(kind))
        return manager.__enter__, manager.__exit__
    enter, leave = method_of(kind, "__enter__"), method_of(kind, "__exit__")
    if enter is None or leave is None:
        raise TypeError(_no_manager(kind))
    return lambda: enter(m, manager), lambda *error: leave(m, manager, *error)


def _no_manager(kind: type) -> str:
    return f"'{kind.__name__}' object does not support the context manager protocol"
