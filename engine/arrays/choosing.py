"""Functions that compare, order and choose elements."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from functools import cmp_to_key
from typing import Any

from engine.array_ops.grid import Grid, chunks, expanded_items, from_items, transpose

from .array import Array, as_array, combined, operand, result
from .calling import delivered
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
        return nonzero(as_array(context, condition))
    sides = operand(context, x), operand(context, y)
    dtype = common_type(*sides)
    shape, (tests, left, right) = _aligned(context, test, *sides)
    items = [p if t else q for t, p, q in zip(tests, left, right, strict=True)]
    return Array(context, from_items(cast(items, dtype), shape), dtype)


def nonzero(a: Array) -> tuple[Array, ...]:
    """The indices of the true elements, one array for each axis."""
    at = [i for i, x in enumerate(a.items()) if x]
    steps = [math.prod(a.shape[k + 1 :]) for k in range(a.ndim)]
    return tuple(
        a.row([i // step % n for i in at], INT64) for step, n in zip(steps, a.shape, strict=True)
    )


def argwhere(a: Array) -> Array:
    """The indices of the true elements, one row for each."""
    columns = [c.items() for c in nonzero(a)]
    count = len(columns[0]) if columns else int(bool(a.item()))
    items = [i for index in zip(*columns, strict=True) for i in index]
    return a.made(items, (count, a.ndim), INT64)


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


def _flat(a: Array, axis: Any) -> tuple[Array, Any]:
    """The array and an axis; without one, all elements in a row."""
    return (a, axis) if axis is not None and a.ndim else (a.row(a.items()), 0)


def sort(a: Array, axis: Any = -1, kind: Any = None) -> Array:
    """A sorted copy."""
    if axis is not None:
        axis_of(axis, a.ndim)
    a, axis = _flat(a, axis)
    return along_axis(a, axis, lambda row: sorted(row, key=_order(a.dtype, row)), a.dtype)


def partition(a: Array, kth: Any, axis: Any = -1) -> Array:
    """A copy in which the smallest stand before the place `kth`: here all in order."""
    n = a.size if axis is None else a.shape[axis]
    for k in kth if isinstance(kth, (list, tuple)) else [kth]:
        if n and not -n <= k < n:
            raise ValueError(f"kth(={k}) out of bounds ({n})")
    return sort(a, axis)


def argsort(a: Array, axis: Any = -1, kind: Any = None, stable: Any = None) -> Array:
    """The indices that sort an array; equal elements keep their order."""
    a, axis = _flat(a, axis)

    def places(row: Row) -> Row:
        order = _order(a.dtype, row)
        return sorted(range(len(row)), key=lambda i: order(row[i]) if order else row[i])

    return along_axis(a, axis, places, INT64)


def lexsort(context: Context, keys: Any) -> Array:
    """The indices that sort by the last row, then by the one before, and so on."""
    rows = [as_array(context, row) for row in keys]
    columns = [row.items() for row in reversed(rows)]
    return rows[0].row(
        sorted(range(rows[0].size), key=lambda i: [column[i] for column in columns]), INT64
    )


def unique(
    ar: Array, return_index: bool = False, return_inverse: bool = False,
    return_counts: bool = False, axis: Any = None,
) -> Any:  # fmt: skip
    """The different elements, sorted; with their first places, the place of each, their counts.

    Along an axis the different slices, each compared from its first element on.
    """
    items: list[Any] = ar.items()
    if axis is not None and ar.ndim > 1:
        k = axis_of(axis, ar.ndim)
        moved = transpose(ar.grid, [k, *(i for i in range(ar.ndim) if i != k)])
        shape, items = moved.shape[1:], list(map(tuple, _slices(moved)))
    counts: dict[Any, int] = {}
    first: dict[Any, int] = {}
    for i, x in enumerate(items):
        counts[x] = counts.get(x, 0) + 1
        first.setdefault(x, i)
    is_slice = bool(items) and type(items[0]) is tuple
    keys = sorted(counts, key=None if is_slice else _order(ar.dtype, items))
    place = {x: i for i, x in enumerate(keys)}
    if axis is not None and ar.ndim > 1:
        grid = from_items([x for key in keys for x in key], (len(keys), *shape))
        order = [*range(1, ar.ndim)]
        order.insert(k, 0)
        results = [ar.like(transpose(grid, order).copy())]
    else:
        results = [ar.row(keys)]
    for wanted, column in (
        (return_index, [first[x] for x in keys]), (return_inverse, [place[x] for x in items]),
        (return_counts, [counts[x] for x in keys]),
    ):  # fmt: skip
        results += [ar.row(column, INT64)] if wanted else []
    return tuple(results) if len(results) > 1 else results[0]


def _slices(grid: Grid) -> list[Row]:
    """The slices along the first axis, each in a row."""
    return chunks(grid.items(), math.prod(grid.shape[1:]), grid.shape[0])


def searchsorted(a: Array, v: Any, side: str = "left") -> Any:
    """Where elements would be put into a sorted vector."""
    if a.ndim != 1:
        raise ValueError("object too deep for desired array")
    row, wanted = a.items(), operand(a.context, v).grid
    fits = (lambda x, y: x <= y) if side == "right" else (lambda x, y: x < y)
    items = [_bisected(row, x, fits) for x in wanted.items()]
    return a.answer(items, wanted.shape, INT64)


def _bisected(row: Row, x: Any, fits: Callable[[Any, Any], Any]) -> int:
    low, high = 0, len(row)
    while low < high:
        middle = (low + high) // 2
        low, high = (middle + 1, high) if fits(row[middle], x) else (low, middle)
    return low


# Differences


def diff(a: Array, n: int = 1, axis: Any = -1) -> Any:
    """The differences of neighbours, n times."""
    lead, found = (slice(None),) * (axis % a.ndim), a
    for _ in range(n):
        sign = "!=" if found.dtype is BOOL else "-"
        after, before = found[(*lead, slice(1, None))], found[(*lead, slice(None, -1))]
        found = as_array(a.context, combined(a.context, sign, after, before))
    return found


def gradient(f: Array, *varargs: Any) -> Array:
    """The slope at each point of a vector: central differences, one-sided at the ends."""
    y = f if f.dtype.kind == "f" else f.astype(FLOAT64)
    if y.ndim != 1:
        f.context.host.refuse(
            "np.gradient takes arrays of one axis here.", "Take the gradient of each row."
        )
    if len(y) < 2:
        raise ValueError(
            "Shape of array too small to calculate a numerical gradient, at least (edge_order + 1) "
            "elements are required."
        )
    step = as_array(f.context, varargs[0] if varargs else 1.0, FLOAT64)
    slopes = _uneven(y.items(), step.items()) if step.ndim else _even(y.items(), step.item())
    return y.made(cast(slopes, y.dtype))


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
