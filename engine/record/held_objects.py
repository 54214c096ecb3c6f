"""What objects of a program hold, read without running any code of it."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from types import FunctionType, MethodType
from typing import Any

from .attribute_names import CHILDREN
from .follow import is_a
from .objects import is_object, number_of

_COLLECTIONS: Mapping[type, Callable[[Any], Iterator[Any]]] = {
    kind: kind.__iter__ for kind in (list, tuple, set, frozenset)
}
"""The iteration of each kind of collection: a class derived from one may have its own."""
LENGTH = 100
"""At most this many items of a collection are read."""
MOST = 2000
"""Things in collections that are looked at for one object."""


def parts_of(
    held: Mapping[str, Any], attributes_of: Callable[[Any], Mapping[str, Any]]
) -> Iterator[Any]:
    """The objects among attributes that an object holds, in collections too.

    What holds no number itself, as the gate that made an object, is one more collection.
    """
    names = [name for name in held if name in CHILDREN] or list(held)
    todo = [held[name] for name in names]
    depth: dict[int, int] = {}
    for _ in range(MOST):
        if not todo:
            return
        x = todo.pop()
        level = depth.get(id(x), 0)
        if level < 3 and (items := _items(x)) is not None:
            fresh = [item for item in items if depth.get(id(item), -1) <= level]
            depth.update(dict.fromkeys(map(id, fresh), level + 1))
            todo += fresh
        elif is_object(x):
            yield x
            if level >= 2:
                continue
            inner = attributes_of(x)
            kept = [name for name in inner if name in CHILDREN]
            if number_of(x) is None and level < 2:
                fresh = [inner[name] for name in kept or inner if id(inner[name]) not in depth]
                depth.update(dict.fromkeys(map(id, fresh), level + 1))
                todo += fresh
            elif not kept:
                fresh = [v for v in inner.values() if id(v) not in depth]
                depth.update(dict.fromkeys(map(id, fresh), level + 2))
                todo += [v for v in fresh if _items(v) is not None]


def _items(x: Any) -> list[Any] | None:
    """The items of a short collection, without any code of the program; None of anything else."""
    for kind, each in _COLLECTIONS.items():
        if is_a(x, kind):
            found = list(islice(each(x), LENGTH))
            return found if len(found) < LENGTH else None
    return None


def functions_in(
    held: Mapping[str, Any], definition: Callable[[FunctionType], ast.AST | None]
) -> Iterator[ast.AST]:
    """The definitions of the functions of the program among attributes."""
    for value in held.values():
        function = value.__func__ if is_a(value, MethodType) else value
        if is_a(function, FunctionType):
            found = definition(function)
            if found is not None:
                yield found
