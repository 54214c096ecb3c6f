"""Sums of floats as the `sum` of the running Python makes them, step by step."""

from __future__ import annotations

import math
import sys
from typing import Any

from .follow import TapedFloat, TapedInt

KEEPS_ERRORS, KEEPS_THOSE_OF_INTS = sys.version_info >= (3, 12), sys.version_info >= (3, 14)
"""Whether it keeps the errors of additions, also of those of ints to floats."""
_FLOATS = frozenset({float, TapedFloat})
_INTS = frozenset({int, bool, TapedInt})
LONGEST = math.inf if KEEPS_THOSE_OF_INTS else 1 << 63
"""Ints from here on end the sum of floats."""


class FloatSum:
    """The total of a sum, as it is after each item.

    The rounding error of each addition is kept, and added at the end: A. Neumaier, Rundungsfehler-
    analyse einiger Verfahren zur Summation endlicher Summen, ZAMM 54 (1974).
    """

    def __init__(self) -> None:
        self._total: float | None = None
        self._error = 0.0
        self._is_over = not KEEPS_ERRORS
        """Whether anything else than a number was added: the rest are plain additions."""

    def next(self, total: Any, item: Any) -> float | None:
        """`total` and one more item; None where that is a plain addition."""
        if self._is_over or (self._total is None and type(total) not in _FLOATS):
            self._is_over = self._is_over or type(total) not in _INTS
            return None
        is_float = type(item) in _FLOATS
        if not is_float and not (type(item) in _INTS and -LONGEST <= item < LONGEST):
            self._is_over = True
            return None
        high, x = float(total) if self._total is None else self._total, float(item)
        self._total = high + x
        if is_float or KEEPS_THOSE_OF_INTS:
            larger, smaller = (high, x) if abs(high) >= abs(x) else (x, high)
            self._error += (larger - self._total) + smaller
        is_kept = self._error and math.isfinite(self._error)
        return self._total + self._error if is_kept else self._total
