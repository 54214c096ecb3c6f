"""Least squares and singular values, by one-sided Jacobi rotations (Hestenes 1958)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from engine.array_ops.grid import from_items, reshape, transpose

from .array import Array, as_array, combined, product, result
from .context import Context
from .dtypes import FLOAT64, INT32, INT64
from .joining import vstack
from .linear import LinAlgError, inv
from .making import eye
from .reductions import mean
from .scalars import scalar

Matrix = list[list[float]]
_SWEEPS = 40


@dataclass(frozen=True, slots=True)
class Fit:
    """The solution of least length, the sums of squared residuals, the rank, singular values."""

    solution: Matrix
    residuals: list[float]
    rank: int
    singular: list[float]


def decomposed(context: Context, columns: Matrix) -> tuple[Matrix, list[float], Matrix] | None:
    """Columns u·σ, their lengths σ in falling order, and the rotations V; None if it diverges."""
    width = len(columns)
    turned = [list(map(float, column)) for column in columns]
    basis = [[float(i == j) for i in range(width)] for j in range(width)]
    for _ in range(_SWEEPS):
        if not _swept(turned, basis):
            break
    else:
        return None
    lengths = [math.sqrt(math.fsum(x * x for x in column)) for column in turned]
    order = sorted(range(width), key=lambda k: -lengths[k])
    return [turned[k] for k in order], [lengths[k] for k in order], [basis[k] for k in order]


def _swept(columns: Matrix, basis: Matrix) -> bool:
    """Rotate every pair of columns until it is orthogonal; whether one was not."""
    changed = False
    for i in range(len(columns)):
        for j in range(i + 1, len(columns)):
            a, b = columns[i], columns[j]
            cross = math.fsum(map(float.__mul__, a, b))
            aa, bb = (math.fsum(x * x for x in column) for column in (a, b))
            if abs(cross) <= 1e-15 * math.sqrt(aa * bb) or not math.isfinite(cross):
                continue
            changed = True
            zeta = (bb - aa) / (2 * cross)
            t = math.copysign(1.0, zeta) / (abs(zeta) + math.hypot(1.0, zeta))
            c = 1 / math.hypot(1.0, t)
            for rows in (columns, basis):
                x, y = rows[i], rows[j]
                rows[i] = [c * p - c * t * q for p, q in zip(x, y, strict=True)]
                rows[j] = [c * t * p + c * q for p, q in zip(x, y, strict=True)]
    return changed


def least_squares(context: Context, rows: Matrix, right: Matrix, cut: float) -> Fit | None:
    """x of least length with the least |A·x − b|²; singular values below cut·σ₁ count as 0."""
    columns = [list(column) for column in zip(*rows, strict=True)]
    numbers = (x for table in (rows, right) for row in table for x in row)
    found = decomposed(context, columns) if all(map(math.isfinite, numbers)) else None
    if found is None:
        return None
    turned, singular, basis = found
    rank = sum(s > cut * singular[0] for s in singular) if singular else 0
    count = len(right[0]) if right else 0
    solution = [[0.0] * count for _ in columns]
    for k in range(rank):
        for j in range(count):
            weight = math.fsum(u * b[j] for u, b in zip(turned[k], right, strict=True))
            weight /= singular[k] ** 2
            for i, v in enumerate(basis[k]):
                solution[i][j] += weight * v
    residuals = []
    if rank == len(columns) < len(rows):
        fitted = [[sum(map(float.__mul__, row, column)) for column in zip(*solution, strict=True)]
                  for row in rows]  # fmt: skip
        residuals = [
            math.fsum((f[j] - b[j]) ** 2 for f, b in zip(fitted, right, strict=True))
            for j in range(count)
        ]
    return Fit(solution, residuals, rank, singular[: min(len(rows), len(columns))])


def lstsq(context: Context, a: Any, b: Any, rcond: Any = None) -> tuple[Any, ...]:
    """The least-squares solution, the residuals, the rank and the singular values."""
    left, right = as_array(context, a, FLOAT64), as_array(context, b, FLOAT64)
    if left.ndim != 2:
        raise LinAlgError(f"{left.ndim}-dimensional array given. Array must be two-dimensional")
    if left.shape[0] != right.shape[0]:
        raise LinAlgError("Incompatible dimensions")
    rows: Any = left.tolist()
    columns = [row if isinstance(row, list) else [row] for row in right.tolist()]
    cut = max(left.shape) * 2.0**-52 if rcond is None else max(float(rcond), 2.0**-52)
    found = least_squares(context, rows, columns, cut)
    if found is None:
        raise LinAlgError("SVD did not converge in Linear Least Squares")
    shape = (left.shape[1], *right.shape[1:])
    solution = _floats(context, [x for row in found.solution for x in row], shape)
    residuals = _floats(context, found.residuals, (len(found.residuals),))
    singular = _floats(context, found.singular, (len(found.singular),))
    return solution, residuals, scalar(found.rank, INT32), singular


def _floats(context: Context, items: list[float], shape: tuple[int, ...]) -> Array:
    return Array(context, from_items(items, shape), FLOAT64)


def _matrix(context: Context, a: Any) -> Array:
    array = as_array(context, a, FLOAT64)
    if array.ndim != 2:
        raise LinAlgError(
            f"{array.ndim}-dimensional array given. Array must be at least two-dimensional"
        )
    return array


def singular_values(context: Context, a: Any) -> list[float]:
    """The singular values of a matrix, in falling order."""
    array = _matrix(context, a)
    if not all(map(math.isfinite, array.items())):
        raise LinAlgError("SVD did not converge")
    tall = array.grid if array.shape[0] >= array.shape[1] else transpose(array.grid)
    columns: Any = Array(context, transpose(tall), FLOAT64).tolist()
    found = decomposed(context, columns)
    if found is None:
        raise LinAlgError("SVD did not converge")
    return found[1]


def matrix_rank(context: Context, a: Any) -> Any:
    """The number of singular values above the rounding of the largest."""
    array = as_array(context, a, FLOAT64)
    if array.ndim < 2:
        return result(context, from_items([int(any(array.items()))], ()), INT64)
    singular = singular_values(context, array)
    cut = max(singular, default=0.0) * max(array.shape) * 2.0**-52
    return result(context, from_items([sum(s > cut for s in singular)], ()), INT64)


def pinv(context: Context, a: Any, rcond: Any = None) -> Array:
    """The pseudoinverse of Moore and Penrose."""
    array = _matrix(context, a)
    height, width = array.shape
    unit: Any = [[float(i == j) for j in range(height)] for i in range(height)]
    rows: Any = array.tolist()
    cut = max(array.shape) * 2.0**-52 if rcond is None else float(rcond)
    found = least_squares(context, rows, unit, cut)
    if found is None:
        raise LinAlgError("SVD did not converge")
    return _floats(context, [x for row in found.solution for x in row], (width, height))


def svdvals(context: Context, x: Any) -> Array:
    found = singular_values(context, x)
    return _floats(context, found, (len(found),))


def cond(context: Context, x: Any) -> Any:
    """The largest singular value over the smallest."""
    found = singular_values(context, x)
    return result(
        context, from_items([found[0] / found[-1] if found[-1] else math.inf], ()), FLOAT64
    )


def eigvalsh(context: Context, a: Any) -> Array:
    """The eigenvalues of a symmetric matrix, rising: singular values with the signs of Rayleigh."""
    array = _matrix(context, a)
    n = len(array)
    rows: Any = array.tolist()
    shift = max((sum(map(abs, row)) for row in rows), default=0.0)
    moved = [[x + shift * (i == j) for j, x in enumerate(row)] for i, row in enumerate(rows)]
    found = decomposed(context, moved)
    if found is None or array.shape != (n, n):
        raise LinAlgError("Eigenvalues did not converge")
    return _floats(context, [s - shift for s in reversed(found[1])], (n,))


def matrix_power(context: Context, a: Any, n: Any) -> Any:
    """The product of n equal matrices."""
    array, times = as_array(context, a), int(n)
    if array.ndim != 2 or array.shape[0] != array.shape[1]:
        raise LinAlgError("Last 2 dimensions of the array must be square")
    factor = array if times >= 0 else inv(context, array)
    total: Any = eye(context, len(array), dtype=factor.dtype)
    for bit in f"{abs(times):b}":
        total = product(context, total, total)
        total = product(context, total, factor) if bit == "1" else total
    return total


# Covariance


def cov(
    context: Context, m: Any, y: Any = None, rowvar: bool = True, bias: bool = False,
    ddof: Any = None,
) -> Any:  # fmt: skip
    """The covariances of variables, one in each row."""
    array = as_array(context, m, FLOAT64)
    if y is not None:
        array = vstack(context, [array, as_array(context, y, FLOAT64)])
    elif array.ndim == 1:
        array = array[None]
    elif not rowvar:
        array = Array(context, transpose(array.grid), FLOAT64)
    centred = combined(context, "-", array, mean(context, array, 1, keepdims=True))
    turned = Array(context, transpose(centred.grid), FLOAT64)
    freedom = array.shape[1] - ((0 if bias else 1) if ddof is None else ddof)
    found = combined(context, "/", product(context, centred, turned), float(max(freedom, 0)))
    return found.like(reshape(found.grid, ())) if found.shape == (1, 1) else found


def corrcoef(context: Context, x: Any, y: Any = None, rowvar: bool = True) -> Any:
    """The correlations of variables: covariances over both standard deviations."""
    found = as_array(context, cov(context, x, y, rowvar))
    if not found.shape:
        return combined(context, "/", found, found)
    n = len(found)
    deviations = [math.sqrt(found.items()[k * n + k]) for k in range(n)]
    root = _floats(context, deviations, (n,))
    scaled = combined(context, "/", found, root[:, None])
    scaled = combined(context, "/", scaled, root[None])
    items = [c if c != c else min(1.0, max(-1.0, c)) for c in scaled.items()]
    return _floats(context, items, found.shape)
