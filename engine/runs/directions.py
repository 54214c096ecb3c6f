"""The main directions of a cloud of points, by subspace iteration."""

from __future__ import annotations

import math
from collections.abc import Sequence
from operator import mul

TURNS = 80
LARGEST = 1e100
"""Of coordinates: the squares of larger ones, added up, are not finite."""

Vector = Sequence[float]


def is_small(vector: Vector) -> bool:
    """Whether no coordinate is nan or beyond LARGEST."""
    return all(-LARGEST <= x <= LARGEST for x in vector)


def dot(a: Vector, b: Vector) -> float:
    """The inner product."""
    total: float = sum(map(mul, a, b))
    return total


def leading(matrix: Sequence[Vector]) -> list[list[float]]:
    """Two orthonormal vectors that span the space of a symmetric matrix's largest eigenvalues."""
    size = len(matrix)
    pair = [[1.0 + k * i for i in range(size)] for k in (0, 1)]
    pair[1] = [(-1.0) ** i * x for i, x in enumerate(pair[1])]
    for _ in range(TURNS):
        moved: list[list[float]] = []
        for vector in pair:
            image = without([dot(row, vector) for row in matrix], moved)
            length = math.hypot(*image)
            moved.append([x / length for x in image] if length > 0 else spare(size, moved))
        pair = moved
    return pair


def without(vector: Vector, axes: Sequence[Vector]) -> list[float]:
    """What is left of a vector at right angles to the axes."""
    left = list(vector)
    for axis in axes:
        along = dot(left, axis)
        left = [x - along * a for x, a in zip(left, axis, strict=True)]
    return left


def spare(size: int, axes: Sequence[Vector]) -> list[float]:
    """A unit vector at right angles to the axes; zeros where there is no room for one."""
    for i in range(size):
        left = without([float(i == k) for k in range(size)], axes)
        length = math.hypot(*left)
        if length > 0.5:
            return [x / length for x in left]
    return [0.0] * size
