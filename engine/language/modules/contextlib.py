"""The module `contextlib`: context managers made of generators, `suppress` and `nullcontext`."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import Any

from engine.language.builtin_iteration import bound
from engine.language.classes import make_class
from engine.language.contract import Kind, Machine

from .streams import redirect_stdout


def names(m: Machine) -> dict[str, Any]:
    """The names of the module `contextlib`."""
    functions = (contextmanager, suppress, nullcontext, redirect_stdout)
    table: dict[str, Any] = {
        function.__name__: bound(m, function, function.__name__) for function in functions
    }
    return {**table, **_classes(m)}


def _classes(m: Machine) -> dict[str, Any]:
    """The classes of the module that programs derive from or make objects of."""

    def decorate(self: Any, function: Any) -> Any:
        def inner(*args: Any, **kwargs: Any) -> Any:
            with self:
                return m.call(function, *args, **kwargs)

        inner.__name__ = inner.__qualname__ = getattr(function, "__name__", "inner")
        inner.__doc__ = getattr(function, "__doc__", None)
        return inner

    def hold(self: Any, thing: Any) -> None:
        self.thing = thing

    def close(self: Any, *error: Any) -> None:
        m.call(m.get_attribute(self.thing, "close"))

    def leave(self: Any, *error: Any) -> None:
        return None

    closing = {"__init__": hold, "__enter__": lambda self: self.thing, "__exit__": close}
    return {
        "ContextDecorator": make_class("ContextDecorator", (), {"__call__": decorate}),
        "closing": make_class("closing", (), closing),
        "AbstractContextManager": make_class(
            "AbstractContextManager", (), {"__enter__": lambda self: self, "__exit__": leave}
        ),
    }


def contextmanager(m: Machine, function: Any, /) -> Callable[..., Any]:
    """`@contextmanager`: the function's generator is entered up to its yield."""
    made = contextlib.contextmanager(m.callable(function))

    def manager(*args: Any, **kwargs: Any) -> Any:
        m.spend(10)
        return made(*args, **kwargs)

    manager.__name__ = manager.__qualname__ = getattr(function, "__name__", "manager")
    manager.__doc__ = getattr(function, "__doc__", None)
    return manager


def suppress(m: Machine, *exceptions: Any) -> Any:
    m.spend(4)
    return contextlib.suppress(*exceptions)


def nullcontext(m: Machine, enter_result: Any = None) -> Any:
    m.spend(4)
    return contextlib.nullcontext(enter_result)


@contextlib.contextmanager
def _any() -> Iterator[None]:
    yield


def _enter(m: Machine, manager: AbstractContextManager[Any]) -> Any:
    return manager.__enter__()


def _leave(m: Machine, manager: AbstractContextManager[Any], *error: Any) -> Any:
    return manager.__exit__(*error)


def _decorate(m: Machine, manager: Any, function: Any) -> Any:
    """`@manager()` above a function: its calls run inside of one."""
    m.spend(4)
    return manager(m.callable(function))


_METHODS = {"__enter__": _enter, "__exit__": _leave}
MANAGERS: tuple[Kind, ...] = (
    Kind(type(_any()), "a context manager", methods={**_METHODS, "__call__": _decorate}),
    Kind((contextlib.suppress, contextlib.nullcontext), "a context manager", methods=_METHODS),
)
