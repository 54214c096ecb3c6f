"""The module `contextlib`: context managers made of generators, `suppress` and `nullcontext`."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import Any

from engine.language.builtin_iteration import bound
from engine.language.contract import Kind, Machine


def names(m: Machine) -> dict[str, Any]:
    """The names of the module `contextlib`."""
    functions = (contextmanager, suppress, nullcontext)
    return {function.__name__: bound(m, function, function.__name__) for function in functions}


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
