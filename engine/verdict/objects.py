"""What objects of a program hold, read without running any code of it."""

from __future__ import annotations

import ast
import contextlib
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from types import FunctionType, MemberDescriptorType, MethodType
from typing import Any

from engine.language.classes import RESERVED, Thing
from engine.language.own import CHILDREN

_COLLECTIONS: Mapping[type, Callable[[Any], Iterator[Any]]] = {
    kind: kind.__iter__ for kind in (list, tuple, set, frozenset)
}
"""The iteration of each kind of collection: a class derived from one may have its own."""
LENGTH = 100
"""At most this many items of a collection are read."""
MOST = 2000
"""Things in collections that are looked at for one object."""


def parts_of(o: Any) -> Iterator[Any]:
    """The objects that an object holds, in collections too."""
    held = attributes_of(o)
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
        elif isinstance(x, Thing):
            yield x
            if level < 2 and not any(name in attributes_of(x) for name in CHILDREN):
                fresh = [v for v in attributes_of(x).values() if id(v) not in depth]
                depth.update(dict.fromkeys(map(id, fresh), level + 2))
                todo += [v for v in fresh if _items(v) is not None]


def _items(x: Any) -> list[Any] | None:
    """The items of a short collection, without any code of the program; None of anything else."""
    for kind, each in _COLLECTIONS.items():
        if isinstance(x, kind):
            found = list(islice(each(x), LENGTH))
            return found if len(found) < LENGTH else None
    return None


def functions_of(o: Any, known: Mapping[int, tuple[Any, ast.AST]]) -> Iterator[ast.AST]:
    """The definitions of the functions of the program that an object holds."""
    for value in attributes_of(o).values():
        function = value.__func__ if isinstance(value, MethodType) else value
        if isinstance(function, FunctionType) and id(function) in known:
            yield known[id(function)][1]


def attributes_of(o: Any) -> dict[str, Any]:
    """The attributes that an object holds itself, without running code of the program."""
    found: dict[str, Any] = {}
    for base in type(o).__mro__:
        for name, member in vars(base).items():
            if type(member) is MemberDescriptorType and not name.startswith(RESERVED):
                try:
                    found[name] = member.__get__(o)
                except AttributeError:
                    continue
    with contextlib.suppress(AttributeError):
        found.update(object.__getattribute__(o, "__dict__"))
    return found
