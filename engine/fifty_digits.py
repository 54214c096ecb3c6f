"""The operations of the table on decimal numbers of fifty digits, for checks of those on floats.

Formulas are those of the table, compiled over `decimal.Decimal`, of which each operation is rounded
correctly to 50 digits. Only the functions of networks and losses are here. Outside the domain they
give nan, at poles ±∞, and raise nothing within `fifty_digits()`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from decimal import Context, Decimal, localcontext
from typing import Any

from .caches import cached
from .formulas import compile_over, names_in
from .ops import OPS

PLACES = 50
SPARE = 10
"""Further digits for what a function computes on the way."""
NAN, ONE = Decimal("nan"), Decimal(1)
PI = Decimal("3.14159265358979323846264338327950288419716939937510582097494")


@contextmanager
def fifty_digits() -> Iterator[None]:
    """Compute with fifty digits, and raise nothing."""
    with localcontext(Context(prec=PLACES, traps=[])):
        yield


@cached("operations in fifty digits")
def operation(name: str) -> Callable[..., Any]:
    """An operation of the table on decimal numbers. Raises KeyError for one that is not here."""
    op = OPS[name]
    called = {other: operation(other) for other in names_in(op.formula) if other in _ONLY_HERE}
    return compile_over(op.formula, op.params, {**FUNCTIONS, **called}, Decimal)


def _log(x: Decimal) -> Decimal:
    return x.ln() if x >= 0 else NAN  # of 0 it is −∞


def _tanh(x: Decimal) -> Decimal:
    e = (-2 * abs(x)).exp()
    return ((ONE - e) / (ONE + e)).copy_sign(x)


def _erfc(x: Decimal) -> Decimal:
    """1 − 2/√π · e^(−x²) · Σ 2ⁿ x²ⁿ⁺¹ / (2n+1)!!, in which no terms cancel (Abramowitz, 7.1.6)."""
    with localcontext() as context:
        context.prec += SPARE
        if not x.is_finite() or abs(x) > 20:
            return Decimal(2) if x < 0 else ONE - ONE if x > 0 else NAN
        term = total = x
        n = 0
        while term and abs(term) > abs(total).scaleb(-context.prec):
            n += 1
            term = term * 2 * x * x / (2 * n + 1)
            total += term
        found = ONE - 2 / PI.sqrt() * (-x * x).exp() * total
    return +found


FUNCTIONS: dict[str, Any] = {
    "exp": lambda x: Decimal(x).exp(),
    "log": _log,
    "log1p": lambda x: _log(ONE + x),
    "sqrt": lambda x: Decimal(x).sqrt(),
    "tanh": _tanh,
    "erfc": _erfc,
    "abs": abs,
    "max": max,
    "min": min,
}
_ONLY_HERE = OPS.keys() - FUNCTIONS.keys()
