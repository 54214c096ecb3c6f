"""The independent reference of every entry of the tables: what it means, written without them.

The tests of a table take theirs from here. An entry without one fails a single test,
tests/project/test_references.py, which says where to add it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import mpmath

from tests.support.programs import DEFINITIONS

Numbers = Sequence[float]

INVERSES = ("asin", "acos", "atan", "asinh", "acosh", "atanh")
OPERATIONS: dict[str, Callable[..., Any]] = DEFINITIONS | {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a / b,
    "**": lambda a, b: a**b,
    "neg": lambda x: -x,
    "exp2": lambda x: mpmath.mpf(2) ** x,
    "expm1": lambda x: mpmath.exp(x) - 1,
    "log2": lambda x: mpmath.log(x) / mpmath.log(2),
    "log10": lambda x: mpmath.log(x) / mpmath.log(10),
    "log1p": lambda x: mpmath.log(1 + x),
    "cbrt": lambda x: mpmath.sign(x) * mpmath.root(abs(x), 3),
    **{name: getattr(mpmath, name) for name in INVERSES},
    **{name: getattr(mpmath, name) for name in ("sinh", "cosh", "erf", "erfc", "degrees")},
    "radians": lambda x: x * mpmath.pi / 180,
    "atan2": lambda a, b: mpmath.arg(mpmath.mpc(b, a)),
    "hypot": lambda a, b: mpmath.sqrt(a**2 + b**2),
    "fmod": lambda a, b: a - b * mpmath.mpf(int(a / b)),
    "mod": lambda a, b: a - b * mpmath.floor(a / b),
    "copysign": lambda a, b: abs(a) * mpmath.sign(b),
}
"""The value of an operation, for numbers of mpmath."""


def softmax(o: Numbers) -> list[Any]:
    """exp(oᵢ) ∕ Σ exp(oⱼ), in the digits of mpmath."""
    powers = [mpmath.exp(mpmath.mpf(x)) for x in o]
    return [power / mpmath.fsum(powers) for power in powers]


def _surprise(o: float, t: float) -> Any:
    probability = 1 / (1 + mpmath.exp(-mpmath.mpf(o)))
    return -t * mpmath.log(probability) - (1 - t) * mpmath.log(1 - probability)


def _squares(o: Numbers, t: Numbers) -> Any:
    return mpmath.fsum((mpmath.mpf(a) - b) ** 2 for a, b in zip(o, t, strict=True))


def _margins(o: Numbers, t: Numbers) -> Any:
    return mpmath.fsum(max(0, 1 - b * mpmath.mpf(a)) for a, b in zip(o, t, strict=True))


LOSSES: dict[str, Callable[[Numbers, Numbers], Any]] = {
    "sum_squares": _squares,
    "mse": lambda o, t: _squares(o, t) / len(o),
    "hinge": lambda o, t: _margins(o, t) / len(o),
    "bce": lambda o, t: mpmath.fsum(map(_surprise, o, t)) / len(o),
    "cross_entropy": lambda o, t: -mpmath.log(softmax(o)[list(t).index(1)]),
}
"""The loss of one sample from its outputs and targets, as textbooks print it."""

# The recurrences, as their authors write them: one parameter's history of gradients in, its step
# out. Adam's corrections are powers of the betas, not products kept along the way.

MOMENTUM, DECAY = 0.8, 0.05


def _velocity(history: list[float]) -> float:
    v = 0.0
    for g in history:
        v = MOMENTUM * v + g
    return v


def _average(history: list[float], beta: float) -> float:
    n = len(history)
    return sum((1 - beta) * beta ** (n - 1 - i) * g for i, g in enumerate(history))


def _adam(p: float, history: list[float], rate: float) -> float:
    t = len(history)
    m = _average(history, 0.9) / (1 - 0.9**t)
    v = _average([g * g for g in history], 0.999) / (1 - 0.999**t)
    return p - rate * m / (math.sqrt(v) + 1e-8)


OPTIMIZERS: dict[str, Callable[[float, list[float], float], float]] = {
    "sgd": lambda p, h, rate: p - rate * h[-1],
    "momentum": lambda p, h, rate: p - rate * _velocity(h),
    "nesterov": lambda p, h, rate: p - rate * (h[-1] + MOMENTUM * _velocity(h)),
    "rmsprop": lambda p, h, rate: (
        p - rate * h[-1] / (math.sqrt(_average([g * g for g in h], 0.99)) + 1e-8)
    ),
    "adam": _adam,
    "adamw": lambda p, h, rate: _adam(p * (1 - rate * DECAY), h, rate),
}
"""A parameter after a step, from its value, its gradients so far and the learning rate."""

SCHEDULES: dict[str, Callable[[float, float, float], float]] = {
    "constant": lambda rate, end, share: rate,
    "linear": lambda rate, end, share: rate + (end - rate) * share,
    "cosine": lambda rate, end, share: end + (rate - end) * (1 + math.cos(math.pi * share)) / 2,
}
"""The learning rate after a share of all steps, from the first rate and the last one."""

INITIALISATIONS: dict[str, Callable[[int, int], tuple[float, float]]] = {
    "uniform": lambda nin, nout: (1.0, 1.0),
    "zero_bias": lambda nin, nout: (1.0, 0.0),
    "xavier": lambda nin, nout: (math.sqrt(6 / (nin + nout)), 0.0),
    "he": lambda nin, nout: (math.sqrt(6 / nin), 0.0),
    "zeros": lambda nin, nout: (0.0, 0.0),
}
"""The bounds within which the weights and the biases of a layer are drawn uniformly."""


def _moon(x: Numbers, label: float) -> float:
    right, up = (1 - x[0], 0.5 - x[1]) if label else x
    return math.hypot(right, up) - 1 if up > -1e-5 else math.inf


def _arm(turn: float, arms: int) -> Callable[[Numbers, float], float]:
    def distance(x: Numbers, label: float) -> float:
        radius = math.hypot(*x)
        angle = turn * radius + 2 * math.pi * label / arms
        return math.dist(x, (radius * math.sin(angle), radius * math.cos(angle)))

    return distance


def _hills(x1: float, x2: float) -> float:
    """Rows of hills along x1, as a product of bells; neighbours have opposite signs."""
    across = [math.exp(-12.5 * (x1 - centre) ** 2) for centre in (-0.6, 0, 0.6)]
    up = [math.exp(-12.5 * (x2 - centre) ** 2) for centre in (-0.5, 0.5)]
    return (across[1] - across[0] - across[2]) * (up[0] - up[1])


DATA_SETS: dict[str, Callable[[Numbers, float], float]] = {
    "four_points": lambda x, label: min(
        math.dist((*x, label), point)
        for point in ((2, 3, -1, 1), (3, -1, 0.5, 0), (0.5, 1, 1, 0), (1, 1, -1, 1))
    ),
    "xor": lambda x, label: max(abs(abs(a) - 1) for a in x) + (label != (x[0] * x[1] < 0)),
    "moons": _moon,
    "circles": lambda x, label: math.hypot(*x) - (0.5 if label else 1.0),
    "gauss": lambda x, label: max(0.0, math.dist(x, [1.5 * label - 0.75] * 2) - 1.5),
    "spiral": _arm(3.5 * math.pi, 2),
    "three_spirals": _arm(4.0, 3),
    "sine": lambda x, label: label - math.sin(math.pi * x[0]),
    "plane": lambda x, label: label - (x[0] + x[1]) / 2,
    "hills": lambda x, label: label - _hills(*x),
}
"""How far a sample without noise lies from where its definition puts it."""
