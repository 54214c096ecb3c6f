"""Attributes and methods of generators, exceptions, functions, slices and types."""

from __future__ import annotations

import types
from functools import partial
from typing import Any

from .contract import Attribute, Kind, Machine, Method
from .weights import attribute


def _send(m: Machine, generator: Any, *args: Any) -> Any:
    m.spend(1)
    return generator.send(*args)


def _throw(m: Machine, generator: Any, *args: Any) -> Any:
    m.spend(1)
    return generator.throw(*args)


def _close(m: Machine, generator: Any) -> None:
    m.spend(1)
    m.closing += 1
    try:
        generator.close()
    finally:
        m.closing -= 1


GENERATOR = Kind(
    types.GeneratorType,
    "a generator",
    {"__name__": lambda m, x: x.__name__},
    {
        "send": _send,
        "throw": _throw,
        "close": _close,
        "__next__": lambda m, x: _send(m, x, None),
        "__iter__": lambda m, x: x,
    },
)


def _from_exception(name: str) -> Attribute:
    def read(m: Machine, error: BaseException) -> Any:
        if not hasattr(type(error), name) and name != "__notes__":
            shown = type(error).__name__
            raise AttributeError(f"{shown!r} object has no attribute {name!r}")
        return getattr(error, name)

    return read


def _with_traceback(m: Machine, error: BaseException, traceback: Any = None) -> BaseException:
    return error


def _add_note(m: Machine, error: BaseException, *args: Any) -> None:
    m.spend(2)
    error.add_note(*args)


def _set_args(m: Machine, error: BaseException, value: Any) -> None:
    error.args = tuple(m.items(value))


_OF_EXCEPTIONS = (
    "args", "value", "name", "obj", "msg", "lineno", "errno", "strerror", "start", "end",
    "reason", "object", "encoding", "code", "__cause__", "__context__", "__suppress_context__",
    "__notes__",
)  # fmt: skip

EXCEPTION = Kind(
    BaseException,
    "an exception",
    {name: _from_exception(name) for name in _OF_EXCEPTIONS}
    | {"__traceback__": lambda m, error: None},
    {"with_traceback": _with_traceback, "add_note": _add_note},
    {"args": _set_args},
)


_OF_FUNCTIONS = (
    "cache_info", "cache_clear", "from_iterable", "write", "register", "dispatch", "__wrapped__",
)  # fmt: skip
"""Attributes that some of our own functions have: `lru_cache(f).cache_info`."""


def _own(name: str) -> Attribute:
    def read(m: Machine, function: Any) -> Any:
        if name not in getattr(function, "__dict__", {}):
            raise AttributeError(f"'function' object has no attribute {name!r}")
        return function.__dict__[name]

    return read


FUNCTION = Kind(
    (types.FunctionType, types.MethodType, types.BuiltinFunctionType),
    "a function",
    {name: attribute(name) for name in ("__name__", "__qualname__", "__doc__")}
    | {name: _own(name) for name in _OF_FUNCTIONS},
)
PARTIAL = Kind(
    partial,
    "a function",
    {
        "func": lambda m, x: getattr(x.func, "of_program", x.func),
        "args": lambda m, x: x.args,
        "keywords": lambda m, x: dict(x.keywords),
    },
)
SLICE = Kind(
    slice,
    "a slice",
    {name: attribute(name) for name in ("start", "stop", "step")},
    {"indices": lambda m, x, *args: x.indices(*args)},
)


def _next(m: Machine, iterator: Any) -> Any:
    m.spend(1)
    return next(iterator)


def _with(name: str) -> Method:
    def change(m: Machine, old: property, function: Any) -> property:
        changed: property = getattr(old, name)(function)
        return changed

    return change


PROPERTY = Kind(
    property,
    "a property",
    {name: attribute(name) for name in ("fget", "fset", "fdel", "__doc__")},
    {name: _with(name) for name in ("getter", "setter", "deleter")},
)
_ITERABLES: tuple[Any, ...] = ([], (), "", b"", range(0), {}, {}.values(), {}.items(), set())
_ITERATOR: dict[str, Method] = {"__next__": _next, "__iter__": lambda m, x: x}
ITERATORS = Kind(
    (
        *(type(iter(x)) for x in _ITERABLES),
        type(reversed([])), type(reversed({})), map, filter, zip, enumerate, reversed,
        type(iter(int, 1)), type(iter(range(2**70))),
    ),
    "an iterator",
    methods=_ITERATOR,
)  # fmt: skip
