"""Slips that show in a wrong number alone, whatever was asked for."""

from __future__ import annotations

import math

_ALIKE = 1e-3
_NEAR = 0.05
_MOST_PLACES = 3

SIGN = "The size is right, the sign is not."
POINT = "The digits are right, the decimal point is not."
UPSIDE_DOWN = "That is upside down: turn the fraction over."
ROUNDED = "That is rounded too far. Give one more digit."
NEAR = "Close, but more than rounding is missing. Compute with more digits, and check each step."
TWICE = "That is twice as much: something is counted twice."
HALF = "That is half of it: something is left out."
ZERO = "0 would say that there is nothing, or that nothing moves."
MANY, FEW = "That is one too many. Count once more.", "That is one too few. Count once more."


def number_slip(typed: float, due: float) -> str:
    """What likely made `typed` out of the number `due`, in a sentence; "" if nothing is known."""
    if not (math.isfinite(typed) and math.isfinite(due)) or typed == due:
        return ""
    if isinstance(due, int) and abs(typed - due) == 1:
        return MANY if typed > due else FEW
    if not due or not typed:
        return ZERO if due else ""
    if _alike(typed, -due):
        return SIGN
    if any(_alike(typed, due * 10.0**k) for k in range(-_MOST_PLACES, _MOST_PLACES + 1) if k):
        return POINT
    if _alike(typed, 2 * due):
        return TWICE
    if _alike(2 * typed, due):
        return HALF
    if _alike(typed * due, 1.0):
        return UPSIDE_DOWN
    if abs(typed - due) <= _half_digit(typed):
        return ROUNDED
    return NEAR if abs(typed - due) <= _NEAR * abs(due) else ""


def _alike(a: float, b: float) -> bool:
    return math.isclose(a, b, rel_tol=_ALIKE)


def _half_digit(x: float) -> float:
    """Half a unit in the last decimal place of a typed number."""
    decimals = len(repr(x).partition("e")[0].partition(".")[2].rstrip("0"))
    return 0.5 * 10.0**-decimals * (1 + 1e-9)
