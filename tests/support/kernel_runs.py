"""Small runs for the compiled kernel, and the comparison of its numbers."""

from __future__ import annotations

import math
from dataclasses import replace

from engine.training.spec import TrainSpec

SMALL = TrainSpec(
    samples=9, layers=(2, 3, 1), activation="tanh", learning_rate=0.1, steps=100, seed=5
)


def changed(**changes: object) -> TrainSpec:
    return replace(SMALL, **changes)  # type: ignore[arg-type]


def close(a: float | None, b: float | None, relative: float) -> bool:
    if a is None or b is None:
        return a is b
    return math.isclose(a, b, rel_tol=relative, abs_tol=1e-15) or (a != a and b != b)
