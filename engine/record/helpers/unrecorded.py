"""What takes the place of the helpers once a run is recorded no longer."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from engine.record.follow import NUMBERS

from .operations import IN_PLACE, NATIVE, Helper


class _Attribute:
    """The target `o.name`, unrecorded."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __setitem__(self, o: Any, value: Any) -> None:
        setattr(o, self.name, value)


class _Place:
    """The target `owner[at]`, unrecorded."""

    def __setitem__(self, place: tuple[Any, Any], value: Any) -> None:
        place[0][place[1]] = value


def _change_store(m: Any, name: str, sign: str) -> Helper:
    compute = IN_PLACE[sign]

    def change(loaded: tuple[Any, Any], value: Any) -> None:
        setattr(loaded[0], name, compute(loaded[1], value))

    return change


def _changed(m: Any, sign: str) -> Helper:
    compute = IN_PLACE[sign]
    return lambda before, value, o: compute(before, value)


def _change_place(m: Any, name: str, sign: str) -> Helper:
    compute = IN_PLACE[sign]

    def change(loaded: tuple[Any, Any, Any], value: Any) -> None:
        loaded[0][loaded[1]] = compute(loaded[2], value)

    return change


def _plain_binary(m: Any, recorded: Helper, sign: str) -> Helper:
    """`a sign b`, recorded only of the objects of a stand-in or a built-in class."""
    native = NATIVE[sign]
    if not m.stand_ins.is_used:
        return native

    def compute(a: Any, b: Any) -> Any:
        if type(a) in NUMBERS and type(b) in NUMBERS:
            return native(a, b)
        return recorded(a, b)

    return compute


def _plain_name(recorded: Helper) -> Helper:
    """A value under a name: numbers are no leaves any more."""
    return lambda value: value if type(value) in NUMBERS else recorded(value)


NO_CALL: Any = (None,) * 7
"""What is entered in place of a call."""
UNRECORDED: dict[str, Callable[..., Any]] = {
    "binary": _plain_binary,
    "part": _plain_binary,
    "in_place": lambda m, recorded, sign: (
        _plain_binary(m, recorded, sign) if m.stand_ins.is_used else IN_PLACE[sign]
    ),
    "name": lambda m, recorded, name, depth: _plain_name(recorded),
    "turns": lambda m, recorded: iter,
}
"""The helpers of a run whose recording has ended: `f(m, recorded, …)`."""
OF_OBJECTS: dict[str, Callable[..., Any]] = {
    "negation": lambda m, recorded: operator.neg,
    "plus": lambda m, recorded: operator.pos,
    "name": lambda m, recorded, name, depth: lambda value: value,
    "names": lambda m, recorded, names, depth: lambda value: value,
    "store": lambda m, recorded, name: _Attribute(name),
    "item": lambda m, recorded, name: _Place(),
    "change_store": lambda m, recorded, *rest: _change_store(m, *rest),
    "given": lambda m, recorded, name: lambda value, o: value,
    "changed": lambda m, recorded, name, sign, *rest: _changed(m, sign),
    "enter": lambda m, recorded, name, node: lambda first: NO_CALL,
    "leave": lambda m, recorded: lambda call: None,
    "leave_with": lambda m, recorded: lambda call, value: value,
    "result": lambda m, recorded: lambda call, value: value,
    "mark": lambda m, recorded: lambda call: None,
    "change_item": lambda m, recorded, *rest: _change_place(m, *rest),
}
"""Those of a program that uses neither stand-ins nor built-in classes."""
