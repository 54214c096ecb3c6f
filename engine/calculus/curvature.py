"""How a graph curves at a point: the eigenvalues of a symmetric matrix, and their meaning."""

from __future__ import annotations

import math
from collections.abc import Sequence

SWEEPS = 50
SMALL = 1e-9
"""Eigenvalues and gradients relative to the largest entry that count as 0."""


def eigenvalues(matrix: Sequence[Sequence[float]]) -> list[float]:
    """The eigenvalues of a symmetric matrix in ascending order, by Jacobi's rotations.

    Golub and Van Loan, Matrix Computations, section 8.5: each rotation makes one pair of entries
    off the diagonal 0, and the sum of their squares falls.
    """
    a = [list(row) for row in matrix]
    size = len(a)
    if not all(math.isfinite(x) for row in a for x in row):
        return [math.nan] * size
    scale = max((abs(x) for row in a for x in row), default=0.0) or 1.0
    a = [[x / scale for x in row] for row in a]
    for _ in range(SWEEPS):
        if sum(a[i][j] ** 2 for i in range(size) for j in range(i)) < 1e-32:
            break
        for p in range(size):
            for q in range(p + 1, size):
                _rotate(a, p, q)
    return sorted(a[i][i] * scale for i in range(size))


def _rotate(a: list[list[float]], p: int, q: int) -> None:
    """Rotate the plane of axes p and q so that a[p][q] becomes 0."""
    if a[p][q] == 0.0:
        return
    tau = (a[q][q] - a[p][p]) / (2 * a[p][q])
    t = math.copysign(1.0, tau) / (abs(tau) + math.hypot(1.0, tau))
    c = 1 / math.hypot(1.0, t)
    s = t * c
    for k in range(len(a)):
        a[k][p], a[k][q] = c * a[k][p] - s * a[k][q], s * a[k][p] + c * a[k][q]
    for k in range(len(a)):
        a[p][k], a[q][k] = c * a[p][k] - s * a[q][k], s * a[p][k] + c * a[q][k]


def kind(values: Sequence[float], gradient: Sequence[float]) -> str:
    """The kind of point by its eigenvalues and gradient.

    `minimum`, `maximum`, `saddle` where the gradient is 0, else `convex`, `concave`, `both ways`;
    `flat` without curvature, `partly flat` where some eigenvalues are 0; `unknown` for nan.
    """
    if not all(map(math.isfinite, (*values, *gradient))):
        return "unknown"
    size = max(map(abs, values), default=0.0)
    up = sum(x > SMALL * size for x in values)
    down = sum(x < -SMALL * size for x in values)
    if not up and not down:
        return "flat"
    is_still = all(abs(g) <= SMALL * max(size, 1.0) for g in gradient)
    if up and down:
        return "saddle" if is_still else "both ways"
    if up + down < len(values):
        return "partly flat"
    if up:
        return "minimum" if is_still else "convex"
    return "maximum" if is_still else "concave"
