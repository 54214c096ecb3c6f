"""Floats in columns, as NumPy prints an array: one layout for all elements of the array."""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import Decimal

from .context import PrintOptions
from .dtypes import FLOAT32, ArrayDType, rounded, shortest32

LARGE = {64: 1e8, 32: 1e6}  # by bits: the first number that is written with an exponent
SMALL = 1e-4
SPREAD = 1000.0  # from this ratio of the largest to the smallest number on, exponents are used


@dataclass(slots=True)
class Column:
    """Widths to the left and right of the point, and digits of the exponent or -1 for none."""

    left: int
    right: int
    exponent: int
    fraction: int  # digits after the point that every number has


class Floats:
    """Writes each float of an array in the same layout."""

    def __init__(self, xs: list[float], dtype: ArrayDType, options: PrintOptions) -> None:
        self.options = options
        self.dtype = dtype
        finite = [x for x in xs if math.isfinite(x)]
        self.scientific = self._needs_exponents(finite)
        self.column = self._measured(finite)
        if len(finite) != len(xs):
            negative = options.sign != "-" or -math.inf in xs
            longest = max(len(options.nanstr), len(options.infstr) + negative)
            self.column.left = max(self.column.left, longest - self.column.right - 1)

    def _needs_exponents(self, finite: list[float]) -> bool:
        sizes = [abs(x) for x in finite if x]
        if not sizes:
            return False
        high, low = max(sizes), min(sizes)
        if high >= LARGE[self.dtype.bits]:
            return True
        ratio = rounded([high / low if low > 1e-300 else math.inf], self.dtype)[0]
        small = rounded([SMALL], self.dtype)[0]
        return not self.options.suppress and (low < small or ratio > SPREAD)

    def _measured(self, finite: list[float]) -> Column:
        if not finite:
            return Column(0, 0, -1, 0)
        parts = [self._parts(x) for x in finite]
        left = max(len(whole) for whole, _, _ in parts)
        right = max(len(fraction) for _, fraction, _ in parts)
        if self.options.sign == " " and all(math.copysign(1, x) > 0 for x in finite):
            left += 1
        if self.scientific:
            exponent = max(len(power) for _, _, power in parts)
            return Column(left, exponent + 2 + right, exponent, right)
        equal = self.options.floatmode in ("fixed", "maxprec_equal")
        return Column(left, right, -1, right if equal else 0)

    def _parts(self, x: float) -> tuple[str, str, str]:
        """Whole part with its sign, fraction without trailing zeros, digits of the exponent."""
        text = shortest32(x) if self.dtype is FLOAT32 else repr(x)
        parts = self._scientific(x, text) if self.scientific else self._positional(x, text)
        plus = "+" if self.options.sign == "+" and not parts[0].startswith("-") else ""
        return plus + parts[0], parts[1], parts[2]

    def _positional(self, x: float, text: str) -> tuple[str, str, str]:
        options = self.options
        if "e" in text:
            text = f"{Decimal(text):f}"
        whole, _, fraction = text.partition(".")
        fraction = fraction.rstrip("0")
        if options.floatmode == "fixed" or (
            options.floatmode != "unique" and len(fraction) > options.precision
        ):
            whole, _, fraction = f"{x:.{options.precision}f}".partition(".")
        return whole, fraction if options.floatmode == "fixed" else fraction.rstrip("0"), ""

    def _scientific(self, x: float, text: str) -> tuple[str, str, str]:
        digits = len(Decimal(text).normalize().as_tuple().digits) - 1
        if self.options.floatmode == "fixed":
            digits = self.options.precision
        elif self.options.floatmode != "unique":
            digits = min(digits, self.options.precision)
        mantissa, _, power = f"{x:.{digits}e}".partition("e")
        whole, _, fraction = mantissa.partition(".")
        if self.options.floatmode != "fixed":
            fraction = fraction.rstrip("0")
        return whole, fraction, power[1:]

    def __call__(self, x: float) -> str:
        column = self.column
        if not math.isfinite(x):
            return self._special(x).rjust(column.left + column.right + 1)
        plus = "+" if self.options.sign == "+" else ""
        if self.scientific:
            mantissa, _, power = f"{x:{plus}.{column.fraction}e}".partition("e")
            whole, _, fraction = mantissa.partition(".")
            power = power[0] + power[1:].rjust(column.exponent, "0")
            return f"{whole.rjust(column.left)}.{fraction}e{power}"
        if column.fraction:
            whole, _, fraction = f"{x:{plus}.{column.fraction}f}".partition(".")
        else:
            whole, fraction, _ = self._parts(x)
        return f"{whole.rjust(column.left)}.{fraction}".ljust(column.left + column.right + 1)

    def _special(self, x: float) -> str:
        plus = "+" if self.options.sign == "+" else ""
        if x != x:
            return plus + self.options.nanstr
        return ("-" if x < 0 else plus) + self.options.infstr
