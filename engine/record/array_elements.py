"""The elements of the arrays of a program, whichever library made them, and plain parameters."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from math import isfinite, prod
from types import FunctionType, MethodType
from typing import Any

from engine.array_ops.grid import from_items
from engine.arrays.array import Array
from engine.arrays.scalars import Scalar
from engine.tensors.tensor_array import TensorArray

from .follow import is_a
from .places import FILENAME


def _of_array(x: Any) -> Sequence[Any] | None:
    return x.grid.items() if x.dtype.kind in "fiub" else None


_READERS: dict[type, Callable[[Any], Sequence[Any] | None]] = {
    Array: _of_array, TensorArray: lambda x: x.numbers(),
}  # fmt: skip
"""The elements of an array of each type in row-major order; None if they are no numbers."""


def elements(x: Any) -> Sequence[Any] | None:
    """The elements of an array in row-major order; None for anything else."""
    reader = _READERS.get(type(x))
    if reader is not None:
        return reader(x)
    if type(x).__module__ == "numpy" and hasattr(x, "tolist") and x.dtype.kind in "fiub":
        found: Sequence[Any] = x.ravel().tolist()
        return found
    return None


def is_array(x: Any) -> bool:
    return type(x) in _READERS or (type(x).__module__ == "numpy" and hasattr(x, "shape"))


class ArrayMethod:
    """A method that was read of an array, with the array."""

    __slots__ = ("function", "name", "of")

    def __init__(self, of: Any, name: str, function: Any) -> None:
        self.of, self.name, self.function = of, name, function

    def __call__(self, *args: Any, **keywords: Any) -> Any:
        return self.function(*args, **keywords)


def as_number(x: Any) -> float:
    return float(x)


def elements_of(x: Any) -> Sequence[Any]:
    return (elements(x) or ()) if is_array(x) else (float(x),)


def chosen_places(owner: Any, index: Any) -> tuple[list[int], list[int]] | None:
    """The places of the elements `owner[index]` in row-major order, and their shape."""
    places = list(range(prod(owner.shape)))
    numbered: Any
    if isinstance(owner, Array):
        numbered = owner.like(from_items(places, owner.shape))
    elif isinstance(owner, TensorArray):
        numbered = TensorArray(owner.session, from_items(places, owner.shape), owner.dtype)
    elif type(owner).__module__ == "numpy":
        numbered = sys.modules["numpy"].arange(len(places)).reshape(owner.shape)
    else:
        return None
    found = numbered[index]
    if is_array(found):
        return [int(i) for i in elements(found) or ()], list(found.shape)
    return [int(found)], []


def same_numbers(a: Sequence[Any], b: Sequence[Any]) -> bool:
    return len(a) == len(b) and all(
        x == y or (x != x and y != y) for x, y in zip(a, b, strict=True)
    )


def nested_numbers(x: Any) -> tuple[tuple[float, ...] | None, tuple[int, ...]]:
    """The numbers of a list of numbers, or of lists of as many; None for anything else."""
    if x and all(is_a(item, int | float) for item in x):
        return tuple(map(float, x)), (len(x),)
    if x and all(is_a(row, list | tuple) for row in x):
        rows = [nested_numbers(row) for row in x]
        if len({shape for _, shape in rows}) == 1 and rows[0][0] is not None:
            return tuple([n for data, _ in rows for n in data or ()]), (len(x), *rows[0][1])
    return None, ()


def plain_params(params: Any) -> dict[str, Any]:
    found = {key: plain_param(x) for key, x in params.items()}
    return {key: x for key, x in found.items() if x is not None}


def plain_param(x: Any) -> Any:
    """A parameter as JSON has it."""
    if x is None or is_a(x, str | bool):
        return x
    if is_a(x, int | float | Scalar):
        number = as_number(x)
        if not isfinite(number):
            return None
        return int(number) if number.is_integer() else number
    return [plain_param(part) for part in x] if is_a(x, tuple | list | range) else None


def is_of_program(function: Any) -> bool:
    """Whether a function stands in the program's text, where its own operations are seen."""
    if type(function) is MethodType:
        function = function.__func__
    return type(function) is FunctionType and function.__code__.co_filename == FILENAME
