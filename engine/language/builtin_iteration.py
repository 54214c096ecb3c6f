"""Built-in functions that go through items: sum, min, sorted, zip, map …, as CPython's, counted."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from typing import Any

from engine.ops import OPS
from engine.value import Value

from .contract import Machine
from .methods_of_lists import weighed_key
from .plain import FOLLOWED, STORED
from .texts import name_of_type
from .weights import gaps, listed, started, weigh, whole

_UNSET: Any = object()


def functions() -> dict[str, Callable[..., Any]]:
    """The functions of this module by name, to be bound to a run."""
    named = (
        len_,
        sum_,
        sorted_,
        reversed_,
        enumerate_,
        zip_,
        map_,
        filter_,
        any_,
        all_,
        iter_,
        next_,
    )
    table = {function.__name__.rstrip("_"): function for function in named}
    return table | {"min": _extreme("min"), "max": _extreme("max")}


def bound(m: Machine, function: Callable[..., Any], name: str) -> Callable[..., Any]:
    """`function` with `m` as its first argument, called `name`."""

    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(m, *args, **kwargs)
        except TypeError as error:
            if error.__traceback__ is None or error.__traceback__.tb_next is not None:
                raise
            raise TypeError(_miscalled(function, name, len(args), str(error))) from None

    call.__name__ = call.__qualname__ = name
    return call


def _miscalled(function: Callable[..., Any], name: str, given: int, message: str) -> str:
    """CPython's words for a call of a built-in function with the wrong number of arguments."""
    if "keyword" in message or "multiple values" in message:
        return f"{name}(){message.partition('()')[2]}"
    parameters = list(inspect.signature(function).parameters.values())[1:]
    places = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    most, least = len(places), sum(p.default is p.empty for p in places)
    if least == most == 1:
        return f"{name}() takes exactly one argument ({given} given)"
    bound_, number = ("at least ", least) if given < least else ("at most ", most)
    plural = "" if number == 1 else "s"
    return (
        f"{name} expected {'' if least == most else bound_}{number} argument{plural}, got {given}"
    )


def len_(m: Machine, *args: Any) -> int:
    m.spend(1)
    return len(*args)


def sum_(m: Machine, iterable: Any, /, start: Any = 0) -> Any:
    """The sum from left to right, each step as the program would write it."""
    for kind, hint in ((str, "''"), (bytes, "b''")):
        if isinstance(start, kind):
            shown = "strings" if kind is str else "bytes"
            raise TypeError(f"sum() can't sum {shown} [use {hint}.join(seq) instead]")
    total = start
    for item in m.consumed(iterable):
        total = m.binary("+", total, item)
    return total


def _extreme(name: str) -> Callable[..., Any]:
    """min or max: the first of the items that no other is smaller, or larger, than."""
    native: Any = {"min": min, "max": max}[name]

    def extreme(m: Machine, *args: Any, key: Any = None, default: Any = _UNSET) -> Any:
        if not args:
            raise TypeError(f"{name} expected at least 1 argument, got 0")
        if len(args) > 1 and default is not _UNSET:
            message = f"Cannot specify a default for {name}() with multiple positional arguments"
            raise TypeError(message)
        items = listed(m, args[0]) if len(args) == 1 else list(args)
        if not items:
            if default is _UNSET:
                raise ValueError(f"{name}() arg is an empty sequence")
            return default
        if key is None and _is_drawn(items):
            return _folded(m, name, items)
        if key is not None:
            return native(items, key=weighed_key(m, key, 1))
        m.spend(len(items))
        for item in items:
            weigh(m, item)
        return native(items)

    return extreme


def _is_drawn(items: list[Any]) -> bool:
    """Whether the choice among `items` is an operation of the picture: of Values, of numbers.

    As in CPython, a comparison with nan decides nothing.
    """
    kinds = set(map(type, items))
    if kinds <= STORED:
        return not kinds.isdisjoint(FOLLOWED) and not any(x != x for x in items)
    return any(isinstance(item, Value) for item in items)


def _folded(m: Machine, name: str, items: list[Any]) -> Any:
    best = items[0]
    for item in items[1:]:
        best = m.apply(OPS[name], best, item)
    return best


def sorted_(m: Machine, *args: Any, key: Any = None, reverse: Any = False) -> list[Any]:
    if len(args) != 1:
        raise TypeError(f"sorted expected 1 argument, got {len(args)}")
    items = listed(m, args[0])
    rounds = len(items).bit_length()
    m.spend(1 + len(items) * rounds // 2)
    if key is not None:
        items.sort(key=weighed_key(m, key, rounds), reverse=reverse)
        return items
    weight = sum(weigh(m, item) for item in items if type(item) is not float)
    m.spend(weight * rounds)
    items.sort(reverse=reverse)
    return items


def reversed_(m: Machine, *args: Any) -> Any:
    m.spend(2)
    if len(args) != 1:
        raise TypeError(f"reversed expected 1 argument, got {len(args)}")
    kind = type(args[0])
    if isinstance(args[0], list | tuple | str | range | dict | bytes) or _goes_back(kind):
        m.spend(gaps(args[0]))
        return reversed(args[0])
    raise TypeError(f"{kind.__name__!r} object is not reversible")


def _goes_back(kind: type) -> bool:
    return hasattr(kind, "__reversed__") or (
        hasattr(kind, "__getitem__") and hasattr(kind, "__len__")
    )


def enumerate_(m: Machine, iterable: Any, start: Any = 0) -> Iterator[Any]:
    m.spend(4)
    return enumerate(m.items(iterable), whole(start))


def zip_(m: Machine, *iterables: Any, strict: Any = False) -> Iterator[Any]:
    m.spend(4 + len(iterables))
    columns = [m.items(iterable) for iterable in iterables]
    return zip(*columns, strict=bool(strict))


def map_(m: Machine, *args: Any) -> Iterator[Any]:
    m.spend(4)
    if len(args) < 2:
        raise TypeError("map() must have at least two arguments.")
    return map(_callable(m, args[0]), *(m.items(arg) for arg in args[1:]))


def filter_(m: Machine, *args: Any) -> Iterator[Any]:
    m.spend(4)
    if len(args) != 2:
        raise TypeError(f"filter expected 2 arguments, got {len(args)}")
    function = None if args[0] is None else _callable(m, args[0])
    return filter(function, m.items(args[1]))


def _callable(m: Machine, function: Any) -> Callable[..., Any]:
    """The callable, or one that raises CPython's error when it is called."""
    if callable(function):
        return m.callable(function)

    def call(*args: Any) -> Any:
        raise TypeError(f"{name_of_type(function)!r} object is not callable")

    return call


def any_(m: Machine, iterable: Any, /) -> bool:
    return any(m.consumed(iterable))


def all_(m: Machine, iterable: Any, /) -> bool:
    return all(m.consumed(iterable))


def iter_(m: Machine, *args: Any) -> Any:
    m.spend(2)
    if len(args) == 2:
        if not callable(args[0]):
            raise TypeError("iter(v, w): v must be callable")
        return iter(m.callable(args[0]), args[1])
    if len(args) != 1:
        raise TypeError(f"iter expected at least 1 argument, got {len(args)}")
    kind = type(args[0])
    if isinstance(args[0], type) or not (hasattr(kind, "__iter__") or hasattr(kind, "__getitem__")):
        raise TypeError(f"{name_of_type(args[0])!r} object is not iterable")
    return started(m, args[0])


def next_(m: Machine, *args: Any) -> Any:
    m.spend(1)
    if args and not hasattr(type(args[0]), "__next__"):
        raise TypeError(f"{name_of_type(args[0])!r} object is not an iterator")
    return next(*args)
