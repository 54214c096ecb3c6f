"""Numbers that stand together in a panel, all written alike."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import floor, isfinite, log10

from app.picture.array_map import array_number
from engine.numbers import DIGITS, with_minus

MOST = 7
"""Decimals at most."""
LARGE = 1e5

Written = Callable[[float], str]


def alike(numbers: Iterable[float]) -> Written:
    """A format for all of some numbers: one count of decimals, or exponents.

    Decimals are so many that the least has DIGITS digits, but at most MOST: what these show as 0
    has an exponent. All have one where the largest is 1e5 or more, or would show no digit.
    """
    sizes = [abs(x) for x in numbers if x and isfinite(x)]
    least, largest = min(sizes, default=1.0), max(sizes, default=1.0)
    decimals = max(DIGITS, min(MOST, DIGITS - 1 - floor(log10(least))))

    def written(x: float) -> str:
        if not x or not isfinite(x):
            return array_number(x)
        is_tiny = abs(x) < 0.5 * 10**-decimals
        has_exponent = largest >= LARGE or largest < 10.0 ** (2 - MOST) or is_tiny
        return with_minus(f"{x:.{DIGITS}e}" if has_exponent else f"{x:.{decimals}f}")

    return written


def held(text: str) -> str:
    """A negative number in parentheses, as a factor has them."""
    return f"({text})" if text.startswith("−") else text
