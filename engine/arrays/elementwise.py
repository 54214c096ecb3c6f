"""Operators of arrays, element by element, with broadcasting and NumPy's types of results."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from engine import real
from engine.array_ops.flat import unequal
from engine.array_ops.grid import (
    Grid,
    Shape,
    broadcast_shape,
    expanded_items,
    from_items,
)
from engine.ops import OPS, Op

from .context import Context
from .dtypes import BOOL, FLOAT64, OBJECT, ArrayDType, cast, promote, rounded, wrapped
from .scalars import COMPARISONS, FLOATS, SIGNS, WHOLES

UFUNCS = {
    "+": "add", "-": "subtract", "*": "multiply", "/": "divide", "//": "floor_divide",
    "%": "remainder", "**": "power", "&": "bitwise_and", "|": "bitwise_or", "^": "bitwise_xor",
    "<<": "left_shift", ">>": "right_shift", "==": "equal", "!=": "not_equal", "<": "less",
    "<=": "less_equal", ">": "greater", ">=": "greater_equal",
}  # fmt: skip
"""NumPy's name of the function behind a sign, for messages."""


class UFuncTypeError(TypeError):
    """An operator that does not exist for the types of its arrays."""


@dataclass(slots=True)
class Operand:
    """One side of an operator; `weak` marks a Python number, which takes the other side's bits."""

    grid: Grid
    dtype: ArrayDType
    weak: bool = False


def common_type(a: Operand, b: Operand) -> ArrayDType:
    """The type of elements that combine elements of both."""
    if a.weak == b.weak:
        return promote(a.dtype, b.dtype)
    weak, strong = (a, b) if a.weak else (b, a)
    order = "buif"
    if strong.dtype.kind in order and order.index(weak.dtype.kind) <= order.index(
        strong.dtype.kind
    ):
        return strong.dtype
    if strong.dtype.kind == "u" and weak.dtype.kind == "i":
        return strong.dtype
    return promote(a.dtype, b.dtype)


def joint_shape(a: Shape, b: Shape) -> Shape:
    """The shape of an elementwise result; ValueError if the shapes do not broadcast."""
    if a == b:
        return a
    shape = broadcast_shape(a, b)
    if shape is None:
        raise ValueError(str(unequal(a, b)))
    return shape


def binary(context: Context, sign: str, a: Operand, b: Operand) -> tuple[Grid, ArrayDType]:
    """`a sign b`; TypeError where the types do not allow it."""
    shape = joint_shape(a.grid.shape, b.grid.shape)
    context.admit(shape)
    dtype = common_type(a, b)
    _check_types(sign, a, b, dtype)
    if sign == "/" and dtype.kind in "bui":
        dtype = FLOAT64
    left, right = expanded_items(a.grid, shape), expanded_items(b.grid, shape)
    for side in (a, b):
        if side.weak and dtype.kind == "u" and not 0 <= (x := side.grid.flat[0]) < 2**dtype.bits:
            raise OverflowError(f"Python integer {x} out of bounds for {dtype.name}")
    if dtype is OBJECT:
        items = [context.host.binary(sign, x, y) for x, y in zip(left, right, strict=True)]
    elif dtype.kind == "f":
        left = left if a.dtype is dtype else cast(left, dtype)
        right = right if b.dtype is dtype else cast(right, dtype)
        items = rounded(_floats(context, sign, left, right, b), dtype)
    else:
        if dtype is BOOL and sign not in _LOGICAL:
            context.host.refuse(
                f"NumPy computes {sign} of truth values in 8-bit integers, which are not here.",
                "Write x.astype(int).",
            )
        items = _wholes(context, sign, left, right, dtype)
    return from_items(items, shape), dtype


_LOGICAL = {"+": operator.or_, "*": operator.and_, "&": operator.and_, "|": operator.or_,
            "^": operator.xor}  # fmt: skip


def _check_types(sign: str, a: Operand, b: Operand, dtype: ArrayDType) -> None:
    if dtype.kind == "U":
        raise UFuncTypeError(
            f"ufunc '{UFUNCS[sign]}' did not contain a loop with signature matching types "
            f"({a.dtype!r}, {b.dtype!r}) -> None"
        )
    if dtype.kind == "f" and sign not in FLOATS:
        raise TypeError(
            f"ufunc '{UFUNCS[sign]}' not supported for the input types, and the inputs could not "
            "be safely coerced to any supported types according to the casting rule ''safe''"
        )
    if dtype is BOOL and sign == "-":
        raise TypeError(
            "numpy boolean subtract, the `-` operator, is not supported, use the bitwise_xor, "
            "the `^` operator, or the logical_xor function instead."
        )


def _floats(
    context: Context, sign: str, left: list[float], right: list[float], b: Operand
) -> list[float]:
    exponent = b.grid.flat[b.grid.offset] if sign == "**" and not b.grid.shape else None
    if exponent in SPECIAL_POWERS:
        items = SPECIAL_POWERS[exponent](left)
    else:
        try:
            items = list(map(_QUICK[sign], left, right))
        except ArithmeticError:
            items = list(map(FLOATS[sign], left, right))
        except ValueError:
            items = list(map(FLOATS[sign], left, right))
    _report(context, sign, left, right, items)
    return items


_QUICK: dict[str, Callable[[Any, Any], Any]] = {**SIGNS, "**": math.pow}

SPECIAL_POWERS: dict[Any, Callable[[list[float]], list[float]]] = {
    2: lambda xs: list(map(operator.mul, xs, xs)),
    0.5: lambda xs: list(map(real.sqrt, xs)),
    -1: lambda xs: [real.divide(1.0, x) for x in xs],
}
"""Powers that NumPy computes without the power function."""


def _power(a: float, b: float) -> float:
    return SPECIAL_POWERS[b]([a])[0] if b in SPECIAL_POWERS else real.power(a, b)


OPERATIONS: dict[str, Op] = {**OPS, "**": OPS["**"].computed_by(_power)}
"""The operations of the picture by name, with NumPy's last digit."""


def _report(
    context: Context, sign: str, left: list[float], right: list[float], items: list[float]
) -> None:
    """Warn of infinities and nans that finite numbers gave."""
    if math.isfinite(sum(items)):
        return
    found: dict[str, None] = {}
    for x, y, z in zip(left, right, items, strict=True):
        if math.isfinite(z) or x != x or y != y:
            continue
        if z != z:
            found["invalid"] = None
        elif math.isfinite(x) and math.isfinite(y):
            zero = (sign in ("/", "//") and y == 0) or (sign == "**" and x == 0)
            found["divide" if zero else "over"] = None
    for kind in found:
        context.warn(kind, UFUNCS[sign])


def _wholes(
    context: Context, sign: str, left: list[int], right: list[int], dtype: ArrayDType
) -> list[Any]:
    if dtype is BOOL:
        return list(map(_LOGICAL[sign], left, right))
    if sign in ("//", "%") and 0 in right:
        context.warn("divide", UFUNCS[sign])
    return wrapped(list(map(WHOLES[sign], left, right)), dtype)


def compare(context: Context, sign: str, a: Operand, b: Operand) -> tuple[Grid, ArrayDType]:
    """`a sign b` as truth values; elements without an order are only equal or not."""
    shape = joint_shape(a.grid.shape, b.grid.shape)
    context.admit(shape)
    dtype = common_type(a, b)
    left, right = expanded_items(a.grid, shape), expanded_items(b.grid, shape)
    texts = (a.dtype.kind == "U") + (b.dtype.kind == "U")
    if texts == 1 and dtype is not OBJECT:
        return _without_order(sign, a, b, shape)
    if dtype is not OBJECT and dtype.bits == 32 and dtype.kind == "f":
        left, right = cast(left, dtype), cast(right, dtype)
    items = list(map(COMPARISONS[sign], left, right))
    if dtype is OBJECT:
        items = [bool(x) for x in items]
    return from_items(items, shape), BOOL


def _without_order(sign: str, a: Operand, b: Operand, shape: Shape) -> tuple[Grid, ArrayDType]:
    if sign not in ("==", "!="):
        raise UFuncTypeError(
            f"ufunc '{UFUNCS[sign]}' did not contain a loop with signature matching types "
            f"({a.dtype!r}, {b.dtype!r}) -> None"
        )
    return from_items([sign == "!="] * math.prod(shape), shape), BOOL
