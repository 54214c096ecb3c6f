"""Total real functions on 64-bit floats, with the results of IEEE 754.

Python's `math` raises at a pole, outside the domain and on overflow. These functions never raise:
poles and overflows give an infinity, points outside the domain `nan`, so that `log(0)` shows `-inf`
on its node.
"""

from __future__ import annotations

import math
from collections.abc import Callable

INF = math.inf
NAN = math.nan


def divide(a: float, b: float) -> float:
    """a / b; x/0 is infinite with the product of the signs, 0/0 is nan."""
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
    """log(1 + x), accurate for small x; log1p(-1) = -inf, nan below -1."""
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
    """The larger of two numbers; nan if either is nan, as in PyTorch."""
    if a != a or b != b:
        return NAN
    return a if a >= b else b


def minimum(a: float, b: float) -> float:
    """The smaller of two numbers; nan if either is nan, as in PyTorch."""
    if a != a or b != b:
        return NAN
    return a if a <= b else b
