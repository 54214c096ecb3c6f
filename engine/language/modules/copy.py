"""The module `copy`: copies of containers and of objects of the program, each part counted."""

from __future__ import annotations

import random
import types
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable
from functools import partial
from typing import Any

from engine.language.builtin_iteration import bound
from engine.language.classes import RESERVED, ProgramType
from engine.language.contract import Machine
from engine.language.texts import name_of_type
from engine.language.weights import gaps

from .copies_of_networks import LIBRARY

Memo = dict[int, Any]
_SAME = (
    int, float, str, bytes, type(None), type(...), type(NotImplemented), range, type, partial,
    types.FunctionType, types.MethodType, types.BuiltinFunctionType, property,
)  # fmt: skip
"""Types whose objects are their own copies."""
_TABLES = (dict, OrderedDict, Counter)


def names(m: Machine) -> dict[str, Any]:
    """The names of the module `copy`."""
    return {
        "copy": bound(m, copy, "copy"),
        "deepcopy": bound(m, deepcopy, "deepcopy"),
        "error": ValueError,
        "Error": ValueError,
    }


def copy(m: Machine, x: Any) -> Any:
    """A shallow copy: the same parts in a new container or object."""
    m.spend(8)
    kind = type(x)
    if isinstance(x, _SAME) or kind in (tuple, frozenset):
        return x
    if kind in (list, set, deque, *_TABLES, defaultdict):
        m.spend(2 * len(x) + gaps(x))
        return x.copy()
    if hasattr(kind, "__copy__"):
        return m.callable(kind.__copy__)(x)
    if isinstance(kind, ProgramType) or isinstance(x, BaseException):
        return _object(m, x, lambda part: part)
    return _refused(m, x)


def deepcopy(m: Machine, x: Any, memo: Any = None) -> Any:
    """A copy of `x` and of everything that it holds, each once."""
    memo = {} if memo is None else memo
    if isinstance(x, _SAME):
        return x
    if id(x) in memo:
        return memo[id(x)][1]
    m.spend(8)
    made = _deep(m, x, memo)
    memo[id(x)] = (x, made)
    return made


def _deep(m: Machine, x: Any, memo: Memo) -> Any:
    kind = type(x)

    def part(y: Any) -> Any:
        return deepcopy(m, y, memo)

    if kind in (list, deque):
        return _sequence(m, x, memo, part)
    if kind in (tuple, frozenset, set):
        m.spend(len(x))
        parts = [part(item) for item in x]
        if kind is tuple and all(a is b for a, b in zip(parts, x, strict=True)):
            return x
        return memo[id(x)][1] if id(x) in memo else kind(parts)
    if kind in _TABLES or kind is defaultdict:
        return _table(m, x, memo, part)
    if hasattr(kind, "__deepcopy__"):
        return m.callable(kind.__deepcopy__)(x, memo)
    if isinstance(kind, ProgramType) or isinstance(x, BaseException):
        return _object(m, x, part, memo)
    if kind in LIBRARY:
        return LIBRARY[kind](m, x, part, memo)
    return _refused(m, x)


def _sequence(m: Machine, x: Any, memo: Memo, part: Callable[[Any], Any]) -> Any:
    made: Any = deque(maxlen=x.maxlen) if isinstance(x, deque) else []
    memo[id(x)] = (x, made)
    m.spend(len(x))
    for item in list(x):
        made.append(part(item))
    return made


def _table(m: Machine, x: Any, memo: Memo, part: Callable[[Any], Any]) -> Any:
    made: Any = defaultdict(x.default_factory) if isinstance(x, defaultdict) else type(x)()
    memo[id(x)] = (x, made)
    m.spend(2 * len(x) + gaps(x))
    for key, value in list(x.items()):
        made[part(key)] = part(value)
    return made


def _object(m: Machine, x: Any, part: Callable[[Any], Any], memo: Memo | None = None) -> Any:
    """A new object of the same class with copies of the attributes of `x`."""
    kind = type(x)
    if isinstance(x, BaseException):
        made = kind.__new__(kind, *map(part, x.args))
        made.args = tuple(map(part, x.args))
    elif isinstance(x, tuple):
        return tuple.__new__(kind, map(part, x))
    else:
        made = _emptied(kind, x)
    if memo is not None:
        memo[id(x)] = (x, made)
    _fill(m, x, made, part)
    for name, value in _attributes(x).items():
        m.spend(2)
        object.__setattr__(made, name, part(value))
    return made


def _emptied(kind: type, x: Any) -> Any:
    """A new object of the class without a call of `__init__`."""
    for base in (OrderedDict, dict, list, set):
        if isinstance(x, base):
            return base.__new__(kind)
    return object.__new__(kind)


def _fill(m: Machine, x: Any, made: Any, part: Callable[[Any], Any]) -> None:
    """Copy the items of an object whose class is derived from a container."""
    if isinstance(x, dict):
        m.spend(2 * len(x) + gaps(x))
        for key, value in list(dict.items(x)):
            dict.__setitem__(made, part(key), part(value))
    elif isinstance(x, list):
        m.spend(len(x))
        list.extend(made, [part(item) for item in list.__iter__(x)])
    elif isinstance(x, set):
        m.spend(len(x) + gaps(x))
        set.update(made, {part(item) for item in set.__iter__(x)})


def _attributes(x: Any) -> dict[str, Any]:
    """What the object holds by name, in its `__dict__` and its slots."""
    held = dict(getattr(x, "__dict__", {}))
    for base in type(x).__mro__:
        for name, member in vars(base).items():
            if isinstance(member, types.MemberDescriptorType) and hasattr(x, name):
                held[name] = getattr(x, name)
    return {name: value for name, value in held.items() if not name.startswith(RESERVED)}


def _refused(m: Machine, x: Any) -> Any:
    if isinstance(x, random.Random):
        m.spend(700)
        made = random.Random(0)
        made.setstate(x.getstate())
        return made
    if isinstance(x, types.GeneratorType):
        raise TypeError(f"cannot pickle {name_of_type(x)!r} object")
    return m.refuse(f"A {name_of_type(x)} cannot be copied here.", "Make a new one.")
