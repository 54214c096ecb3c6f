"""New arrays: from lists, from ranges, filled, of a shape that another array has."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

from engine.array_ops.grid import ReadOnly, expand, expanded_items, filled, from_items, insert_axis
from engine.array_ops.grid import diagonal as diagonal_of

from .array import Array, as_array, combined, operand
from .context import Context
from .dtypes import FLOAT64, OBJECT, ArrayDType, cast, dtype_of_name, infer
from .elementwise import joint_shape
from .scalars import Float64, plain, scalar
from .shapes import axis_of, shape_of


def chosen_type(dtype: Any) -> ArrayDType | None:
    """The type that a program asks for by `dtype=`; None if it asks for none."""
    if dtype is None:
        return None
    try:
        return dtype_of_name(dtype)
    except TypeError:
        if isinstance(dtype, str):
            raise TypeError(f"data type '{dtype}' not understood") from None
        raise


def array(
    context: Context, value: Any, dtype: Any = None, copy: bool = True, ndmin: int = 0
) -> Array:
    """`np.array`: a new array of nested sequences, a number or an object."""
    found = as_array(context, value, chosen_type(dtype))
    if isinstance(value, Array) and found is value and copy:
        found = found.like(found.grid.copy())
    while found.ndim < ndmin:
        found = found.like(insert_axis(found.grid, 0))
    return found


def asarray(context: Context, value: Any, dtype: Any = None) -> Array:
    """`np.asarray`: an array is itself."""
    return as_array(context, value, chosen_type(dtype))


def full(context: Context, shape: Any, fill_value: Any, dtype: Any = None) -> Array:
    """An array of one value, which broadcasts to the shape."""
    source = as_array(context, fill_value, chosen_type(dtype))
    shape = shape_of(shape)
    context.admit(shape)
    return Array(context, from_items(expanded_items(source.grid, shape), shape), source.dtype)


def _constant(value: int) -> tuple[Callable[..., Array], Callable[..., Array]]:
    def of_shape(context: Context, shape: Any, dtype: Any = float, order: str = "C") -> Array:
        kind = chosen_type(dtype) or FLOAT64
        shape = shape_of(shape)
        context.admit(shape)
        return Array(context, filled(shape, cast([value], kind)[0]), kind)

    def like(context: Context, a: Any, dtype: Any = None) -> Array:
        source = as_array(context, a)
        return of_shape(context, source.shape, source.dtype if dtype is None else dtype)

    return of_shape, like


zeros, zeros_like = _constant(0)
ones, ones_like = _constant(1)


def full_like(context: Context, a: Any, fill_value: Any, dtype: Any = None) -> Array:
    source = as_array(context, a)
    return full(context, source.shape, fill_value, source.dtype if dtype is None else dtype)


def eye(context: Context, n: Any, m: Any = None, k: int = 0, dtype: Any = float) -> Array:
    """Ones on the k-th diagonal."""
    height, width = shape_of((n, n if m is None else m))
    found = zeros(context, (height, width), dtype)
    (one,) = cast([1], found.dtype)
    for i in range(max(0, -k), min(height, width - k)):
        found.grid.flat[i * width + i + k] = one
    return found


def identity(context: Context, n: Any, dtype: Any = float) -> Array:
    return eye(context, n, dtype=dtype)


def diag(context: Context, v: Any, k: int = 0) -> Array:
    """The matrix with a diagonal, or the diagonal of a matrix."""
    source = as_array(context, v)
    if source.ndim == 1:
        n = len(source) + abs(k)
        found = zeros(context, (n, n), source.dtype)
        for i, x in enumerate(source.items()):
            found.grid.flat[(i + max(0, -k)) * n + i + max(0, k)] = x
        return found
    if source.ndim != 2:
        raise ValueError("Input must be 1- or 2-d.")
    return diagonal(source, k)


def diagonal(array: Array, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Array:
    """A view of a diagonal that cannot be written."""
    if array.ndim < 2:
        raise ValueError("diag requires an array of at least two dimensions")
    axes = axis_of(axis1, array.ndim), axis_of(axis2, array.ndim)
    if axes[0] == axes[1]:
        raise ValueError("axis1 and axis2 cannot be the same")
    found = diagonal_of(array.grid, offset, *axes)
    found.flat = ReadOnly(found.flat)
    return array.like(found)


# Ranges


def arange(
    context: Context, start: Any, stop: Any = None, step: Any = 1, dtype: Any = None
) -> Array:
    """start, start + step, … below `stop`; from 0 with one argument."""
    first, end = (0, plain(start)) if stop is None else (plain(start), plain(stop))
    step = plain(step)
    kind = chosen_type(dtype) or infer([first, end, step])
    if step == 0:
        raise ZeroDivisionError("division by zero")
    length = max(0, math.ceil((end - first) / step))
    context.admit((length,))
    delta = (first + step) - first
    return Array(
        context, from_items(cast([first + i * delta for i in range(length)], kind), (length,)), kind
    )


def linspace(
    context: Context, start: Any, stop: Any, num: Any = 50, endpoint: bool = True,
    retstep: bool = False, dtype: Any = None,
) -> Any:  # fmt: skip
    """`num` numbers at equal distances from `start` to `stop`."""
    count = operator.index(num)
    if count < 0:
        raise ValueError(f"Number of samples, {count}, must be non-negative.")
    first, last = float(start), float(stop)
    context.admit((count,))
    gaps = count - 1 if endpoint else count
    step = (last - first) / gaps if gaps else math.nan
    items = _evenly(first, last, count, gaps, step)
    if endpoint and count > 1:
        items[-1] = last
    kind = chosen_type(dtype) or FLOAT64
    if kind.kind in "iu":
        items = [float(math.floor(x)) for x in items]
    found = Array(context, from_items(cast(items, kind), (count,)), kind)
    return (found, Float64(step)) if retstep else found


def _evenly(first: float, last: float, count: int, gaps: int, step: float) -> list[float]:
    if gaps and step == 0:
        return [i / gaps * (last - first) + first for i in range(count)]
    return [i * (step if gaps else last - first) + first for i in range(count)]


def logspace(
    context: Context, start: Any, stop: Any, num: Any = 50, endpoint: bool = True, base: Any = 10.0
) -> Any:
    """`base` to the power of numbers at equal distances."""
    return combined(context, "**", base, linspace(context, start, stop, num, endpoint))


def geomspace(context: Context, start: Any, stop: Any, num: Any = 50) -> Any:
    """Numbers in equal ratios from `start` to `stop`, both positive."""
    found = logspace(context, math.log10(start), math.log10(stop), num)
    found.grid.flat[0], found.grid.flat[-1] = float(start), float(stop)
    return found


def meshgrid(context: Context, *axes: Any, indexing: str = "xy") -> tuple[Array, ...]:
    """Each coordinate on the grid of all; with "xy" the first changes along the columns."""
    vectors = [x.row(x.items()) for x in (as_array(context, axis) for axis in axes)]
    lengths = [x.size for x in vectors]
    order = list(range(len(vectors)))
    if indexing == "xy" and len(order) > 1:
        order[:2] = [1, 0]
    shape = tuple(lengths[k] for k in order)
    grids = []
    for k, vector in enumerate(vectors):
        context.admit(shape)
        grid = vector.grid
        for axis in range(len(order)):
            if order[axis] != k:
                grid = insert_axis(grid, axis)
        grids.append(vector.like(expand(grid, shape).copy()))
    return tuple(grids)


def fromiter(context: Context, iterable: Any, dtype: Any, count: int = -1) -> Array:
    """A vector of what a program iterates over."""
    items: list[Any] = []
    for x in iterable:
        if count >= 0 and len(items) == count:
            break
        items.append(x)
    return as_array(context, items, chosen_type(dtype))


def vectorize(context: Context, pyfunc: Any, otypes: Any = None) -> Callable[..., Any]:
    """`np.vectorize`: a function of numbers as a function of arrays, called for each element."""

    def vectorized(*args: Any) -> Any:
        sides = [operand(context, x) for x in args]
        shape = sides[0].grid.shape
        for side in sides[1:]:
            shape = joint_shape(shape, side.grid.shape)
        context.admit(shape)
        columns = [
            [scalar(x, side.dtype) for x in expanded_items(side.grid, shape)] for side in sides
        ]
        found = [context.host.call(pyfunc, *row) for row in zip(*columns, strict=True)]
        results, dtype = list(map(plain, found)), _output_type(otypes, found)
        return Array(context, from_items(cast(results, dtype), shape), dtype)

    return vectorized


def _output_type(otypes: Any, results: list[Any]) -> ArrayDType:
    if otypes:
        return dtype_of_name(otypes[0])
    return infer(results) if results else OBJECT
