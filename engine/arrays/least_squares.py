"""Least squares and singular values, by one-sided Jacobi rotations (Hestenes 1958)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from engine.array_ops.grid import transpose

from .arrangement import reshape, transposed
from .array import Array, as_array
from .context import Context
from .dtypes import FLOAT64, INT32, INT64
from .joining import vstack
from .linear import LinAlgError, inv
from .making import diagonal, eye
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


def decomposed(columns: Matrix) -> tuple[Matrix, list[float], Matrix] | None:
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


def least_squares(rows: Matrix, right: Matrix, cut: float) -> Fit | None:
    """x of least length with the least |A·x − b|²; singular values below cut·σ₁ count as 0."""
    columns = [list(column) for column in zip(*rows, strict=True)]
    numbers = (x for table in (rows, right) for row in table for x in row)
    found = decomposed(columns) if all(map(math.isfinite, numbers)) else None
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
    found = least_squares(rows, columns, cut)
    if found is None:
        raise LinAlgError("SVD did not converge in Linear Least Squares")
    shape = (left.shape[1], *right.shape[1:])
    solution = left.made([x for row in found.solution for x in row], shape)
    rank = scalar(found.rank, INT32)
    return solution, left.row(found.residuals), rank, left.row(found.singular)


def _matrix(a: Array) -> Array:
    if a.ndim != 2:
        raise LinAlgError(
            f"{a.ndim}-dimensional array given. Array must be at least two-dimensional"
        )
    return a.astype(FLOAT64)


def singular_values(a: Array) -> list[float]:
    """The singular values of a matrix, in falling order."""
    array = _matrix(a)
    if not all(map(math.isfinite, array.items())):
        raise LinAlgError("SVD did not converge")
    tall = array.grid if array.shape[0] >= array.shape[1] else transpose(array.grid)
    columns: Any = array.like(transpose(tall)).tolist()
    found = decomposed(columns)
    if found is None:
        raise LinAlgError("SVD did not converge")
    return found[1]


def matrix_rank(A: Array) -> Any:  # noqa: N803
    """The number of singular values above the rounding of the largest."""
    if A.ndim < 2:
        return int(any(A.items()))
    singular = singular_values(A)
    cut = max(singular, default=0.0) * max(A.shape) * 2.0**-52
    return A.answer([sum(s > cut for s in singular)], (), INT64)


def pinv(a: Array, rcond: Any = None) -> Array:
    """The pseudoinverse of Moore and Penrose."""
    array = _matrix(a)
    height, width = array.shape
    if width > height:  # the columns that are rotated are the fewer
        return transposed(pinv(transposed(array), rcond))
    unit: Any = [[float(i == j) for j in range(height)] for i in range(height)]
    rows: Any = array.tolist()
    cut = max(array.shape) * 2.0**-52 if rcond is None else float(rcond)
    found = least_squares(rows, unit, cut)
    if found is None:
        raise LinAlgError("SVD did not converge")
    return array.made([x for row in found.solution for x in row], (width, height))


def svdvals(x: Array) -> Array:
    return x.row(singular_values(x), FLOAT64)


def svd(a: Array, full_matrices: bool = True, compute_uv: bool = True) -> Array:
    """The singular values alone: the signs of the vectors are LAPACK's to choose."""
    if compute_uv:
        a.context.host.refuse(
            "The vectors of np.linalg.svd are not here.", "Write compute_uv=False."
        )
    return svdvals(a)


def cond(x: Array) -> Any:
    """The largest singular value over the smallest."""
    found = singular_values(x)
    return x.answer([found[0] / found[-1] if found[-1] else math.inf], (), FLOAT64)


def eigvalsh(a: Array) -> Array:
    """The eigenvalues of a symmetric matrix, rising: singular values with the signs of Rayleigh."""
    array = _matrix(a)
    n = len(array)
    rows: Any = array.tolist()
    shift = max((sum(map(abs, row)) for row in rows), default=0.0)
    moved = [[x + shift * (i == j) for j, x in enumerate(row)] for i, row in enumerate(rows)]
    found = decomposed(moved)
    if found is None or array.shape != (n, n):
        raise LinAlgError("Eigenvalues did not converge")
    return array.row([s - shift for s in reversed(found[1])])


def matrix_power(a: Array, n: Any) -> Any:
    """The product of n equal matrices."""
    times = int(n)
    if a.ndim != 2 or a.shape[0] != a.shape[1]:
        raise LinAlgError("Last 2 dimensions of the array must be square")
    factor: Any = a if times >= 0 else inv(a)
    total: Any = eye(a.context, len(a), dtype=factor.dtype)
    for bit in f"{abs(times):b}":
        total = total @ total
        total = total @ factor if bit == "1" else total
    return total


# Covariance


def cov(m: Array, y: Any = None, rowvar: bool = True, bias: bool = False, ddof: Any = None) -> Any:
    """The covariances of variables, one in each row."""
    array: Any = m.astype(FLOAT64)
    if y is not None:
        array = vstack(m.context, [array, y])
    array = reshape(array, (1, -1)) if array.ndim < 2 else array
    array = array if rowvar or m.ndim < 2 else transposed(array)
    centred = array - mean(array, 1, keepdims=True)
    freedom = array.shape[1] - ((0 if bias else 1) if ddof is None else ddof)
    found = centred @ transposed(centred) / float(max(freedom, 0))
    return reshape(found, ()) if found.shape == (1, 1) else found


def corrcoef(x: Array, y: Any = None, rowvar: bool = True) -> Any:
    """The correlations of variables: covariances over both standard deviations."""
    found = cov(x, y, rowvar)
    if not found.shape:
        return found / found
    root: Any = x.row([math.sqrt(variance) for variance in diagonal(found).items()], FLOAT64)
    scaled = found / root[:, None] / root[None]
    return scaled.made([c if c != c else min(1.0, max(-1.0, c)) for c in scaled.items()])
