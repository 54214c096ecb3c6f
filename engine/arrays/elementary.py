"""Functions of one element: NumPy's elementary functions on numbers and on objects."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from engine import real
from engine.array_ops.grid import Grid, from_items
from engine.ops import OPS, Op
from engine.value import Value

from .context import Context
from .dtypes import BOOL, FLOAT64, OBJECT, ArrayDType, rounded, wrapped

Unary = Callable[[Any], Any]


@dataclass(frozen=True, slots=True)
class Elementary:
    """A function of one number: on floats, on integers where these stay, on objects.

    `method` is the method of an object that NumPy calls; `objects` replaces it where NumPy uses an
    operator. `pole` is a point where the function is infinite.
    """

    floats: Unary
    wholes: Unary | None = None
    method: str = ""
    objects: Unary | None = None
    pole: float | None = None
    truths: bool = False  # whether the results are truth values


def _outside(function: Unary, *, overflow: float = math.inf) -> Unary:
    """`function` with nan outside its domain and an infinity on overflow."""

    def total(x: float) -> float:
        try:
            return function(x)  # type: ignore[no-any-return]
        except ValueError:
            return math.nan
        except OverflowError:
            return overflow

    return total


def _log(function: Unary, zero: float = 0.0) -> Unary:
    def total(x: float) -> float:
        return -math.inf if x == zero else function(x)

    return total


def _kept(function: Unary) -> Unary:
    """A function to integers, as floats with the sign of zero; infinite and nan unchanged."""

    def total(x: float) -> float:
        return math.copysign(function(x), x) if math.isfinite(x) else x

    return total


def _sinh(x: float) -> float:
    return math.copysign(_outside(math.sinh)(abs(x)), x)


def _tanh(x: float) -> float:
    """tanh as NumPy rounds it most often; its last digit is not always that of `math.tanh`."""
    if not 0.25 <= abs(x) <= 20:
        return math.tanh(x)
    excess = math.expm1(2 * x)
    return excess / (excess + 2) if abs(x) < 0.5 else (math.exp(2 * x) - 1) / (math.exp(2 * x) + 1)


def _expm1(x: float) -> float:
    return math.inf if x >= 710 else math.expm1(x)


def _sign(x: float) -> float:
    return x if x != x else float((x > 0) - (x < 0))


_FLOATS: dict[str, Unary] = {
    "exp": real.exp, "exp2": lambda x: real.power(2.0, x), "expm1": _outside(_expm1),
    "log": real.log, "log2": _log(_outside(math.log2)), "log10": _log(_outside(math.log10)),
    "log1p": real.log1p, "sqrt": real.sqrt, "cbrt": math.cbrt, "sin": real.sin, "cos": real.cos,
    "tan": real.tan, "arcsin": _outside(math.asin), "arccos": _outside(math.acos),
    "arctan": math.atan, "sinh": _sinh, "cosh": _outside(math.cosh), "tanh": _tanh,
    "arcsinh": math.asinh, "arccosh": _outside(math.acosh), "arctanh": _outside(math.atanh),
    "deg2rad": lambda x: x * (math.pi / 180), "rad2deg": lambda x: x * (180 / math.pi),
}  # fmt: skip
_POLES = {"log": 0.0, "log2": 0.0, "log10": 0.0, "log1p": -1.0}
ELEMENTARY: dict[str, Elementary] = {
    **{name: Elementary(f, method=name, pole=_POLES.get(name)) for name, f in _FLOATS.items()},
    "floor": Elementary(_kept(math.floor), lambda x: x, "floor"),
    "ceil": Elementary(_kept(math.ceil), lambda x: x, "ceil"),
    "trunc": Elementary(_kept(math.trunc), lambda x: x, "trunc"),
    "rint": Elementary(_kept(round), None, "rint"),
    "absolute": Elementary(abs, abs, objects=abs),
    "negative": Elementary(operator.neg, operator.neg, objects=operator.neg),
    "square": Elementary(lambda x: x * x, lambda x: x * x),
    "sign": Elementary(_sign, lambda x: (x > 0) - (x < 0), objects=lambda x: (x > 0) - (x < 0)),
    "reciprocal": Elementary(
        lambda x: real.divide(1.0, x), lambda x: int(1 / x) if x else -(2**63)
    ),
    "fabs": Elementary(abs, objects=abs),
    "invert": Elementary(operator.invert, operator.invert, objects=operator.invert),
    "isnan": Elementary(lambda x: x != x, lambda x: False, truths=True),
    "isinf": Elementary(lambda x: x in (math.inf, -math.inf), lambda x: False, truths=True),
    "isfinite": Elementary(math.isfinite, lambda x: True, truths=True),
    "signbit": Elementary(lambda x: math.copysign(1, x) < 0, lambda x: x < 0, truths=True),
    "logical_not": Elementary(operator.not_, operator.not_, objects=operator.not_, truths=True),
}
"""The functions by NumPy's name."""

_OP_NAMES = {
    "absolute": "abs", "negative": "neg", "arcsin": "asin", "arccos": "acos", "arctan": "atan",
    "arcsinh": "asinh", "arccosh": "acosh", "arctanh": "atanh", "deg2rad": "radians",
    "rad2deg": "degrees",
}  # fmt: skip
"""Operations whose names are not NumPy's."""
OPERATIONS: dict[str, Op] = {
    name: OPS[_OP_NAMES.get(name, name)].computed_by(function.floats)
    for name, function in ELEMENTARY.items()
    if _OP_NAMES.get(name, name) in OPS
}
"""The functions that are operations of the picture, by NumPy's name, with NumPy's last digit."""


def apply(context: Context, name: str, grid: Grid, dtype: ArrayDType) -> tuple[Grid, ArrayDType]:
    """A function of every element; TypeError where the type has none."""
    function = ELEMENTARY[name]
    items = grid.items()
    if dtype is OBJECT and (function.method or function.objects or name == "square"):
        results, dtype = [_of_object(context, name, x) for x in items], OBJECT
    else:
        _check_type(name, dtype)
        results, dtype = _of_numbers(context, name, items, dtype)
    return from_items(results, grid.shape), BOOL if function.truths else dtype


def _check_type(name: str, dtype: ArrayDType) -> None:
    if dtype is BOOL and name == "negative":
        raise TypeError(
            "The numpy boolean negative, the `-` operator, is not supported, "
            "use the `~` operator or the logical_not function instead."
        )
    if dtype.kind in "UO" or (dtype.kind == "f" and name == "invert"):
        raise TypeError(
            f"ufunc '{name}' not supported for the input types, and the inputs could not be "
            "safely coerced to any supported types according to the casting rule ''safe''"
        )


def _of_numbers(
    context: Context, name: str, items: list[Any], dtype: ArrayDType
) -> tuple[list[Any], ArrayDType]:
    function = ELEMENTARY[name]
    if dtype is BOOL and name in ("invert", "logical_not"):
        return list(map(operator.not_, items)), BOOL
    if dtype.bits == 8 and not (function.truths or (function.wholes and dtype is not BOOL)):
        refuse_narrow(context, name, dtype)
    if dtype.kind != "f" and function.wholes:
        results = list(map(function.wholes, items))
        return (results if function.truths else wrapped(results, dtype)), dtype
    items = items if dtype.kind == "f" else list(map(float, items))
    results = list(map(function.floats, items))
    dtype = dtype if dtype.kind == "f" else FLOAT64
    if function.truths:
        return results, BOOL
    _report(context, name, items, results)
    return rounded(results, dtype), dtype


def refuse_narrow(context: Context, name: str, dtype: ArrayDType) -> None:
    context.host.refuse(
        f"NumPy computes {name} of {dtype.name} in a type of few bits that is not here.",
        "Write x.astype(float).",
    )


def _report(context: Context, name: str, items: list[float], results: list[float]) -> None:
    """Warn of infinities and nans that finite numbers gave."""
    if math.isfinite(sum(results)):
        return
    poles = {"arctanh": (1.0, -1.0), "reciprocal": (0.0,)}.get(name, (ELEMENTARY[name].pole,))
    found: dict[str, None] = {}
    for x, y in zip(items, results, strict=True):
        if math.isfinite(y) or x != x or (math.isinf(x) and math.isinf(y)):
            continue
        found["invalid" if y != y else "divide" if x in poles else "over"] = None
    for kind in found:
        context.warn(kind, name)


def _of_object(context: Context, name: str, x: Any) -> Any:
    """A function of an object: an operation of Values, an operator, or the object's own method."""
    function = ELEMENTARY[name]
    if isinstance(x, Value) and name in OPS and not OPS[name].module:
        return context.host.apply(OPS[name], x)
    if name == "square":
        return context.host.binary("*", x, x)
    if function.objects:
        return context.host.call(function.objects, x)
    try:
        method = context.host.get_attribute(x, function.method)
    except AttributeError:
        method = None
    if method is None:
        raise TypeError(
            f"loop of ufunc does not support argument 0 of type {type(x).__name__} which has no "
            f"callable {function.method} method"
        )
    return context.host.call(method)
