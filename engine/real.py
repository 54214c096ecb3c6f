"""Real functions on 64-bit floats that answer every input, as IEEE 754 asks.

Python's own `math` raises at a pole, outside a domain and on overflow. A learner who types
`log(0)` shall see `-inf` on the node instead, so these give the IEEE 754 result: a pole an
infinity, an overflow an infinity, a point outside the domain `nan`. None of them raises.
"""

from __future__ import annotations

import math
from collections.abc import Callable

INF = math.inf
NAN = math.nan


def divide(a: float, b: float) -> float:
    """a / b; x/0 is an infinity with the product of the signs, 0/0 is nan."""
    try:
        return a / b
    except ZeroDivisionError:
        if a == 0 or a != a:
            return NAN
        return math.copysign(INF, a) * math.copysign(1.0, b)


def power(a: float, b: float) -> float:
    """a ** b over the reals; nan where the real power does not exist, such as (-8) ** (1/3)."""
    try:
        return math.pow(a, b)
    except OverflowError:
        return -INF if a < 0 and b % 2 == 1 else INF
    except ValueError:
        if a != 0:
            return NAN
        return math.copysign(INF, a) if b % 2 == 1 else INF


def exp(x: float) -> float:
    """e ** x; inf above about 709.78."""
    try:
        return math.exp(x)
    except OverflowError:
        return INF


def log(x: float) -> float:
    """Natural logarithm; log(0) = -inf, nan below 0."""
    try:
        return math.log(x)
    except ValueError:
        return -INF if x == 0 else NAN


def log1p(x: float) -> float:
    """log(1 + x), right also for tiny x; log1p(-1) = -inf, nan below -1."""
    try:
        return math.log1p(x)
    except ValueError:
        return -INF if x == -1 else NAN


def _nan_outside(function: Callable[[float], float]) -> Callable[[float], float]:
    def total(x: float) -> float:
        try:
            return function(x)
        except ValueError:
            return NAN

    total.__name__ = function.__name__
    return total


sqrt = _nan_outside(math.sqrt)
sin = _nan_outside(math.sin)
cos = _nan_outside(math.cos)
tan = _nan_outside(math.tan)
tanh = math.tanh
erfc = math.erfc


def maximum(a: float, b: float) -> float:
    """The larger of two numbers; nan if either is nan, as PyTorch has it."""
    if a != a or b != b:
        return NAN
    return a if a >= b else b


def minimum(a: float, b: float) -> float:
    """The smaller of two numbers; nan if either is nan, as PyTorch has it."""
    if a != a or b != b:
        return NAN
    return a if a <= b else b
