"""What takes the place of the helpers once a run is recorded no longer."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from engine.record.follow import NUMBERS

from .operations import IN_PLACE, Helper, plain_binary


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


def _plain_name(recorded: Helper) -> Helper:
    """A value under a name: numbers are no leaves any more."""
    return lambda value: value if type(value) in NUMBERS else recorded(value)


class _OwnAttribute:
    """The target `o.name`, unrecorded for objects of the program's own classes."""

    def __init__(self, m: Any, recorded: Any, name: str) -> None:
        self.kinds, self.recorded, self.name = m.plain_kinds, recorded, name

    def __setitem__(self, o: Any, value: Any) -> None:
        if type(o) in self.kinds:
            setattr(o, self.name, value)
        else:
            self.recorded[o] = value


def _own_change_store(m: Any, recorded: Helper, name: str, sign: str) -> Helper:
    compute, kinds = IN_PLACE[sign], m.plain_kinds

    def change(loaded: tuple[Any, Any], value: Any) -> None:
        o, before = loaded
        if type(o) in kinds and type(before) in NUMBERS and type(value) in NUMBERS:
            setattr(o, name, compute(before, value))
        else:
            recorded(loaded, value)

    return change


def _own_changed(m: Any, recorded: Helper, sign: str) -> Helper:
    compute, kinds = IN_PLACE[sign], m.plain_kinds

    def changed(before: Any, value: Any, o: Any) -> Any:
        if type(o) in kinds and type(before) in NUMBERS and type(value) in NUMBERS:
            return compute(before, value)
        return recorded(before, value, o)

    return changed


NO_CALL: Any = (None,) * 7
"""What is entered in place of a call."""
UNRECORDED: dict[str, Callable[..., Any]] = {
    "binary": plain_binary,
    "part": plain_binary,
    "in_place": lambda m, recorded, sign: (
        plain_binary(m, recorded, sign) if m.stand_ins.is_used else IN_PLACE[sign]
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
    "enter": lambda m, recorded, *rest: lambda first: NO_CALL,
    "leave": lambda m, recorded: lambda call: None,
    "leave_with": lambda m, recorded: lambda call, value: value,
    "result": lambda m, recorded: lambda call, value: value,
    "mark": lambda m, recorded: lambda call: None,
    "change_item": lambda m, recorded, *rest: _change_place(m, *rest),
}
"""Those of a program that uses neither stand-ins nor built-in classes."""
BESIDE_STAND_INS: dict[str, Callable[..., Any]] = {
    **{kind: OF_OBJECTS[kind] for kind in ("enter", "leave", "leave_with", "result", "mark")},
    "store": _OwnAttribute,
    "given": lambda m, recorded, name: (
        lambda value, o: value if type(o) in m.plain_kinds else recorded(value, o)
    ),
    "change_store": _own_change_store,
    "changed": lambda m, recorded, name, sign, *rest: _own_changed(m, recorded, sign),
}
"""Those of other programs, while passes are only counted: nothing of such a run is drawn."""
