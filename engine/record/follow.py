"""Plain numbers that remember how they were computed, so that they can be drawn.

A `TapedFloat` is a float, a `TapedInt` an int and a `TapedFloat64` a `numpy.float64` in every
respect; arithmetic that a program's own lines do with them records the operation and its args.
Anything else that computes with them gets Python's own floats and ints, or NumPy's.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Any, TypeAlias

from engine.arrays.scalars import Float64
from engine.ops import Op
from engine.value import Value

_UNKNOWN: Mapping[str, Any] = {
    "args": (), "label": "", "leaf": None, "name": "", "node": None, "op": None, "owner": None,
    "scope": None, "serial": -1, "value": None,
}  # fmt: skip
HIDDEN = frozenset(_UNKNOWN) | {"__dict__"}
"""Attributes that Python's own numbers have not, and that no program may find."""


class TapedFloat(float):
    """A float with its `op` and `args`, or a leaf without; `serial` counts numbers as computed.

    `node` is the place in the program, `scope` the calls and loops around it, `leaf` the count
    among leaves, `value` the Value that is drawn for it, `owner` the object of the program that
    holds it as its number, `name` what this object is called. Few numbers have a name or are drawn.
    """

    __slots__ = "__dict__", "args", "node", "op", "owner", "scope", "serial"
    op: Op | None
    args: tuple[Any, ...]
    node: ast.AST
    scope: Any
    serial: int
    owner: Any
    label = ""
    leaf: int | None = None
    value: Value | None = None
    name = ""

    @property  # type: ignore[misc]
    def __class__(self) -> Any:
        return float

    def __getattr__(self, name: str) -> Any:
        """Of a number that Python's library has made by its type alone: it has no history."""
        try:
            return _UNKNOWN[name]
        except KeyError:
            raise AttributeError(f"'float' object has no attribute {name!r}") from None

    def __copy__(self) -> TapedFloat:
        return self

    def __deepcopy__(self, memo: Any) -> TapedFloat:
        return self

    def __reduce_ex__(self, protocol: Any) -> Any:
        return float, (float(self),)


class TapedInt(int):
    """An int with the attributes of a `TapedFloat`."""

    op: Op | None = None
    args: tuple[Any, ...] = ()
    node: Any = None
    scope: Any = None
    serial: int = -1
    label = ""
    leaf: int | None = None
    value: Value | None = None
    owner: Any = None
    name = ""

    @property  # type: ignore[misc]
    def __class__(self) -> Any:
        return int

    def __copy__(self) -> TapedInt:
        return self

    def __deepcopy__(self, memo: Any) -> TapedInt:
        return self

    def __reduce_ex__(self, protocol: Any) -> Any:
        return int, (int(self),)


class TapedFloat64(Float64):
    """A `numpy.float64` with the attributes of a `TapedFloat`."""

    __slots__ = "__dict__", "args", "node", "op", "owner", "scope", "serial"
    __hash__ = float.__hash__
    op: Op | None
    args: tuple[Any, ...]
    node: ast.AST
    scope: Any
    serial: int
    owner: Any
    label = ""
    leaf: int | None = None
    value: Value | None = None
    name = ""


Taped: TypeAlias = TapedFloat | TapedInt | TapedFloat64
for _kind, _name in ((TapedFloat, "float"), (TapedInt, "int")):  # as Python's messages call them
    _kind.__name__ = _kind.__qualname__ = _name
    _kind.__module__ = "builtins"
NUMBERS = frozenset({float, int, TapedFloat, TapedInt})
"""The types of plain numbers; a truth value is none."""
STORED = NUMBERS | {Float64, TapedFloat64}
"""The types of numbers that are followed as the data of an object; NumPy computes with the last."""
FOLLOWED = frozenset({TapedFloat, TapedInt, TapedFloat64})
UNTYPED = {TapedFloat: float, TapedInt: int, TapedFloat64: Float64}


_HISTORY = (
    "args", "label", "leaf", "name", "node", "op", "owner", "scope", "serial", "value",
)  # fmt: skip


def is_a(x: Any, kind: Any) -> bool:
    """Whether the type of an object is a `kind`, or derived from one.

    `isinstance` would ask the object for its class, and that may run code of the program.
    """
    return issubclass(type(x), kind)


def plain(x: Any) -> Any:
    """The number of a taped one, without its history; anything else as it is."""
    kind = UNTYPED.get(type(x))
    return x if kind is None else kind(x)


def retyped(x: Any, kind: type[Any]) -> Any:
    """A followed number as a TapedFloat or TapedFloat64, with its history if it has one."""
    if x.op is None and not x.args:
        return UNTYPED[kind](x)
    out = kind(x)
    for name in _HISTORY:
        setattr(out, name, getattr(x, name))
    return out


def taped(x: float) -> Taped:
    """A number of the same type as `x`, without op, args or place yet."""
    if isinstance(x, int):
        return TapedInt(x)
    out = TapedFloat64(x) if isinstance(x, Float64) else TapedFloat(x)
    out.owner = None
    return out
