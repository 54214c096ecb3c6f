"""The types of elements: their names, how they combine, and how elements change type.

An array holds plain Python numbers: bool, int, float, rounded or wrapped to the bits of its type.
"""

from __future__ import annotations

import math
from array import array as packed
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True, eq=False)
class ArrayDType:
    """A type of elements; `kind` is NumPy's letter: b, u, i, f, U (text) or O (object)."""

    name: str
    kind: str
    bits: int = 64

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return "dtype('O')" if self.kind == "O" else f"dtype('{self.name}')"

    def __eq__(self, other: object) -> bool:
        try:
            return self.name == dtype_of_name(other).name
        except TypeError:
            return False

    def __hash__(self) -> int:
        return hash(self.name)

    @property
    def itemsize(self) -> int:
        """Bytes of an element."""
        return 1 if self.kind == "b" else self.bits // 8


BOOL = ArrayDType("bool", "b", 8)
UINT8 = ArrayDType("uint8", "u", 8)
INT32 = ArrayDType("int32", "i", 32)
INT64 = ArrayDType("int64", "i")
UINT64 = ArrayDType("uint64", "u")
FLOAT32 = ArrayDType("float32", "f", 32)
FLOAT64 = ArrayDType("float64", "f")
OBJECT = ArrayDType("object", "O")

LADDER = (BOOL, UINT8, INT32, INT64, UINT64, FLOAT32, FLOAT64)
"""Every numeric type; two types combine to the higher one, but int and float32 to float64, as
are signed integers and uint64."""

NAMES: dict[Any, ArrayDType] = {dtype.name: dtype for dtype in (*LADDER, OBJECT)} | {
    float: FLOAT64, int: INT64, bool: BOOL, object: OBJECT, None: FLOAT64,
    "float": FLOAT64, "int": INT64, "double": FLOAT64, "single": FLOAT32,
    "f": FLOAT32, "f4": FLOAT32, "f8": FLOAT64, "d": FLOAT64, "<f4": FLOAT32, "<f8": FLOAT64,
    "i": INT32, "i4": INT32, "i8": INT64, "<i8": INT64, "l": INT64,
    "u1": UINT8, "?": BOOL, "O": OBJECT, "bool_": BOOL,
}  # fmt: skip
"""A type by whatever a program writes for it; the classes of scalars add themselves."""


def text_type(length: int) -> ArrayDType:
    """The type of texts of at most `length` letters."""
    return ArrayDType(f"<U{length}", "U", 32 * length)


def dtype_of_name(name: Any) -> ArrayDType:
    """The type that a program names; TypeError if there is none."""
    if isinstance(name, ArrayDType):
        return name
    if name is str:
        return text_type(0)
    try:
        return NAMES[name]
    except (KeyError, TypeError):
        raise TypeError(f"Cannot interpret '{name!r}' as a data type") from None


def promote(a: ArrayDType, b: ArrayDType) -> ArrayDType:
    """The type of elements computed from elements of two types."""
    if a is b:
        return a
    if "O" in (a.kind, b.kind):
        return OBJECT
    if "U" in (a.kind, b.kind):
        return max((t for t in (a, b) if t.kind == "U"), key=lambda t: t.bits)
    low, high = sorted((a, b), key=LADDER.index)
    wide = high is FLOAT32 and low.kind in "iu" and low.bits > 8
    return FLOAT64 if wide or (high is UINT64 and low.kind == "i") else high


def infer(items: list[Any]) -> ArrayDType:
    """The type of an array of these elements."""
    found: ArrayDType | None = None
    for kind in set(map(type, items)):
        dtype = type_of_class(kind)
        found = dtype if found is None else promote(found, dtype)
    if found is INT64 and not all(-(2**63) <= x < 2**63 for x in items):
        return OBJECT
    if found is not None and found.kind == "U":
        return text_type(max(len(str(x)) for x in items))
    return FLOAT64 if found is None else found


def type_of_class(kind: type) -> ArrayDType:
    """The type of an element by its Python class: plain, a NumPy scalar, or an object."""
    for base in kind.__mro__[:-1]:
        if base in NAMES:
            return NAMES[base]
        if base is str:
            return text_type(0)
    return OBJECT


def cast(items: list[Any], dtype: ArrayDType) -> list[Any]:
    """Elements converted to a type, as plain Python numbers in a new list.

    Integers wrap, floats are cut towards zero for integers; ValueError and TypeError as float()
    and int() raise them.
    """
    if dtype.kind == "f":
        return rounded(list(map(float, items)), dtype)
    if dtype.kind == "b":
        return list(map(bool, items))
    if dtype.kind in "iu":
        return wrapped([_whole(x) for x in items], dtype)
    return list(map(_text, items)) if dtype.kind == "U" else list(items)


def _text(x: Any) -> str:
    """The text of a number; of other objects only their kind, since theirs may be of any length."""
    return str(x) if x is None or isinstance(x, (str, int, float)) else f"<{type(x).__name__}>"


def _whole(x: Any) -> int:
    if isinstance(x, float) and not math.isfinite(x):
        return -(2**63)
    return int(x)


def rounded(items: list[float], dtype: ArrayDType) -> list[float]:
    """Floats at the precision of the type."""
    return packed("f", items).tolist() if dtype.bits == 32 else items


def wrapped(items: list[int], dtype: ArrayDType) -> list[int]:
    """Integers modulo 2^bits, within the bounds of the type."""
    half = 2**dtype.bits if dtype.kind == "u" else 2 ** (dtype.bits - 1)
    low = 0 if dtype.kind == "u" else -half
    if not items or (min(items) >= low and max(items) < half):
        return items
    return [(x - low) % 2**dtype.bits + low for x in items]


def shortest32(x: float) -> str:
    """The shortest decimal that rounds to the 32-bit float x, as NumPy writes it."""
    x = float(x)
    if not math.isfinite(x):
        return repr(x)
    digits = next(d for d in range(9) if rounded([float(f"{x:.{d}e}")], FLOAT32)[0] == x or d == 8)
    text = f"{x:.{digits}e}"
    if x == 0 or 1e-4 <= abs(x) < 1e6:
        text = repr(float(text))
    return text
