"""Functions that compare, order and choose elements."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from functools import cmp_to_key
from typing import Any

from engine.array_ops.grid import chunks, expanded_items, from_items, reshape, transpose

from .array import Array, as_array, combined, delivered, operand, result
from .context import Context
from .dtypes import BOOL, FLOAT64, INT64, OBJECT, ArrayDType, cast, rounded
from .elementwise import Operand, common_type, joint_shape
from .reductions import along_axis
from .shapes import axis_of

Row = list[Any]


def _aligned(context: Context, *sides: Operand) -> tuple[tuple[int, ...], list[Row]]:
    shape: tuple[int, ...] = ()
    for side in sides:
        shape = joint_shape(shape, side.grid.shape)
    context.admit(shape)
    return shape, [expanded_items(side.grid, shape) for side in sides]


def _extreme(sign: int) -> Callable[..., Any]:
    def extreme(context: Context, a: Any, b: Any) -> Any:
        sides = operand(context, a), operand(context, b)
        dtype = common_type(*sides)
        shape, columns = _aligned(context, *sides)
        left, right = (cast(column, dtype) for column in columns)
        pairs = zip(left, right, strict=True)
        if sign > 0:
            items = [x if x >= y or x != x else y for x, y in pairs]
        else:
            items = [x if x <= y or x != x else y for x, y in pairs]
        return result(context, from_items(items, shape), dtype)

    return extreme


maximum = _extreme(1)
minimum = _extreme(-1)


def clip(
    context: Context, a: Any, a_min: Any = None, a_max: Any = None, out: Any = None, *,
    min: Any = None, max: Any = None,  # noqa: A002
) -> Any:  # fmt: skip
    """Elements within bounds; None for no bound."""
    if out is not None:
        return delivered(context, clip(context, a, a_min, a_max, min=min, max=max), out)
    low, high = (min if a_min is None else a_min), (max if a_max is None else a_max)
    if isinstance(a, Array) and a.dtype.kind == "u" and type(low) is int:
        low = low if low > 0 else 0  # which is no number of these
    a = a if low is None else maximum(context, a, low)
    a = a if high is None else minimum(context, a, high)
    return (
        a if isinstance(a, Array) or low is not None or high is not None else as_array(context, a)
    )


def where(context: Context, condition: Any, x: Any = None, y: Any = None) -> Any:
    """x where the condition holds, y elsewhere; without these, the places where it holds."""
    test = operand(context, condition)
    if x is None and y is None:
        return nonzero(context, condition)
    sides = operand(context, x), operand(context, y)
    dtype = common_type(*sides)
    shape, (tests, left, right) = _aligned(context, test, *sides)
    items = [p if t else q for t, p, q in zip(tests, left, right, strict=True)]
    return Array(context, from_items(cast(items, dtype), shape), dtype)


def nonzero(context: Context, a: Any) -> tuple[Array, ...]:
    """The indices of the true elements, one array for each axis."""
    found = as_array(context, a)
    at = [i for i, x in enumerate(found.items()) if x]
    columns = []
    for k in range(found.ndim):
        below = math.prod(found.shape[k + 1 :])
        columns.append([i // below % found.shape[k] for i in at])
    return tuple(Array(context, from_items(c, (len(at),)), INT64) for c in columns)


def argwhere(context: Context, a: Any) -> Array:
    """The indices of the true elements, one row for each."""
    if not as_array(context, a).ndim:
        return Array(context, from_items([], (int(bool(as_array(context, a).item())), 0)), INT64)
    columns = nonzero(context, a)
    rows = [i for index in zip(*(c.items() for c in columns), strict=True) for i in index]
    return Array(context, from_items(rows, (columns[0].size, len(columns))), INT64)


# Equality


def _close(x: float, y: float, rtol: float, atol: float, equal_nan: bool) -> bool:
    if x == y:
        return True
    if x != x and y != y:
        return equal_nan
    return math.isfinite(y) and abs(x - y) <= atol + rtol * abs(y)


def isclose(
    context: Context, a: Any, b: Any, rtol: float = 1e-5, atol: float = 1e-8,
    equal_nan: bool = False,
) -> Any:  # fmt: skip
    """Whether |a - b| ≤ atol + rtol·|b|."""
    shape, (left, right) = _aligned(context, operand(context, a), operand(context, b))
    pairs = zip(map(float, left), map(float, right), strict=True)
    items = [_close(x, y, float(rtol), float(atol), equal_nan) for x, y in pairs]
    return result(context, from_items(items, shape), BOOL)


def allclose(
    context: Context, a: Any, b: Any, rtol: float = 1e-5, atol: float = 1e-8,
    equal_nan: bool = False,
) -> bool:  # fmt: skip
    return all(as_array(context, isclose(context, a, b, rtol, atol, equal_nan)).items())


def array_equal(context: Context, a1: Any, a2: Any) -> bool:
    """Whether two arrays have one shape and equal elements."""
    a, b = as_array(context, a1), as_array(context, a2)
    return a.shape == b.shape and all(as_array(context, combined(context, "==", a, b)).items())


def logical(context: Context, f: Callable[[bool, bool], bool], a: Any, b: Any) -> Any:
    """A function of truth values, element by element."""
    shape, (left, right) = _aligned(context, operand(context, a), operand(context, b))
    items = [f(bool(x), bool(y)) for x, y in zip(left, right, strict=True)]
    return result(context, from_items(items, shape), BOOL)


def of_floats(
    context: Context, f: Callable[[float, float], float], a: Any, b: Any, *, whole: bool = False
) -> Any:
    """A function of two floats, element by element, in their common type; 64 bits of integers.

    With `whole` integers give integers.
    """
    sides = operand(context, a), operand(context, b)
    shape, (left, right) = _aligned(context, *sides)
    items = [f(float(x), float(y)) for x, y in zip(left, right, strict=True)]
    common = common_type(*sides)
    dtype = common if common.kind == "f" or (whole and common.kind != "b") else FLOAT64
    if dtype.kind != "f":
        return result(context, from_items([int(x) for x in items], shape), dtype)
    return result(context, from_items(rounded(items, dtype), shape), dtype)


# Order


def _order(dtype: ArrayDType, row: Row) -> Callable[[Any], Any] | None:
    """The key by which elements of a row are sorted: nan last."""
    if dtype is OBJECT:
        return cmp_to_key(lambda x, y: -1 if x < y else 1 if y < x else 0)
    return (lambda x: (x != x, x)) if any(x != x for x in row) else None


def sort(context: Context, a: Any, axis: Any = -1) -> Array:
    """A sorted copy."""
    found = as_array(context, a)
    if axis is None:
        found, axis = found.like(reshape(found.grid, (found.size,))), 0
    return along_axis(
        context, found, axis, lambda row: sorted(row, key=_order(found.dtype, row)), found.dtype
    )


def partition(context: Context, a: Any, kth: Any, axis: Any = -1) -> Array:
    """A copy in which the smallest stand before the place `kth`: here all in order."""
    array = as_array(context, a)
    n = array.size if axis is None else array.shape[axis]
    for k in kth if isinstance(kth, (list, tuple)) else [kth]:
        if not -n <= k < n:
            raise ValueError(f"kth(={k}) out of bounds ({n})")
    return sort(context, a, axis)


def argsort(
    context: Context, a: Any, axis: Any = -1, kind: Any = None, stable: Any = None
) -> Array:
    """The indices that sort an array; equal elements keep their order."""
    found = as_array(context, a)
    if axis is None:
        found, axis = found.like(reshape(found.grid, (found.size,))), 0

    def places(row: Row) -> Row:
        order = _order(found.dtype, row)
        return sorted(range(len(row)), key=lambda i: order(row[i]) if order else row[i])

    return along_axis(context, found, axis, places, INT64)


def unique(
    context: Context, ar: Any, return_index: bool = False, return_inverse: bool = False,
    return_counts: bool = False, axis: Any = None,
) -> Any:  # fmt: skip
    """The different elements, sorted; with their first places, the way back, their counts.

    Along an axis the different slices, each compared from its first element on.
    """
    found = as_array(context, ar)
    if axis is not None:
        axis = axis_of(axis, found.ndim)
    if found.ndim > 1 and axis is not None:
        asked = (return_index, return_inverse, return_counts)
        return _unique_slices(context, found, axis, *asked)
    items = found.items()
    counts: dict[Any, int] = {}
    first: dict[Any, int] = {}
    for i, x in enumerate(items):
        counts[x] = counts.get(x, 0) + 1
        first.setdefault(x, i)
    keys = sorted(counts, key=_order(found.dtype, items))
    place = {x: i for i, x in enumerate(keys)}
    results = [found.like(from_items(keys, (len(keys),)))]
    for wanted, column in (
        (return_index, [first[x] for x in keys]),
        (return_inverse, [place[x] for x in items]),
        (return_counts, [counts[x] for x in keys]),
    ):
        if wanted:
            results.append(Array(context, from_items(column, (len(column),)), INT64))
    return tuple(results) if len(results) > 1 else results[0]


def _unique_slices(context: Context, found: Array, axis: int, *wanted: bool) -> Any:
    order = [axis, *(k for k in range(found.ndim) if k != axis)]
    moved = transpose(found.grid, order)
    length = math.prod(moved.shape[1:])
    slices = [tuple(row) for row in chunks(moved.items(), length, moved.shape[0])]
    keys = sorted(set(slices))
    items = [x for key in keys for x in key]
    back = transpose(from_items(items, (len(keys), *moved.shape[1:])),
                     [order.index(k) for k in range(found.ndim)])  # fmt: skip
    columns = (
        [slices.index(key) for key in keys],
        [keys.index(row) for row in slices],
        [slices.count(key) for key in keys],
    )
    results = [found.like(back.copy())]
    results += [
        Array(context, from_items(column, (len(column),)), INT64)
        for asked, column in zip(wanted, columns, strict=True)
        if asked
    ]
    return tuple(results) if len(results) > 1 else results[0]


def searchsorted(context: Context, a: Any, v: Any, side: str = "left") -> Any:
    """Where elements would be put into a sorted vector."""
    if as_array(context, a).ndim != 1:
        raise ValueError("object too deep for desired array")
    row = as_array(context, a).items()
    side_of = operand(context, v)
    fits = (lambda x, y: x <= y) if side == "right" else (lambda x, y: x < y)
    items = [_bisected(row, x, fits) for x in side_of.grid.items()]
    return result(context, from_items(items, side_of.grid.shape), INT64)


def _bisected(row: Row, x: Any, fits: Callable[[Any, Any], Any]) -> int:
    low, high = 0, len(row)
    while low < high:
        middle = (low + high) // 2
        low, high = (middle + 1, high) if fits(row[middle], x) else (low, middle)
    return low


# Differences


def diff(context: Context, a: Any, n: int = 1, axis: Any = -1) -> Array:
    """The differences of neighbours, n times."""
    found = as_array(context, a)
    axis = axis % found.ndim
    for _ in range(n):
        lead = (slice(None),) * axis
        found = as_array(
            context,
            combined(
                context,
                "!=" if found.dtype is BOOL else "-",
                found[(*lead, slice(1, None))],
                found[(*lead, slice(None, -1))],
            ),
        )
    return found


def gradient(context: Context, f: Any, *varargs: Any) -> Array:
    """The slope at each point of a vector: central differences, one-sided at the ends."""
    y = as_array(context, f)
    y = y if y.dtype.kind == "f" else y.astype(FLOAT64)
    if y.ndim != 1:
        context.host.refuse(
            "np.gradient takes arrays of one axis here.", "Take the gradient of each row."
        )
    if len(y) < 2:
        raise ValueError(
            "Shape of array too small to calculate a numerical gradient, at least (edge_order + 1) "
            "elements are required."
        )
    step = as_array(context, varargs[0] if varargs else 1.0, FLOAT64)
    slopes = _uneven(y.items(), step.items()) if step.ndim else _even(y.items(), step.item())
    return Array(context, from_items(cast(slopes, y.dtype), y.shape), y.dtype)


def _even(y: list[float], h: float) -> list[float]:
    inner = [(b - a) / (2.0 * h) for a, b in zip(y, y[2:], strict=False)]
    return [(y[1] - y[0]) / h, *inner, (y[-1] - y[-2]) / h]


def _uneven(y: list[float], x: list[float]) -> list[float]:
    gaps = [b - a for a, b in itertools.pairwise(x)]
    if all(gap == gaps[0] for gap in gaps):
        return _even(y, gaps[0])
    inner = []
    for i in range(1, len(y) - 1):
        p, q = gaps[i - 1], gaps[i]
        inner.append(
            -q / (p * (p + q)) * y[i - 1] + (q - p) / (p * q) * y[i] + p / (q * (p + q)) * y[i + 1]
        )
    return [(y[1] - y[0]) / gaps[0], *inner, (y[-1] - y[-2]) / gaps[-1]]
