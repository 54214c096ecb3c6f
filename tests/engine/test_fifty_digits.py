"""The table's operations on decimal numbers against mpmath."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.fifty_digits import fifty_digits, operation

mp = mpmath.MPContext()
mp.dps = 70
RIGHT: dict[str, Callable[..., Any]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a / b,
    "neg": lambda x: -x,
    "exp": mp.exp,
    "log": mp.log,
    "sqrt": mp.sqrt,
    "log1p": lambda x: mp.log(1 + x),
    "abs": abs,
    "max": max,
    "min": min,
    "tanh": mp.tanh,
    "sigmoid": lambda x: 1 / (1 + mp.exp(-x)),
    "relu": lambda x: max(x, mp.mpf(0)),
    "leaky_relu": lambda x: x if x > 0 else mp.mpf(0.01) * x,
    "softplus": lambda x: mp.log(1 + mp.exp(x)),
    "silu": lambda x: x / (1 + mp.exp(-x)),
    "gelu": lambda x: x * mp.erfc(-x / mp.sqrt(2)) / 2,
    "erfc": mp.erfc,
}
BINARY = frozenset({"+", "-", "*", "/", "max", "min"})
POSITIVE = frozenset({"log", "sqrt", "log1p"})
numbers = st.floats(-30, 30).filter(lambda x: abs(x) > 1e-6)


@pytest.mark.parametrize("name", RIGHT)
@given(a=numbers, b=numbers)
def test_an_operation_is_right_to_48_digits(name: str, a: float, b: float) -> None:
    args = [abs(a) if name in POSITIVE else a, *([b] if name in BINARY else [])]
    right = RIGHT[name](*map(mp.mpf, args))
    with fifty_digits():
        found = operation(name)(*map(Decimal, args))
    error = abs(mp.mpf(str(found)) - right)
    # erfc and what is made of it, and log(1 + x), are right to 48 places
    assert error <= mp.mpf(10) ** -48 * max(abs(right), 1)


def test_outside_the_domain_it_is_nan_and_nothing_is_raised() -> None:
    with fifty_digits():
        assert operation("log")(Decimal(-1)).is_nan()
        assert operation("log")(Decimal(0)) == Decimal("-inf")
        assert operation("sqrt")(Decimal(-1)).is_nan()
        assert operation("/")(Decimal(1), Decimal(0)) == Decimal("inf")
        assert operation("erfc")(Decimal(30)) == 0
        assert operation("erfc")(Decimal(-30)) == 2
