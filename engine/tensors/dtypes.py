"""Element types and their promotion: bool < int64 < float32 < float64."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from operator import add
from typing import Any

from engine.real import as_single

from .scalar import all_single


@dataclass(frozen=True, slots=True)
class DType:
    """An element type; `category` is 0 for bool, 1 for integers, 2 for floats."""

    name: str
    category: int
    bits: int

    def __repr__(self) -> str:
        return f"torch.{self.name}"

    @property
    def is_floating_point(self) -> bool:
        return self.category == 2

    @property
    def itemsize(self) -> int:
        """Bytes of an element."""
        return max(self.bits // 8, 1)

    @property
    def title(self) -> str:
        """The name in PyTorch's messages."""
        titles = {"float32": "Float", "float64": "Double", "int64": "Long", "int32": "Int"}
        return titles.get(self.name, self.name.capitalize())

    def convert(self, numbers: Iterable[Any]) -> list[Any]:
        """`numbers` as elements of this type; floats are cut to integers towards 0."""
        if self.category == 2:
            return all_single(numbers) if self.bits == 32 else [float(x) for x in numbers]
        if self.category == 0:
            return [bool(x) for x in numbers]
        return [wrapped(int(x), self.bits) for x in numbers]

    @property
    def adder(self) -> Callable[[Any, Any], Any]:
        """Addition of two elements."""
        if self.category < 2:
            return lambda a, b: self.convert([a + b])[0]
        return add if self.bits == 64 else lambda a, b: as_single(a + b)


def wrapped(x: int, bits: int = 64) -> int:
    """`x` modulo 2^bits, as a signed integer."""
    half = 1 << (bits - 1)
    return x if -half <= x < half else (x + half) % (2 * half) - half


FLOAT32 = DType("float32", 2, 32)
FLOAT64 = DType("float64", 2, 64)
INT64 = DType("int64", 1, 64)
INT32 = DType("int32", 1, 32)
BOOL = DType("bool", 0, 1)

NAMES: dict[str, DType] = {
    "float32": FLOAT32, "float": FLOAT32, "float64": FLOAT64, "double": FLOAT64,
    "int64": INT64, "long": INT64, "int32": INT32, "int": INT32, "bool": BOOL,
}  # fmt: skip
"""The types as programs name them."""

DEFAULTS = frozenset({FLOAT32, INT64, BOOL})
"""The types that PyTorch does not print."""


def inferred(numbers: Sequence[Any]) -> DType:
    """The type of a tensor made of plain numbers: the widest among them, float32 of none."""
    widest = 0
    for x in numbers:
        if not isinstance(x, int):
            return FLOAT32
        widest = widest or (type(x) is not bool)
    return (INT64 if widest else BOOL) if numbers else FLOAT32


def promoted(operands: Iterable[tuple[DType, int]]) -> DType:
    """The type of a result from pairs of a type and a rank.

    The rank is 2 for tensors with axes, 1 for those without, 0 for plain numbers. A lower rank
    counts only where its category is higher; a plain number then gives the default type.
    """
    best: dict[int, DType] = {}
    for dtype, rank in operands:
        known = best.get(rank)
        if known is None or (dtype.category, dtype.bits) > (known.category, known.bits):
            best[rank] = dtype
    result: DType | None = None
    for rank in (2, 1, 0):
        candidate = best.get(rank)
        if candidate and (result is None or candidate.category > result.category):
            result = candidate
    assert result is not None
    return result
