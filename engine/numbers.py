"""How a number is written: short enough for a card, or in full.

`static/js/common/numbers.js` writes the same texts; a browser test compares the two.
"""

from __future__ import annotations

import math

WIDTH = 11  # characters that fit on a card
DIGITS = 4


def short(x: float) -> str:
    """`x` in at most WIDTH characters: "2.0000", "1.2346e+08", "-1.235e-308", "nan", "inf"."""
    if not math.isfinite(x):
        return repr(x)
    size = abs(x)
    if size == 0 or 1e-3 <= size < 1e5:
        text = f"{x:.{DIGITS}f}"
        if len(text) <= WIDTH:
            return text
    text = f"{x:.{DIGITS}e}"
    return text if len(text) <= WIDTH else f"{x:.{DIGITS - 1}e}"


def full(x: float) -> str:
    """The shortest text that reads back as exactly `x`."""
    return repr(x)


def spoken(x: float) -> str:
    """`short(x)` without trailing zeros, for words around it: "2", "0.5", "1.2346e+08"."""
    text = short(x)
    return text if "e" in text or "." not in text else text.rstrip("0").rstrip(".")


def in_equation(x: float, *, paren: bool = False) -> str:
    """`short(x)` with a real minus sign, and parentheses around a negative number if asked."""
    text = short(x).replace("-", "−")
    return f"({text})" if paren and text.startswith("−") else text


def to_json(x: float) -> float | str:
    """`x` for JSON, which has no nan and no infinity: they become "nan", "inf", "-inf"."""
    return x if math.isfinite(x) else repr(x)
