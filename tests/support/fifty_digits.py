"""Expressions evaluated with 50 digits, with forward-mode derivatives and rounding error bounds.

A `Term` is an expression at a point. Its value and its derivatives with respect to the leaves
follow from RULES in forward mode. Each number carries a first-order bound of the rounding error of
floats: an operation is off by some ulp, errors of args propagate through the partials, and errors
of partials through second derivatives. Cancellation, steep and saturated functions show as a bound
that is large relative to the number; that ratio measures conditioning.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import mpmath
from mpmath import mpf

from tests.support.programs import TooClose
from tests.support.references import OPERATIONS

DIGITS = 50
UNIT = mpf(2) ** -52
UNITS = 4  # error bound of an operation in ulp; C's and the table's are off by 1 or 2
STEP = mpf(10) ** -20  # of finite differences with 50 digits
BORDER = mpf("0.001")  # minimum distance of a point from kinks, poles and domain boundaries
LARGEST = 1_000

Real = Callable[..., mpf]


class Rule(NamedTuple):
    """The partials of an operation from textbooks.

    `border` is the distance from the nearest point without a derivative, negative outside the
    domain. `terms` is the size of the summands of the table's partial, where they can cancel.
    """

    partials: tuple[Real, ...]
    border: Real | None = None
    terms: Real | None = None


def _sigmoid(x: mpf) -> mpf:
    return 1 / (1 + mpmath.exp(-x))


def _whole(b: mpf) -> bool:
    return bool(b == mpmath.floor(b))


RULES: dict[str, Rule] = {
    "+": Rule((lambda a, b: mpf(1), lambda a, b: mpf(1))),
    "-": Rule((lambda a, b: mpf(1), lambda a, b: mpf(-1))),
    "*": Rule((lambda a, b: b, lambda a, b: a)),
    "/": Rule((lambda a, b: 1 / b, lambda a, b: -a / b**2), lambda a, b: abs(b)),
    "**": Rule(
        (
            lambda a, b: b * a ** (b - 1),
            lambda a, b: a**b * mpmath.log(a) if a > 0 else mpf(0),  # else b is a constant
        ),
        lambda a, b: abs(a) if _whole(b) else a,
    ),
    "neg": Rule((lambda x: mpf(-1),)),
    "exp": Rule((mpmath.exp,)),
    "log": Rule((lambda x: 1 / x,), lambda x: x),
    "sqrt": Rule((lambda x: x ** mpf(-0.5) / 2,), lambda x: x),
    "sin": Rule((mpmath.cos,)),
    "cos": Rule((lambda x: -mpmath.sin(x),)),
    "tan": Rule((lambda x: 1 / mpmath.cos(x) ** 2,), lambda x: abs(mpmath.cos(x))),
    "tanh": Rule((lambda x: 1 / mpmath.cosh(x) ** 2,), None, lambda x: mpf(2)),
    "sigmoid": Rule((lambda x: _sigmoid(x) * _sigmoid(-x),), None, _sigmoid),
    "relu": Rule((lambda x: mpf(x > 0),), abs),
    "leaky_relu": Rule((lambda x: mpf(1) if x > 0 else mpf(1) / 100,), abs),
    "softplus": Rule((_sigmoid,)),
    "silu": Rule(
        (lambda x: _sigmoid(x) * (1 + x * _sigmoid(-x)),),
        None,
        lambda x: _sigmoid(x) * (1 + abs(x)),
    ),
    "gelu": Rule(
        (lambda x: mpmath.ncdf(x) + x * mpmath.npdf(x),),
        None,
        lambda x: (1 + x**2) * (mpmath.ncdf(x) + abs(x) * mpmath.npdf(x)),
    ),
    "abs": Rule((mpmath.sign,), abs),
    "max": Rule((lambda a, b: mpf(a > b), lambda a, b: mpf(b > a)), lambda a, b: abs(a - b)),
    "min": Rule((lambda a, b: mpf(a < b), lambda a, b: mpf(b < a)), lambda a, b: abs(a - b)),
}
"""Every operation of the table."""


class Number(NamedTuple):
    """An exact number and the error bound of its float.

    `paths`, of a derivative, is the sum of the absolute contributions of all paths from the leaf.
    """

    exact: mpf
    bound: mpf = mpf(0)
    paths: mpf = mpf(0)


@dataclass(frozen=True, eq=False)
class Term:
    """An expression at a point: a leaf, a constant, or an operation on other Terms."""

    value: Number
    slopes: Mapping[str, Number]
    op: str = ""
    args: tuple[Term, ...] = ()
    leaf: str = ""

    def at(self, leaves: Mapping[str, float]) -> mpf:
        """The value with some leaves replaced. Raises TooClose outside the domain."""
        return _at(self, leaves, {})


def leaf(name: str, x: float) -> Term:
    """A named leaf."""
    return Term(Number(mpf(x)), {name: Number(mpf(1), paths=mpf(1))}, leaf=name)


def constant(x: float) -> Term:
    """A constant."""
    return Term(Number(mpf(x)), {})


def term(op: str, *args: Term) -> Term:
    """An operation on Terms. Raises TooClose near a border and for large results."""
    rule, x = RULES[op], [arg.value.exact for arg in args]
    if op == "**" and x[0] < 0 and args[1].slopes:
        raise TooClose  # the power is not real for nearby exponents
    if rule.border and rule.border(*x) < BORDER:
        raise TooClose
    y = OPERATIONS[op](*x)
    if abs(y) > LARGEST:
        raise TooClose
    partials = [_partial(op, slot, args) for slot in range(len(args))]
    missed = sum(abs(p.exact) * arg.value.bound for p, arg in zip(partials, args, strict=True))
    own = UNITS * UNIT * abs(y) * (1 + x[0] ** 2 if op == "gelu" else 1)
    names = {name for arg in args for name in arg.slopes}
    slopes = {name: _slope(name, partials, args) for name in sorted(names)}
    return Term(Number(y, missed + own), slopes, op, args)


def _partial(op: str, slot: int, args: tuple[Term, ...]) -> Number:
    rule, x = RULES[op], [arg.value.exact for arg in args]
    partial = rule.partials[slot]
    exact = partial(*x)
    bound = UNITS * UNIT * max(abs(exact), rule.terms(*x) if rule.terms else 0)
    for other, arg in enumerate(args):
        if arg.value.bound:
            nudged = [number + STEP * (other == i) for i, number in enumerate(x)]
            bound += abs(partial(*nudged) - exact) / STEP * arg.value.bound
    return Number(exact, bound)


def _slope(name: str, partials: list[Number], args: tuple[Term, ...]) -> Number:
    exact, bound, paths = mpf(0), mpf(0), mpf(0)
    for partial, arg in zip(partials, args, strict=True):
        if name in arg.slopes:
            inner = arg.slopes[name]
            through = abs(partial.exact) * inner.paths
            exact += partial.exact * inner.exact
            bound += abs(partial.exact) * inner.bound + partial.bound * inner.paths
            bound += UNITS * UNIT * through
            paths += through
    return Number(exact, bound, paths)


def _at(part: Term, leaves: Mapping[str, float], known: dict[Term, mpf]) -> mpf:
    if part not in known:
        x = [_at(arg, leaves, known) for arg in part.args]
        if not part.op:
            known[part] = mpf(leaves[part.leaf]) if part.leaf in leaves else part.value.exact
        else:
            border = RULES[part.op].border
            if border and border(*x) <= 0:
                raise TooClose
            known[part] = OPERATIONS[part.op](*x)
    return known[part]
