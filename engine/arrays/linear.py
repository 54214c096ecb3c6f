"""Linear algebra of small matrices."""

from __future__ import annotations

import math
from operator import mul
from typing import Any, NamedTuple

from engine.array_ops.grid import transpose

from . import products
from .array import Array, as_array, combined, operand, product, result
from .context import Context
from .contractions import tensordot
from .dtypes import FLOAT64, OBJECT
from .elementwise import Operand
from .making import diagonal
from .reductions import maximum_of, minimum_of, rooted, sum_of
from .shapes import axis_of

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
    x: Array, ord: Any = None, axis: Any = None, keepdims: bool = False  # noqa: A002
) -> Any:  # fmt: skip
    """The length of vectors: √Σx², Σ|x| for 1, max|x| for inf; of a matrix √Σx²."""
    for k in () if axis is None else axis if isinstance(axis, (tuple, list)) else (axis,):
        axis_of(k, x.ndim)
    size = (x.astype(FLOAT64) if x.dtype.kind in "bui" else x).mapped("absolute")
    of_vectors = axis is not None or x.ndim == 1
    if ord == 1 and of_vectors:
        return sum_of(size, axis, keepdims=keepdims)
    if ord in (math.inf, -math.inf) and of_vectors:
        return (maximum_of if ord > 0 else minimum_of)(size, axis, keepdims)
    if ord not in (None, 2, "fro") or (ord == 2 and not of_vectors):
        x.context.host.refuse(
            f"np.linalg.norm does not take ord={ord!r} here.", "Leave ord out, or write 1."
        )
    if axis is None and not keepdims and size.dtype.kind != "O":
        flat = size.row(size.items())
        return rooted(x.context, product(x.context, flat, flat))
    squares = as_array(x.context, combined(x.context, "*", size, size))
    return rooted(x.context, sum_of(squares, axis, keepdims=keepdims))


def trace(a: Array) -> Any:
    """The sum of the diagonal of the first two axes."""
    return sum_of(diagonal(a), -1 if a.dtype is not OBJECT else None)


def vdot(context: Context, a: Any, b: Any) -> Any:
    """The sum of products of all elements."""
    flat = [as_array(context, x) for x in (a, b)]
    return dot(context, *[x.row(x.items()) for x in flat])


# Elimination


def _square(array: Array) -> Matrix:
    if array.ndim < 2:
        raise LinAlgError(
            f"{array.ndim}-dimensional array given. Array must be at least two-dimensional"
        )
    if array.ndim > 2 or array.shape[0] != array.shape[1]:
        raise LinAlgError("Last 2 dimensions of the array must be square")
    return array.astype(FLOAT64).tolist()  # type: ignore[no-any-return]


def _matrix_of(like: Array, rows: Matrix) -> Array:
    return like.made([x for row in rows for x in row], (len(rows), len(rows[0])), FLOAT64)


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


def det(a: Array) -> Any:
    """The determinant: its sign times e to the sum of the pivots' logarithms, as NumPy has it."""
    matrix = _square(a)
    found = _eliminated(matrix, [[] for _ in matrix])
    if found:
        logarithm = sum((math.log(abs(row[k])) for k, row in enumerate(matrix)), 0.0)
        found = math.copysign(math.exp(logarithm), found)
    return a.answer([found], (), FLOAT64)


def _solved(matrix: Matrix, right: Matrix) -> Matrix:
    n = len(matrix)
    if _eliminated(matrix, right) == 0:
        raise LinAlgError("Singular matrix")
    for k in reversed(range(n)):
        for j in range(k + 1, n):
            factor = matrix[k][j]
            right[k] = [x - factor * y for x, y in zip(right[k], right[j], strict=True)]
        right[k] = [x / matrix[k][k] for x in right[k]]
    return right


def inv(a: Array) -> Array:
    """The inverse; LinAlgError for a singular matrix."""
    matrix = _square(a)
    unit = [[float(i == j) for j in range(len(matrix))] for i in range(len(matrix))]
    return _matrix_of(a, _solved(matrix, unit))


def solve(a: Array, b: Any) -> Array:
    """x with a @ x = b."""
    matrix, right = _square(a), as_array(a.context, b, FLOAT64)
    if right.shape[0] != len(matrix):
        raise ValueError("solve: Input operand 1 has a mismatch in its core dimension 0")
    columns = [row if isinstance(row, list) else [row] for row in right.tolist()]
    return a.made([x for row in _solved(matrix, columns) for x in row], right.shape, FLOAT64)


def cholesky(a: Array) -> Array:
    """The lower triangle L with a = L·Lᵀ."""
    matrix, n = _square(a), a.shape[0]
    found = [[0.0] * n for _ in range(n)]
    for i in range(n):
        for j in range(i + 1):
            rest = matrix[i][j] - sum(found[i][k] * found[j][k] for k in range(j))
            if i == j and rest <= 0:
                raise LinAlgError("Matrix is not positive definite")
            found[i][j] = math.sqrt(rest) if i == j else rest / found[j][j]
    return _matrix_of(a, found)


class Factors(NamedTuple):
    """What qr returns."""

    Q: Array
    R: Array


Factors.__name__ = Factors.__qualname__ = "QRResult"


def qr(a: Array) -> Factors:
    """a = Q·R by Householder's reflections, with LAPACK's signs (Householder 1958)."""
    if a.ndim != 2:
        raise LinAlgError(
            f"{a.ndim}-dimensional array given. Array must be at least two-dimensional"
        )
    rows: Matrix = a.astype(FLOAT64).tolist()
    height, width = a.shape
    turned = [[float(i == j) for j in range(height)] for i in range(height)]
    for k in range(min(height - 1, width)):
        column = [row[k] for row in rows[k:]]
        length = -math.copysign(math.sqrt(sum(x * x for x in column)), column[0])
        if not any(column[1:]):
            continue
        v = [column[0] - length, *column[1:]]
        scale = 2 / sum(x * x for x in v)
        for table in (rows, turned):
            amounts = [scale * sum(map(mul, v, c)) for c in zip(*table[k:], strict=True)]
            for i, x in enumerate(v):
                table[k + i] = [y - x * s for y, s in zip(table[k + i], amounts, strict=True)]
    count = min(height, width)
    q = [list(column) for column in zip(*turned[:count], strict=True)]
    r = [[x if j >= i else 0.0 for j, x in enumerate(row)] for i, row in enumerate(rows[:count])]
    return Factors(_matrix_of(a, q), _matrix_of(a, r))
