"""Products of arrays: `@`, dot, outer."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable
from math import fsum, prod
from typing import Any

from engine.array_ops import folding
from engine.array_ops.flat import Misfit
from engine.array_ops.grid import Grid, from_items, reshape, shape_text, transpose
from engine.array_ops.products import matmul_shape

from .context import Context
from .dtypes import BOOL, FLOAT64, OBJECT, ArrayDType, cast, rounded, wrapped
from .elementwise import Operand, common_type


def matmul(context: Context, a: Operand, b: Operand) -> tuple[Grid, ArrayDType]:
    """a @ b; ValueError for shapes that do not fit."""
    try:
        shape = matmul_shape([a.grid.shape, b.grid.shape], {})
    except Misfit as misfit:
        raise ValueError(str(misfit)) from None
    return _multiplied(context, a, b, shape)


def _multiplied(
    context: Context, a: Operand, b: Operand, shape: tuple[int, ...]
) -> tuple[Grid, ArrayDType]:
    inner = a.grid.shape[-1]
    context.admit(shape)
    dtype = common_type(a, b)
    if dtype is OBJECT:
        return folding.matmul(a.grid, b.grid, lambda x, y: _objects(context, x, y)), OBJECT
    left, right = (_as(side, dtype) for side in (a, b))
    multiplications = prod(shape) * inner
    order = _order(a.grid, b.grid) if multiplications <= FUSED else None
    if dtype is FLOAT64 and order is not None and context.fused > 0:
        context.fused -= multiplications
        return folding.matmul(left, right, order), dtype
    return folding.matmul(left, right, dot_of(dtype)), dtype


FUSED = 10_000
"""Products of at most so many multiplications are rounded as NumPy's library rounds them, while
a run has room for them: `Context.fused`."""


Dot = Callable[[list[float], list[float]], float]


def _order(a: Grid, b: Grid) -> Dot | None:
    """The order of that library (OpenBLAS, on processors with fused multiply-add), where known.

    It adds one product after the other, rounding each sum once, for vectors of fewer than 16
    numbers and for matrices, and in four lanes for each row of a matrix times a vector. What it
    does for a vector times a matrix depends on the row.
    """
    if a.ndim == 1 and b.ndim == 1:
        return fused_dot if a.shape[0] < 16 else None
    rows = a.shape[-2] if a.ndim > 1 else 1
    columns = b.shape[-1] if b.ndim > 1 else 1
    if rows == columns == 1:
        return fused_dot if a.shape[-1] < 16 else None
    if min(a.ndim, b.ndim) > 1 and min(rows, columns) > 1:
        return fused_dot
    by_rows = columns == 1 and a.ndim == 2 and b.ndim <= 2
    return laned_dot if by_rows and a.is_contiguous and b.is_contiguous else None


def fused_dot(x: list[float], y: list[float]) -> float:
    """Σ xᵢyᵢ from the left by fused multiply-add: xᵢyᵢ + s rounded once."""
    return _chained(x, y, range(len(x)), 0.0)


def laned_dot(x: list[float], y: list[float]) -> float:
    """Σ xᵢyᵢ in four lanes of fused multiply-add, then the up to three terms that are left."""
    whole = len(x) - len(x) % 4
    lanes = [_chained(x, y, range(k, whole, 4), 0.0) for k in range(4)]
    total = (lanes[0] + lanes[2]) + (lanes[1] + lanes[3])
    if whole == len(x):
        return total
    if whole == len(x) - 1:
        return _chained(x, y, [whole], total)
    return total + _chained(x, y, [whole + 1, whole, *range(whole + 2, len(x))], 0.0)


def _chained(x: list[float], y: list[float], order: Iterable[int], total: float) -> float:
    """total + Σ xᵢyᵢ over i in this order, each sum rounded once.

    The product's own rounding error, exact by Dekker (1971), is added with it; where the product is
    too small or too large for that, it is rounded first.
    """
    for i in order:
        a, b = x[i], y[i]
        product = a * b
        if not (1e-200 < product < 1e200 or -1e200 < product < -1e-200):
            total += product
            continue
        p, q = _SPLIT * a, _SPLIT * b
        high, top = p - (p - a), q - (q - b)
        low, rest = a - high, b - top
        error = ((high * top - product) + high * rest + low * top) + low * rest
        if error != error:  # of a factor beyond 1e300
            error = 0.0
        total = fsum((product, error, total))
    return total


_SPLIT = 134217729.0
"""2²⁷ + 1: splits a float into two of half as many digits."""


def _as(side: Operand, dtype: ArrayDType) -> Grid:
    if side.dtype is dtype:
        return side.grid
    return from_items(cast(side.grid.items(), dtype), side.grid.shape)


def dot_of(dtype: ArrayDType) -> Callable[[list[Any], list[Any]], Any]:
    """The product of two vectors of a type of numbers."""
    if dtype.kind == "f":
        zero = 0.0
        if dtype is FLOAT64:
            return lambda x, y: sum(map(operator.mul, x, y), zero)
        return lambda x, y: rounded([sum(map(operator.mul, x, y), zero)], dtype)[0]
    if dtype is BOOL:
        return lambda x, y: any(map(operator.and_, x, y))
    return lambda x, y: wrapped([sum(map(operator.mul, x, y))], dtype)[0]


def _objects(context: Context, x: list[Any], y: list[Any]) -> Any:
    """x₀·y₀ + x₁·y₁ + …, by the operators of the objects."""
    binary = context.host.binary
    total: Any = None
    for i, (p, q) in enumerate(zip(x, y, strict=True)):
        term = binary("*", p, q)
        total = binary("+", total, term) if i else term
    return total


def dot(context: Context, a: Operand, b: Operand) -> tuple[Grid, ArrayDType]:
    """np.dot: `@`, but for three axes every row with every column, and numbers multiply."""
    if not a.grid.shape or not b.grid.shape:
        raise ValueError("dot of a number is a product")
    inner = max(b.grid.ndim - 2, 0)
    if a.grid.shape[-1] != b.grid.shape[inner]:
        raise ValueError(
            f"shapes {shape_text(a.grid.shape)} and {shape_text(b.grid.shape)} not aligned: "
            f"{a.grid.shape[-1]} (dim {a.grid.ndim - 1}) != {b.grid.shape[inner]} (dim {inner})"
        )
    if b.grid.ndim < 3:
        return matmul(context, a, b)
    return _tensordot(context, a, b)


def _tensordot(context: Context, a: Operand, b: Operand) -> tuple[Grid, ArrayDType]:
    length = a.grid.shape[-1]
    shape = (*a.grid.shape[:-1], b.grid.shape[0], b.grid.shape[2])
    context.admit(shape)
    rows = reshape(a.grid, (prod(a.grid.shape[:-1]), length))
    columns = reshape(transpose(b.grid, (1, 0, 2)), (length, b.grid.shape[0] * b.grid.shape[2]))
    grid, dtype = matmul(context, Operand(rows, a.dtype), Operand(columns, b.dtype))
    return reshape(grid, shape), dtype
