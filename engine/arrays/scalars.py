"""NumPy's scalars: numbers read from arrays, which keep their type and print it in `repr`.

They are Python's float and int with NumPy's rules: 1/0 is inf, integers wrap to their bits, and
`repr(x)` is "np.float64(2.0)" where `str(x)` is "2.0".
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any, ClassVar

from engine import real

from .dtypes import (
    BOOL,
    FLOAT32,
    FLOAT64,
    INT32,
    INT64,
    NAMES,
    UINT8,
    UINT64,
    ArrayDType,
    promote,
    rounded,
    shortest32,
    type_of_class,
    wrapped,
)

Binary = Callable[[Any, Any], Any]


def float_remainder(a: float, b: float) -> float:
    """a % b with the sign of b; nan for b = 0."""
    try:
        return a % b
    except ZeroDivisionError:
        return math.nan


def float_floor(a: float, b: float) -> float:
    """⌊a / b⌋; infinite or nan for b = 0."""
    try:
        return a // b
    except ZeroDivisionError:
        return real.divide(a, b)


def whole_floor(a: int, b: int) -> int:
    return a // b if b else 0


def whole_remainder(a: int, b: int) -> int:
    return a % b if b else 0


def whole_power(a: int, b: int) -> int:
    """a ** b modulo 2^64, within signed bounds; ValueError for b < 0."""
    if b < 0:
        raise ValueError("Integers to negative integer powers are not allowed.")
    return wrapped([pow(a, b, 2**64)], INT64)[0]


FLOATS: dict[str, Binary] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": real.divide,
    "//": float_floor, "%": float_remainder, "**": real.power,
}  # fmt: skip
"""What an operator does to two floats."""

WHOLES: dict[str, Binary] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul,
    "//": whole_floor, "%": whole_remainder, "**": whole_power,
    "&": operator.and_, "|": operator.or_, "^": operator.xor,
    "<<": lambda a, b: a << b if 0 <= b < 64 else 0, ">>": lambda a, b: a >> min(b, 64),
}  # fmt: skip
"""What an operator does to two integers, before it wraps."""

SIGNS: dict[str, Binary] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv,
    "//": operator.floordiv, "%": operator.mod, "**": operator.pow,
    "&": operator.and_, "|": operator.or_, "^": operator.xor,
    "<<": operator.lshift, ">>": operator.rshift,
}  # fmt: skip

COMPARISONS: dict[str, Binary] = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt,
    "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip

NAMES_OF_SIGNS = {
    "+": "add", "-": "sub", "*": "mul", "/": "truediv", "//": "floordiv", "%": "mod", "**": "pow",
    "&": "and", "|": "or", "^": "xor", "<<": "lshift", ">>": "rshift",
    "==": "eq", "!=": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge",
}  # fmt: skip
"""The special method of a sign, without its underscores."""


class Scalar:
    """What all scalars have in common."""

    __slots__ = ()
    dtype: ClassVar[ArrayDType]
    python: ClassVar[Any]  # the Python class of the plain number

    def item(self) -> Any:
        """The plain Python number."""
        return plain(self)

    def __str__(self) -> str:
        return repr(plain(self))

    def __repr__(self) -> str:
        return f"np.{self.dtype.name}({self!s})"

    def __format__(self, form: str) -> str:
        return format(plain(self), form)

    def __neg__(self) -> Any:
        return scalar(-plain(self), self.dtype)

    def __pos__(self) -> Any:
        return self

    def __abs__(self) -> Any:
        return scalar(abs(plain(self)), self.dtype)

    def __divmod__(self, other: Any) -> Any:
        return self // other, self % other


def _round(self: Any, digits: int | None = None) -> Any:
    if digits is None:
        return round(plain(self))
    return scalar(round_to(plain(self), digits), self.dtype)


def round_to(x: float, digits: int) -> float:
    """x rounded to decimals as NumPy does it: x·10ᵈ to the nearest, ties to even, over 10ᵈ."""
    if (isinstance(x, int) and digits >= 0) or not math.isfinite(x):
        return x
    scale = 10.0 ** abs(digits)
    y = x * scale if digits >= 0 else x / scale
    if not math.isfinite(y):
        return x
    y = math.copysign(round(y), y)
    result = y / scale if digits >= 0 else y * scale
    return int(result) if isinstance(x, int) else result


class Float64(Scalar, float):
    """A 64-bit float."""

    __slots__ = ()
    python = float
    dtype = FLOAT64
    __hash__ = float.__hash__


class Float32(Scalar, float):
    """A 32-bit float."""

    __slots__ = ()
    python = float
    dtype = FLOAT32
    __hash__ = float.__hash__

    def __str__(self) -> str:
        return shortest32(self)


class Int64(Scalar, int):
    """A 64-bit integer."""

    __slots__ = ()
    python = int
    dtype = INT64
    __hash__ = int.__hash__

    def __invert__(self) -> Any:
        return scalar(~int(self), self.dtype)


class Int32(Int64):
    """A 32-bit integer."""

    __slots__ = ()
    dtype = INT32
    __hash__ = int.__hash__


class UInt8(Int64):
    """An integer from 0 to 255."""

    __slots__ = ()
    dtype = UINT8
    __hash__ = int.__hash__


class UInt64(Int64):
    """An integer from 0 to 2⁶⁴ − 1."""

    __slots__ = ()
    dtype = UINT64
    __hash__ = int.__hash__


class Bool(Scalar, int):
    """A truth value, which is no Python bool."""

    __slots__ = ()
    python = bool
    dtype = BOOL
    __hash__ = int.__hash__

    def __repr__(self) -> str:
        return f"np.{self!s}_"

    def __invert__(self) -> Any:
        return FALSE if self else TRUE

    def __neg__(self) -> Any:
        raise TypeError(
            "The numpy boolean negative, the `-` operator, is not supported, "
            "use the `~` operator or the logical_not function instead."
        )


class Str(Scalar, str):
    """A text read from an array."""

    __slots__ = ()
    python = str
    __hash__ = str.__hash__

    def __str__(self) -> str:
        return str.__str__(self)

    def __repr__(self) -> str:
        return f"np.str_({str.__repr__(self)})"

    def __format__(self, form: str) -> str:
        return str.__format__(self, form)


TRUE, FALSE = Bool(1), Bool(0)
CLASSES: dict[str, type] = {
    "float64": Float64, "float32": Float32, "int64": Int64, "int32": Int32, "uint8": UInt8,
    "uint64": UInt64,
}  # fmt: skip
"""The class of a scalar by the name of its type."""
NAMES.update({CLASSES[name]: NAMES[name] for name in CLASSES} | {Bool: BOOL})


def plain(x: Any) -> Any:
    """The Python number of a scalar; anything else unchanged."""
    return x.python(x) if isinstance(x, Scalar) else x


def scalar(x: Any, dtype: ArrayDType) -> Any:
    """The scalar of an element; elements of object arrays are themselves."""
    if dtype.kind == "b":
        return TRUE if x else FALSE
    if dtype.kind == "U":
        return Str(x)
    return x if dtype.kind == "O" else CLASSES[dtype.name](_fitted(x, dtype))


def _fitted(x: Any, dtype: ArrayDType) -> Any:
    if dtype.kind == "f":
        return rounded([float(x)], dtype)[0]
    return wrapped([int(x)], dtype)[0]


# Operators


def _operands(a: Any, b: Any) -> ArrayDType | None:
    """The type in which a scalar and a number combine; None if b is no number.

    Python's own numbers have no bits of their own: they take those of the scalar.
    """
    if not isinstance(b, (int, float)):
        return None
    if isinstance(b, Scalar):
        return promote(a.dtype, b.dtype)
    rank = type_of_class(type(b))
    if rank.kind == a.dtype.kind or rank.kind == "b" or (rank.kind == "i" and a.dtype.kind in "fu"):
        return a.dtype  # type: ignore[no-any-return]
    return rank


def compute(sign: str, a: Any, b: Any, dtype: ArrayDType) -> Any:
    """`a sign b` of two plain numbers in a type."""
    if dtype.kind == "f" or sign == "/":
        dtype = FLOAT64 if dtype.kind != "f" else dtype
        if sign not in FLOATS:
            return NotImplemented
        a, b = _at_precision(a, b, dtype)
        return scalar(FLOATS[sign](a, b), dtype)
    if dtype.kind == "b":
        return _truths(sign, bool(a), bool(b))
    return scalar(WHOLES[sign](int(a), int(b)), dtype)


def _at_precision(a: Any, b: Any, dtype: ArrayDType) -> Any:
    return rounded([float(a), float(b)], dtype)


def _truths(sign: str, a: bool, b: bool) -> Any:
    if sign == "-":
        raise TypeError(
            "numpy boolean subtract, the `-` operator, is not supported, use the bitwise_xor, "
            "the `^` operator, or the logical_xor function instead."
        )
    if sign in ("+", "*"):
        return TRUE if (a or b if sign == "+" else a and b) else FALSE
    dtype = BOOL if sign in "&|^" else INT64
    return scalar(WHOLES[sign](a, b), dtype)


def _forward(sign: str) -> Binary:
    def operation(self: Any, other: Any) -> Any:
        dtype = _operands(self, other)
        if dtype is None:
            return _with_object(sign, self, other)
        return compute(sign, plain(self), plain(other), dtype)

    return operation


def _with_object(sign: str, self: Any, other: Any) -> Any:
    """A program's object meets the plain number; everything else answers for itself."""
    reflected = f"__r{NAMES_OF_SIGNS[sign]}__"
    if getattr(type(other), "__array_priority__", 0) or not hasattr(type(other), reflected):
        return NotImplemented
    return SIGNS[sign](plain(self), other)


def _reflected(sign: str) -> Binary:
    def operation(self: Any, other: Any) -> Any:
        dtype = _operands(self, other)
        return NotImplemented if dtype is None else compute(sign, plain(other), plain(self), dtype)

    return operation


def _comparison(sign: str) -> Binary:
    compare = COMPARISONS[sign]

    def operation(self: Any, other: Any) -> Any:
        dtype = _operands(self, other)
        if dtype is None:
            return NotImplemented
        a, b = plain(self), plain(other)
        a, b = _at_precision(a, b, dtype) if dtype.kind == "f" else (a, b)
        return TRUE if compare(a, b) else FALSE

    return operation


def _fast(slow: Binary, native: Binary) -> Binary:
    """An operation of Float64 that needs no table for two 64-bit floats inside its domain."""

    def operation(self: Any, other: Any) -> Any:
        if type(other) is float or type(other) is Float64:
            try:
                return Float64(native(self, other))
            except ZeroDivisionError:
                pass
        return slow(self, other)

    return operation


def _install() -> None:
    kinds: list[Any] = [Float64, Float32, Int64, Bool]
    for kind in kinds:
        for sign in SIGNS:
            setattr(kind, f"__{NAMES_OF_SIGNS[sign]}__", _forward(sign))
            setattr(kind, f"__r{NAMES_OF_SIGNS[sign]}__", _reflected(sign))
        for sign in COMPARISONS:
            setattr(kind, f"__{NAMES_OF_SIGNS[sign]}__", _comparison(sign))
        kind.__round__ = _round
    for name in ("add", "sub", "mul", "truediv", "radd", "rsub", "rmul", "rtruediv"):
        slow, native = getattr(Float64, f"__{name}__"), getattr(float, f"__{name}__")
        setattr(Float64, f"__{name}__", _fast(slow, native))
    for name, kind in {**CLASSES, "bool": Bool, "str_": Str}.items():
        kind.__module__, kind.__name__, kind.__qualname__ = "numpy", name, name


_install()
