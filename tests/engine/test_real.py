"""Real functions on floats answer every input as IEEE 754 and C's Annex F ask, and never raise."""

from __future__ import annotations

import math
from collections.abc import Callable

import mpmath
from hypothesis import given
from hypothesis import strategies as st

from engine import real
from tests.support.each import for_each

INF, NAN = math.inf, math.nan

SPECIAL = [
    (real.divide, (1.0, 0.0), INF),
    (real.divide, (1.0, -0.0), -INF),
    (real.divide, (-1.0, 0.0), -INF),
    (real.divide, (-1.0, -0.0), INF),
    (real.divide, (INF, 0.0), INF),
    (real.divide, (INF, -0.0), -INF),
    (real.divide, (0.0, 0.0), NAN),
    (real.divide, (NAN, 0.0), NAN),
    (real.divide, (INF, INF), NAN),
    (real.divide, (1.0, INF), 0.0),
    (real.divide, (1.0, -INF), -0.0),
    (real.divide, (1e308, 1e-308), INF),
    (real.power, (0.0, -1.0), INF),
    (real.power, (-0.0, -1.0), -INF),
    (real.power, (-0.0, -2.0), INF),
    (real.power, (0.0, -0.5), INF),
    (real.power, (0.0, 0.0), 1.0),
    (real.power, (NAN, 0.0), 1.0),
    (real.power, (1.0, NAN), 1.0),
    (real.power, (-1.0, INF), 1.0),
    (real.power, (-8.0, 1 / 3), NAN),
    (real.power, (-2.0, 0.5), NAN),
    (real.power, (-2.0, 3.0), -8.0),
    (real.power, (10.0, 400.0), INF),
    (real.power, (-10.0, 401.0), -INF),
    (real.power, (-10.0, 400.0), INF),
    (real.power, (-1e-200, -3.0), -INF),
    (real.power, (0.5, 2000.0), 0.0),
    (real.exp, (710.0,), INF),
    (real.exp, (-1000.0,), 0.0),
    (real.exp, (-INF,), 0.0),
    (real.exp, (NAN,), NAN),
    (real.log, (0.0,), -INF),
    (real.log, (-0.0,), -INF),
    (real.log, (-1.0,), NAN),
    (real.log, (INF,), INF),
    (real.log, (-INF,), NAN),
    (real.log1p, (-1.0,), -INF),
    (real.log1p, (-2.0,), NAN),
    (real.log1p, (1e-300,), 1e-300),
    (real.sqrt, (-1.0,), NAN),
    (real.sqrt, (-0.0,), -0.0),
    (real.sqrt, (INF,), INF),
    (real.sin, (INF,), NAN),
    (real.cos, (-INF,), NAN),
    (real.tan, (INF,), NAN),
    (real.tanh, (400.0,), 1.0),
    (real.tanh, (-INF,), -1.0),
    (real.erfc, (40.0,), 0.0),
    (real.sinh, (1000.0,), INF),
    (real.sinh, (-1000.0,), -INF),
    (real.sinh, (-0.0,), -0.0),
    (real.cosh, (-1000.0,), INF),
    (real.asin, (1.5,), NAN),
    (real.acos, (-1.5,), NAN),
    (real.acos, (1.0,), 0.0),
    (real.atan, (-INF,), -math.pi / 2),
    (real.asinh, (-INF,), -INF),
    (real.acosh, (0.5,), NAN),
    (real.acosh, (INF,), INF),
    (real.atanh, (1.0,), INF),
    (real.atanh, (-1.0,), -INF),
    (real.atanh, (2.0,), NAN),
    (real.expm1, (-INF,), -1.0),
    (real.expm1, (1000.0,), INF),
    (real.exp2, (1024.0,), INF),
    (real.exp2, (-1.0,), 0.5),
    (real.log2, (0.0,), -INF),
    (real.log2, (8.0,), 3.0),
    (real.log2, (-1.0,), NAN),
    (real.log10, (-0.0,), -INF),
    (real.log10, (1000.0,), 3.0),
    (real.log10, (-INF,), NAN),
    (real.cbrt, (-0.0,), -0.0),
    (real.cbrt, (-INF,), -INF),
    (real.erf, (INF,), 1.0),
    (real.atan2, (0.0, -0.0), math.pi),
    (real.atan2, (-0.0, 0.0), -0.0),
    (real.hypot, (INF, NAN), INF),
    (real.hypot, (1e200, 1e200), math.sqrt(2) * 1e200),
    (real.hypot, (1e308, 1.7e308), INF),
    (real.fmod, (-5.0, 3.0), -2.0),
    (real.fmod, (5.0, 0.0), NAN),
    (real.fmod, (INF, 3.0), NAN),
    (real.fmod, (5.0, INF), 5.0),
    (real.copysign, (3.0, -0.0), -3.0),
    (real.modulo, (-5.0, 3.0), 1.0),
    (real.modulo, (5.0, -3.0), -1.0),
    (real.modulo, (5.0, 0.0), NAN),
    (real.modulo, (INF, 2.0), NAN),
    (real.modulo, (-1.0, INF), INF),
    (real.floor, (-0.5,), -1.0),
    (real.floor, (-0.0,), -0.0),
    (real.floor, (2.5,), 2.0),
    (real.floor, (-INF,), -INF),
    (real.floor, (NAN,), NAN),
    (real.trunc, (-0.5,), -0.0),
    (real.trunc, (-2.5,), -2.0),
    (real.trunc, (INF,), INF),
    (real.trunc, (NAN,), NAN),
    (real.maximum, (NAN, 1.0), NAN),
    (real.maximum, (1.0, NAN), NAN),
    (real.maximum, (2.0, 3.0), 3.0),
    (real.maximum, (INF, 3.0), INF),
    (real.minimum, (NAN, 1.0), NAN),
    (real.minimum, (1.0, NAN), NAN),
    (real.minimum, (2.0, 3.0), 2.0),
]


def is_same(a: float, b: float) -> bool:
    """Whether two floats are one number, the sign of zero included; nan is nan."""
    return (a != a and b != b) or (a == b and math.copysign(1, a) == math.copysign(1, b))


@for_each(("function", "args", "right"), SPECIAL)
def test_special_inputs(
    function: Callable[..., float], args: tuple[float, ...], right: float
) -> None:
    assert is_same(function(*args), right)


UNARY = (
    real.exp, real.log, real.log1p, real.sqrt, real.sin, real.cos, real.tan, real.tanh, real.erfc,
)  # fmt: skip
OF_MATH = (
    real.exp2, real.expm1, real.log2, real.log10, real.cbrt, real.asin, real.acos, real.atan,
    real.sinh, real.cosh, real.asinh, real.acosh, real.atanh, real.erf, real.floor, real.trunc,
)  # fmt: skip
BINARY = (
    real.divide, real.power, real.maximum, real.minimum, real.atan2, real.hypot, real.fmod,
    real.copysign, real.modulo,
)  # fmt: skip


@given(st.floats())
def test_no_number_makes_a_function_raise(x: float) -> None:
    assert all(isinstance(function(x), float) for function in (*UNARY, *OF_MATH))


@given(st.floats(), st.floats())
def test_no_pair_makes_a_function_raise(a: float, b: float) -> None:
    assert all(isinstance(function(a, b), float) for function in BINARY)


def rounded(x: object) -> float:
    """The float nearest to a number of mpmath; nan where it is not real."""
    return NAN if isinstance(x, mpmath.mpc) and x.imag != 0 else float(mpmath.mpf(mpmath.re(x)))


@given(st.floats(-700, 700))
def test_functions_are_those_of_the_textbook(x: float) -> None:
    exact = {
        real.exp: mpmath.exp, real.log: mpmath.log, real.log1p: mpmath.log1p,
        real.sqrt: mpmath.sqrt, real.sin: mpmath.sin, real.cos: mpmath.cos, real.tan: mpmath.tan,
        real.tanh: mpmath.tanh, real.erfc: mpmath.erfc,
    }  # fmt: skip
    with mpmath.workdps(50):
        for function in UNARY:
            if x <= {"log": 0, "log1p": -1}.get(function.__name__, -1000):
                continue
            right = rounded(exact[function](mpmath.mpf(x)))
            found = function(x)
            assert math.isclose(found, right, rel_tol=1e-14, abs_tol=1e-321) or is_same(
                found, right
            ), function.__name__


@given(st.floats(1e-3, 1e3), st.floats(-30, 30))
def test_power_of_a_positive_number(a: float, b: float) -> None:
    with mpmath.workdps(50):
        right = float(mpmath.mpf(a) ** mpmath.mpf(b))
    assert math.isclose(real.power(a, b), right, rel_tol=1e-14)


@given(st.floats(-20, -0.05), st.integers(-9, 9))
def test_power_of_a_negative_number(a: float, n: int) -> None:
    with mpmath.workdps(50):
        right = float(mpmath.mpf(a) ** n)
    assert math.isclose(real.power(a, float(n)), right, rel_tol=1e-14)
