"""Attributes and methods of int and float: CPython's own."""

from __future__ import annotations

from typing import Any

from .contract import Attribute, Kind, Machine, Method
from .weights import guarded_width, natively, whole

_PARTS: dict[str, Attribute] = {
    "real": lambda m, x: +x if isinstance(x, bool) else x,
    "imag": lambda m, x: 0 if isinstance(x, int) else 0.0,
}
_RATIO: dict[str, Attribute] = {
    "numerator": lambda m, x: +x if isinstance(x, bool) else x,
    "denominator": lambda m, x: 1,
}


def _bits(x: Any, *args: Any) -> int:
    return 1 + (int.bit_length(x) >> 5 if isinstance(x, int) else 0)


def _to_bytes(m: Machine, x: int, *args: Any, **kwargs: Any) -> bytes:
    length = whole(args[0] if args else kwargs.pop("length", 1))
    guarded_width(m, length)
    m.spend(_bits(x))
    return int.to_bytes(x, length, *args[1:], **kwargs)


def _conjugate(m: Machine, x: Any) -> Any:
    return +x if isinstance(x, bool) else x


_INT: dict[str, Method] = {
    "bit_length": natively(int.bit_length), "bit_count": natively(int.bit_count, _bits),
    "as_integer_ratio": natively(int.as_integer_ratio, _bits), "conjugate": _conjugate,
    "to_bytes": _to_bytes,
}  # fmt: skip
_FLOAT: dict[str, Method] = {
    "is_integer": natively(float.is_integer), "hex": natively(float.hex), "conjugate": _conjugate,
    "as_integer_ratio": natively(float.as_integer_ratio, lambda x: 40),
}  # fmt: skip

BOOL = Kind(bool, "a truth value", _PARTS | _RATIO, _INT)
INT = Kind(int, "a plain number", _PARTS | _RATIO, _INT)
FLOAT = Kind(float, "a plain number", _PARTS, _FLOAT)
