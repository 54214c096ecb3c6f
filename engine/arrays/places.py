"""The places of elements: triangles of matrices, walks over indices, pieces, windows."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from itertools import pairwise
from math import prod
from typing import Any

from engine.array_ops.grid import from_items, indices

from .array import Array, as_array, combined, result
from .context import Context
from .dtypes import BOOL, cast
from .scalars import Int64, scalar
from .shapes import shape_of


def _triangle(keep: Callable[[int, int], bool]) -> Callable[..., Array]:
    """A copy of a matrix with zeros where `keep(column - row, k)` is false."""

    def triangle(context: Context, m: Any, k: int = 0) -> Array:
        array = as_array(context, m)
        if array.ndim != 2:
            context.host.refuse("Triangles are those of matrices here.", "Take a matrix.")
        places = zip(indices(array.shape), array.items(), strict=True)
        (zero,) = cast([0], array.dtype)
        items = [x if keep(at[1] - at[0], k) else zero for at, x in places]
        return array.like(from_items(items, array.shape))

    return triangle


triu, tril = _triangle(operator.ge), _triangle(operator.le)


def ndenumerate(context: Context, arr: Any) -> Iterator[tuple[Any, Any]]:
    """Pairs of an index and its element."""
    array = as_array(context, arr)
    for at, x in zip(indices(array.shape), array.items(), strict=True):
        yield at, scalar(x, array.dtype)


def ndindex(context: Context, *shape: Any) -> Iterator[tuple[int, ...]]:
    """All indices of a shape."""
    sizes = shape_of(shape[0] if len(shape) == 1 else shape)
    context.admit(sizes)
    yield from indices(sizes)


def unravel_index(context: Context, index: Any, shape: Any) -> tuple[Any, ...]:
    """The index, axis by axis, of a place in row-major order."""
    at, sizes, found = operator.index(index), shape_of(shape), []
    if not 0 <= at < prod(sizes):
        raise ValueError(f"index {at} is out of bounds for array with size {prod(sizes)}")
    for n in reversed(sizes):
        at, rest = divmod(at, n)
        found.append(Int64(rest))
    return tuple(reversed(found))


def array_split(context: Context, ary: Any, sections: Any) -> list[Any]:
    """Pieces along the first axis; the first ones are one longer where it does not divide."""
    array, n = as_array(context, ary), operator.index(sections)
    if n <= 0:
        raise ValueError("number sections must be larger than 0.")
    size, longer = divmod(len(array), n)
    starts = [i * size + min(i, longer) for i in range(n + 1)]
    return [array[a:b] for a, b in pairwise(starts)]


def isin(context: Context, element: Any, test_elements: Any) -> Any:
    """Whether each element is one of others."""
    array, others = as_array(context, element), as_array(context, test_elements)
    known = others.items()
    items = [x in known for x in array.items()]
    return result(context, from_items(items, array.shape), BOOL)


def convolve(context: Context, a: Any, v: Any, mode: str = "full") -> Array:
    """Σⱼ a[j]·v[i − j] of two vectors: all, as many as the longer has, or without edges."""
    long, short = sorted((as_array(context, a), as_array(context, v)), key=len, reverse=True)
    if not short.size:
        raise ValueError(f"{'a' if as_array(context, a) is short else 'v'} cannot be empty")
    n, k = len(long), len(short)
    lead = {"full": 0, "same": (k - 1) // 2, "valid": k - 1}[mode]
    length = {"full": n + k - 1, "same": n, "valid": n - k + 1}[mode]
    context.admit((length,))
    rows = combined(context, "*", 1, long).items(), combined(context, "*", 1, short).items()
    items = [_overlap(*rows, i + lead) for i in range(length)]
    return as_array(context, items)


def _overlap(a: list[Any], v: list[Any], i: int) -> Any:
    return sum(a[j] * v[i - j] for j in range(max(0, i - len(v) + 1), min(len(a), i + 1)))
