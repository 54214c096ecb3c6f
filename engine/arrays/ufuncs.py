"""Functions of two arrays as objects: `np.add(a, b, out=c)`, `np.add.reduce`, `np.add.at`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.array_ops.grid import ElementIndices, expanded_items

from . import reductions
from .arrangement import ravel, reshape
from .array import Array, as_array
from .calling import delivered
from .context import Context
from .dtypes import cast
from .making import chosen_type


class Ufunc:
    """A function of two arrays, element by element, and what NumPy makes of it."""

    def __init__(self, context: Context, name: str, function: Callable[..., Any]) -> None:
        self.context, self.function = context, function
        self.__name__ = self.name = name

    def __repr__(self) -> str:
        return f"<ufunc '{self.name}'>"

    def __call__(self, x1: Any, x2: Any, out: Any = None, dtype: Any = None) -> Any:
        kind = chosen_type(dtype)
        found = self.function(self.context, x1, x2)
        if kind is not None:
            found = as_array(self.context, found).astype(kind)
        return delivered(self.context, found, out)

    def reduce(self, a: Any, axis: Any = 0, keepdims: bool = False) -> Any:
        """The elements along an axis combined from the left."""
        whole = _REDUCTIONS.get(self.name)
        if whole is not None:
            return whole(as_array(self.context, a), axis=axis, keepdims=keepdims)
        array = as_array(self.context, a)
        rows = ravel(array) if axis is None else array
        if axis not in (None, 0) or keepdims or not len(rows):
            self.context.host.refuse(
                f"np.{self.name}.reduce takes the first axis here.", "Write a loop."
            )
        total: Any = rows[0]
        for row in rows[1:]:
            total = self(total, row)
        return total

    def accumulate(self, array: Any, axis: Any = 0) -> Any:
        """The running results along the first axis."""
        running = {"add": reductions.cumsum, "multiply": reductions.cumprod}.get(self.name)
        if running is not None:
            return running(as_array(self.context, array), axis=axis)
        rows = as_array(self.context, array)
        if axis != 0:
            self.context.host.refuse(
                f"np.{self.name}.accumulate takes the first axis here.", "Write a loop."
            )
        found: list[Any] = []
        for row in rows:
            found.append(self(found[-1], row) if found else row)
        return as_array(self.context, found)

    def outer(self, a: Any, b: Any) -> Any:
        """The results of every pair of elements."""
        left, right = as_array(self.context, a), as_array(self.context, b)
        shape = left.shape + (1,) * right.ndim
        return self(reshape(left, shape), right)

    def at(self, a: Any, indices: Any, b: Any) -> None:
        """`a[indices]` combined with `b` in place; an index that repeats counts each time."""
        if not isinstance(a, Array):
            raise TypeError("first operand must be array")
        key = as_array(self.context, indices) if isinstance(indices, list) else indices
        found = a.find(key)
        self.context.admit(found.shape)
        values = expanded_items(as_array(self.context, b).grid, found.shape)
        flat = found.flat if isinstance(found, ElementIndices) else a.grid.flat
        for place, value in zip(found.positions(), values, strict=True):
            combined = self.function(self.context, flat[place], value)
            flat[place] = cast([combined], a.dtype)[0]


_REDUCTIONS: dict[str, Callable[..., Any]] = {
    "add": reductions.sum_of, "multiply": reductions.prod, "maximum": reductions.maximum_of,
    "minimum": reductions.minimum_of, "logical_and": reductions.all_of,
    "logical_or": reductions.any_of,
}  # fmt: skip
