"""Linear algebra of small matrices."""

from __future__ import annotations

import math
from typing import Any

from engine.array_ops.grid import from_items, reshape, transpose

from . import products
from .array import Array, as_array, combined, operand, product, result
from .context import Context
from .contractions import tensordot
from .dtypes import FLOAT64, OBJECT
from .elementwise import Operand
from .making import diagonal
from .reductions import maximum_of, sum_of

Matrix = list[list[float]]


class LinAlgError(ValueError):
    """A matrix for which there is no answer."""


LinAlgError.__module__, LinAlgError.__qualname__ = "numpy.linalg", "LinAlgError"


def dot(context: Context, a: Any, b: Any) -> Any:
    """np.dot: the product of vectors or matrices, or of a number and an array."""
    left, right = operand(context, a), operand(context, b)
    if not left.grid.shape or not right.grid.shape:
        return combined(context, "*", a, b)
    grid, dtype = products.dot(context, left, right)
    return result(context, grid, dtype)


def inner(context: Context, a: Any, b: Any) -> Any:
    """The products of rows with rows."""
    left, right = operand(context, a), operand(context, b)
    if not left.grid.shape or not right.grid.shape:
        return combined(context, "*", a, b)
    if max(left.grid.ndim, right.grid.ndim) > 2:
        return tensordot(context, a, b, (-1, -1))
    if right.grid.ndim > 1:
        right = Operand(transpose(right.grid), right.dtype)
    grid, dtype = products.dot(context, left, right)
    return result(context, grid, dtype)


matmul = product


def norm(
    context: Context, x: Any, ord: Any = None, axis: Any = None,  # noqa: A002
    keepdims: bool = False,
) -> Any:  # fmt: skip
    """The length of vectors: √Σx², Σ|x| for 1, max|x| for inf; of a matrix √Σx²."""
    array = as_array(context, x)
    array = array.astype(FLOAT64) if array.dtype.kind in "bui" else array
    size = array.mapped("absolute")
    if ord == 1 and (axis is not None or array.ndim == 1):
        return sum_of(context, size, axis, keepdims=keepdims)
    if ord == math.inf and (axis is not None or array.ndim == 1):
        return maximum_of(context, size, axis, keepdims)
    if ord not in (None, 2, "fro") or (ord == 2 and array.ndim > 1 and axis is None):
        context.host.refuse(
            f"np.linalg.norm does not take ord={ord!r} here.", "Leave ord out, or write 1."
        )
    if axis is None and not keepdims and size.dtype.kind != "O":
        flat = size.like(reshape(size.grid, (size.size,)))
        found = as_array(context, product(context, flat, flat)).mapped("sqrt")
        return result(context, found.grid, found.dtype)
    squares = combined(context, "*", size, size)
    total = as_array(context, sum_of(context, squares, axis, keepdims=keepdims))
    found = total.mapped("sqrt")
    return result(context, found.grid, found.dtype)


def trace(context: Context, a: Any) -> Any:
    """The sum of the diagonal of the first two axes."""
    array = as_array(context, a)
    if array.dtype is OBJECT:
        return sum_of(context, [array[i, i] for i in range(min(array.shape))], dtype=OBJECT)
    return sum_of(context, diagonal(array), -1)


def vdot(context: Context, a: Any, b: Any) -> Any:
    """The sum of products of all elements."""
    flat = [as_array(context, x) for x in (a, b)]
    return dot(context, *[x.like(from_items(x.items(), (x.size,))) for x in flat])


# Elimination


def _square(context: Context, a: Any) -> Matrix:
    array = as_array(context, a)
    if array.ndim < 2:
        raise LinAlgError(
            f"{array.ndim}-dimensional array given. Array must be at least two-dimensional"
        )
    if array.ndim > 2 or array.shape[0] != array.shape[1]:
        raise LinAlgError("Last 2 dimensions of the array must be square")
    return as_array(context, a, FLOAT64).tolist()  # type: ignore[no-any-return]


def _eliminated(matrix: Matrix, right: Matrix) -> float:
    """Gauss with the largest pivot of each column, in place; the determinant."""
    determinant, n = 1.0, len(matrix)
    for k in range(n):
        pivot = max(range(k, n), key=lambda i: abs(matrix[i][k]))
        if matrix[pivot][k] == 0:
            return 0.0
        if pivot != k:
            determinant = -determinant
            for rows in (matrix, right):
                rows[k], rows[pivot] = rows[pivot], rows[k]
        determinant *= matrix[k][k]
        for i in range(k + 1, n):
            factor = matrix[i][k] * (1 / matrix[k][k])
            for rows in (matrix, right):
                rows[i] = [x - factor * y for x, y in zip(rows[i], rows[k], strict=True)]
    return determinant


def det(context: Context, a: Any) -> Any:
    """The determinant: its sign times e to the sum of the pivots' logarithms, as NumPy has it."""
    matrix = _square(context, a)
    found = _eliminated(matrix, [[] for _ in matrix])
    if found:
        logarithm = sum((math.log(abs(row[k])) for k, row in enumerate(matrix)), 0.0)
        found = math.copysign(math.exp(logarithm), found)
    return result(context, from_items([found], ()), FLOAT64)


def _solved(context: Context, matrix: Matrix, right: Matrix) -> Matrix:
    n = len(matrix)
    if _eliminated(matrix, right) == 0:
        raise LinAlgError("Singular matrix")
    for k in reversed(range(n)):
        for j in range(k + 1, n):
            factor = matrix[k][j]
            right[k] = [x - factor * y for x, y in zip(right[k], right[j], strict=True)]
        right[k] = [x / matrix[k][k] for x in right[k]]
    return right


def inv(context: Context, a: Any) -> Array:
    """The inverse; LinAlgError for a singular matrix."""
    matrix = _square(context, a)
    n = len(matrix)
    unit = [[float(i == j) for j in range(n)] for i in range(n)]
    rows = _solved(context, matrix, unit)
    return Array(context, from_items([x for row in rows for x in row], (n, n)), FLOAT64)


def solve(context: Context, a: Any, b: Any) -> Array:
    """x with a @ x = b."""
    matrix, right = _square(context, a), as_array(context, b, FLOAT64)
    if right.shape[0] != len(matrix):
        raise ValueError("solve: Input operand 1 has a mismatch in its core dimension 0")
    columns = [row if isinstance(row, list) else [row] for row in right.tolist()]
    rows = _solved(context, matrix, columns)
    return Array(context, from_items([x for row in rows for x in row], right.shape), FLOAT64)
