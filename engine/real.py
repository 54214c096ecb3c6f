"""Total real functions on 64-bit floats, with the results of IEEE 754.

Python's `math` raises at a pole, outside the domain and on overflow. These functions never raise:
poles and overflows give an infinity, points outside the domain `nan`, so that `log(0)` shows `-inf`
on its node.
"""

from __future__ import annotations

import math
import struct
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


def sinh(x: float) -> float:
    """Hyperbolic sine; infinite with the sign of x beyond about 710.48."""
    try:
        return math.sinh(x)
    except OverflowError:
        return math.copysign(INF, x)


def cosh(x: float) -> float:
    """Hyperbolic cosine; inf beyond about 710.48."""
    try:
        return math.cosh(x)
    except OverflowError:
        return INF


def atanh(x: float) -> float:
    """Inverse hyperbolic tangent; infinite with the sign of x at ±1, nan beyond."""
    try:
        return math.atanh(x)
    except ValueError:
        return math.copysign(INF, x) if abs(x) == 1 else NAN


def expm1(x: float) -> float:
    """e ** x - 1, accurate for small x; inf above about 709.78."""
    try:
        return math.expm1(x)
    except OverflowError:
        return INF


def exp2(x: float) -> float:
    """2 ** x; inf from 1024 on."""
    try:
        return math.exp2(x)
    except OverflowError:
        return INF


def log2(x: float) -> float:
    """Logarithm to base 2; log2(0) = -inf, nan below 0."""
    try:
        return math.log2(x)
    except ValueError:
        return -INF if x == 0 else NAN


def log10(x: float) -> float:
    """Logarithm to base 10; log10(0) = -inf, nan below 0."""
    try:
        return math.log10(x)
    except ValueError:
        return -INF if x == 0 else NAN


def fmod(a: float, b: float) -> float:
    """The remainder of a / b with the sign of a, as in C; nan for b = 0 and infinite a."""
    try:
        return math.fmod(a, b)
    except ValueError:
        return NAN


def modulo(a: float, b: float) -> float:
    """a - b * floor(a / b), with the sign of b, as Python's `%`; nan for b = 0 and infinite a."""
    try:
        return a % b
    except ZeroDivisionError:
        return NAN


def floor(x: float) -> float:
    """The largest integer up to x, with the sign of zero; infinite and nan unchanged."""
    return math.copysign(math.floor(x), x) if math.isfinite(x) else x


def trunc(x: float) -> float:
    """The integer part of x, with the sign of x; infinite and nan unchanged."""
    return math.copysign(math.trunc(x), x) if math.isfinite(x) else x


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
asin = _nan_outside(math.asin)
acos = _nan_outside(math.acos)
acosh = _nan_outside(math.acosh)
tanh = math.tanh
atan = math.atan
asinh = math.asinh
cbrt = math.cbrt
erf = math.erf
erfc = math.erfc
atan2 = math.atan2
hypot = math.hypot
copysign = math.copysign


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


_SINGLE = struct.Struct("f")


def as_single(x: float) -> float:
    """The 32-bit float nearest to `x`, ties to even; an infinity beyond the largest one."""
    try:
        rounded: float = _SINGLE.unpack(_SINGLE.pack(x))[0]
    except OverflowError:
        return math.copysign(math.inf, x)
    return rounded


def as_float(x: float) -> float:
    """A number as a 64-bit float; an int beyond them is infinite."""
    try:
        return float(x)
    except OverflowError:
        return INF if x > 0 else -INF


def same(a: float, b: float) -> bool:
    """Whether two numbers are equal or both nan."""
    return a == b or (a != a and b != b)
