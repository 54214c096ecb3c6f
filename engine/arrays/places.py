"""The places of elements: triangles of matrices, walks over indices, pieces, windows."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from itertools import pairwise
from math import prod
from typing import Any

from engine.array_ops.grid import expand, from_items, indices

from .array import Array, as_array, combined, result
from .context import Context
from .dtypes import BOOL, INT64, cast
from .reshaping import atleast_1d
from .scalars import Int64, scalar
from .shapes import shape_of


def _triangle(keep: Callable[[int, int], bool]) -> Callable[..., Array]:
    """A copy of matrices in the last two axes with zeros where `keep(column - row, k)` is false."""

    def triangle(context: Context, m: Any, k: int = 0) -> Array:
        array = as_array(context, m)
        if array.ndim == 0:
            raise ValueError("m must be at least 1-d")
        if array.ndim == 1:
            shape = (array.size, array.size)
            context.admit(shape)
            array = array.like(expand(array.grid, shape))
        places = zip(indices(array.shape), array.items(), strict=True)
        (zero,) = cast([0], array.dtype)
        items = [x if keep(at[-1] - at[-2], k) else zero for at, x in places]
        return array.like(from_items(items, array.shape))

    return triangle


triu, tril = _triangle(operator.ge), _triangle(operator.le)


def _triangle_indices(keep: Callable[[int, int], bool]) -> Callable[..., tuple[Array, ...]]:
    def function(context: Context, n: int, k: int = 0, m: int | None = None) -> tuple[Array, ...]:
        shape = (n, n if m is None else m)
        context.admit(shape)
        at = [(i, j) for i, j in indices(shape) if keep(j - i, k)]
        return tuple(
            Array(context, from_items([pair[axis] for pair in at], (len(at),)), INT64)
            for axis in (0, 1)
        )

    return function


triu_indices, tril_indices = _triangle_indices(operator.ge), _triangle_indices(operator.le)


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


def ravel_multi_index(context: Context, multi_index: Any, dims: Any) -> Any:
    """The place in row-major order of an index, axis by axis."""
    sizes, found = shape_of(dims), 0
    for i, n in zip(multi_index, sizes, strict=True):
        index = as_array(context, i)
        if any(not 0 <= x < n for x in index.items()):
            raise ValueError("invalid entry in coordinates array")
        found = combined(context, "+", combined(context, "*", found, n), index)
    return found


def flat_vectors(context: Context, *arrays: Any) -> None:
    """Raises ValueError for arrays of several axes."""
    if any(as_array(context, x).ndim > 1 for x in arrays):
        raise ValueError("object too deep for desired array")


def piecewise(context: Context, x: Any, condlist: Any, funclist: Any) -> Array:
    """For each element the function, or the number, of the last condition that holds."""
    array = as_array(context, x)
    tests = [as_array(context, c) for c in condlist]
    if len(funclist) not in (len(tests), len(tests) + 1):
        raise ValueError(
            f"with {len(tests)} condition(s), either {len(tests)} or {len(tests) + 1} functions "
            "are expected"
        )
    found = array.like(from_items(cast([0] * array.size, array.dtype), array.shape))
    taken = [any(truths) for truths in zip(*(test.items() for test in tests), strict=True)]
    rest = Array(context, from_items([not t for t in taken], array.shape), BOOL)
    for test, value in zip([*tests, rest], funclist, strict=False):
        found[test] = context.host.call(value, array[test]) if callable(value) else value
    return found


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
    flat_vectors(context, a, v)
    pair = (atleast_1d(context, a), atleast_1d(context, v))
    long, short = sorted(pair, key=len, reverse=True)
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
