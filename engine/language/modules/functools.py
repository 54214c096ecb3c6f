"""The module `functools`: CPython's behaviour, over callables of the program."""

from __future__ import annotations

import functools
from collections import OrderedDict
from collections.abc import Callable
from functools import partial
from types import FunctionType
from typing import Any

from engine.language.builtin_iteration import bound
from engine.language.classes import ProgramType
from engine.language.contract import Machine
from engine.language.members import ANNOTATED, OF_PROGRAM
from engine.language.weights import check_key, whole

from .named_tuples import namedtuple

_UNSET: Any = object()


def names(m: Machine) -> dict[str, Any]:
    """The names of the module `functools`."""
    table: dict[str, Any] = {"partial": partial}
    functions: dict[str, Callable[..., Any]] = {
        "reduce": reduce, "lru_cache": lru_cache, "cache": cache, "wraps": wraps,
        "update_wrapper": update_wrapper, "cmp_to_key": cmp_to_key,
        "total_ordering": total_ordering, "cached_property": cached_property,
        "singledispatch": singledispatch, "singledispatchmethod": singledispatchmethod,
        "partialmethod": _refused,
    }  # fmt: skip
    return table | {name: bound(m, function, name) for name, function in functions.items()}


def _refused(m: Machine, *args: Any, **kwargs: Any) -> Any:
    m.refuse("partialmethod is not part of this language.", "Write a method that calls the other.")


def singledispatch(m: Machine, function: Any, /, *, place: int = 0) -> Callable[..., Any]:
    """`function`, or what was registered for the class of the argument at `place`."""
    registry: dict[type, Callable[..., Any]] = {object: m.callable(function)}

    def dispatch(kind: type) -> Callable[..., Any]:
        m.spend(len(kind.__mro__))
        return next(registry[base] for base in kind.__mro__ if base in registry)

    def call(*args: Any, **kwargs: Any) -> Any:
        if len(args) <= place:
            raise TypeError(f"{call.__name__} requires at least 1 positional argument")
        return dispatch(type(args[place]))(*args, **kwargs)

    def register(kind: Any, given: Any = None) -> Any:
        m.spend(8)
        annotated = getattr(kind, ANNOTATED, None) if isinstance(kind, FunctionType) else None
        if annotated is not None:
            kind, given = annotated(), kind
        if not isinstance(kind, type):
            m.refuse("register takes a class, or a function with an annotation.", _REGISTER)
        if given is None:
            return lambda later: register(kind, later)
        registry[kind] = m.callable(given)
        return given

    _copy_names(call, function)
    call.register = register  # type: ignore[attr-defined]
    call.dispatch = dispatch  # type: ignore[attr-defined]
    return call


_REGISTER = "Give the class: @function.register(float)."


def singledispatchmethod(m: Machine, function: Any, /) -> Callable[..., Any]:
    return singledispatch(m, function, place=1)


def reduce(m: Machine, function: Any, iterable: Any, initial: Any = _UNSET, /) -> Any:
    step = m.callable(function)
    items = iter(m.items(iterable))
    total = initial
    if initial is _UNSET:
        total = next(items, _UNSET)
        if total is _UNSET:
            raise TypeError("reduce() of empty iterable with no initial value")
    for item in items:
        m.spend(1)
        total = step(total, item)
    return total


def make_partial(m: Machine, *args: Any, **kwargs: Any) -> partial[Any]:
    """The guarded constructor of `functools.partial`."""
    m.spend(4 + len(args) + 2 * len(kwargs))
    if not args:
        raise TypeError("type 'partial' takes at least one argument")
    if not callable(args[0]):
        raise TypeError("the first argument must be callable")
    function = m.callable(args[0])
    if function is not args[0] and not isinstance(args[0], partial):
        function = _remembering(function, args[0])
    return partial(function, *args[1:], **kwargs)


def _remembering(function: Callable[..., Any], given: Any) -> Callable[..., Any]:
    """`function`, which shows as `given` in a repr."""

    def call(*args: Any, **kwargs: Any) -> Any:
        return function(*args, **kwargs)

    call.of_program = given  # type: ignore[attr-defined]
    return call


# Caches


def cache(m: Machine, function: Any, /) -> Any:
    return _cached(m, function, None)


def lru_cache(m: Machine, maxsize: Any = 128, typed: Any = False) -> Any:
    """`@lru_cache`, `@lru_cache(maxsize=…)`."""
    if callable(maxsize):
        return _cached(m, maxsize, 128)
    size = None if maxsize is None else max(whole(maxsize), 0)
    return lambda function: _cached(m, function, size)


CACHE_COST = 40  # operations: a cache with its functions
NESTED = 1000
"""Calls of cached functions in one another."""


def _cached(m: Machine, function: Any, size: int | None) -> Any:
    m.spend(CACHE_COST)
    made = m.callable(function)
    results: OrderedDict[Any, Any] = OrderedDict()
    counts = {"hits": 0, "misses": 0}

    def call(*args: Any, **kwargs: Any) -> Any:
        m.spend(4 + len(args) + 2 * len(kwargs))
        key = (args, tuple(kwargs.items())) if kwargs else args
        check_key(m, key, len(results))
        if key in results:
            counts["hits"] += 1
            results.move_to_end(key)
            return results[key]
        counts["misses"] += 1
        result = _nested(m, made, args, kwargs)
        if size != 0:
            m.spend(4)
            results[key] = result
            if size is not None and len(results) > size:
                results.popitem(last=False)
        return result

    def info() -> Any:
        kind = m.natives.cache_info
        if kind is None:
            kind = namedtuple(m, "CacheInfo", "hits misses maxsize currsize")
            m.natives.cache_info = kind
        return kind(**counts, maxsize=size, currsize=len(results))

    def clear() -> None:
        results.clear()
        counts.update(hits=0, misses=0)

    _copy_names(call, function)
    call.cache_info = info  # type: ignore[attr-defined]
    call.cache_clear = clear  # type: ignore[attr-defined]
    return call


def _nested(m: Machine, function: Any, args: Any, kwargs: Any) -> Any:
    """`function(*args, **kwargs)`, where Python would not recurse too deeply either."""
    if m.natives.caches >= NESTED:
        raise RecursionError("maximum recursion depth exceeded while calling a Python object")
    m.natives.caches += 1
    try:
        return function(*args, **kwargs)
    finally:
        m.natives.caches -= 1


# Wrappers

_COPIED = ("__name__", "__qualname__", "__doc__")


def update_wrapper(m: Machine, wrapper: Any, wrapped: Any, *args: Any, **kwargs: Any) -> Any:
    if isinstance(wrapper, FunctionType) and wrapper.__module__ == OF_PROGRAM:
        _copy_names(wrapper, wrapped)
    elif isinstance(type(wrapper), ProgramType):
        for name in _COPIED:
            m.set_attribute(wrapper, name, _read(m, wrapped, name))
    return wrapper


def _read(m: Machine, x: Any, name: str) -> Any:
    try:
        return m.get_attribute(x, name)
    except AttributeError:
        return None


def _copy_names(wrapper: Any, wrapped: Any) -> None:
    for name in _COPIED:
        if hasattr(wrapped, name):
            setattr(wrapper, name, getattr(wrapped, name))


def wraps(m: Machine, wrapped: Any, *args: Any, **kwargs: Any) -> Callable[[Any], Any]:
    return lambda wrapper: update_wrapper(m, wrapper, wrapped)


def cmp_to_key(m: Machine, mycmp: Any) -> Callable[[Any], Any]:
    key: Any = functools.cmp_to_key(m.callable(mycmp))
    return lambda x: key(x)  # noqa: PLW0108 -- no native callable reaches a program


def total_ordering(m: Machine, cls: Any, /) -> Any:
    if not isinstance(cls, ProgramType):
        m.refuse("total_ordering takes a class of the program.", "Write it above a class.")
    return functools.total_ordering(cls)


def cached_property(m: Machine, function: Any, /) -> Any:
    return functools.cached_property(m.callable(function))


PARTIAL: dict[type, Callable[..., Any]] = {partial: make_partial}
"""The guarded constructor of the one native type of this module."""
