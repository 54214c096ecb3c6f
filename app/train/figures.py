"""Numbers of training as pages show them: few characters, always about as wide.

`static/js/train/words.js` writes them the same way.
"""

from __future__ import annotations

import math
from typing import Any


def figure(x: Any) -> str:
    """A number in few characters: "0.0039", "1.181", "23.40", "5.3e−5", "nan"."""
    x = float(x)
    if not math.isfinite(x):
        return _minus(repr(x))
    size = abs(x)
    if size == 0:
        return "0"
    if not 1e-4 <= size < 1e5:
        mantissa, _, exponent = f"{x:.1e}".partition("e")
        return _minus(f"{mantissa}e{int(exponent)}")
    decimals = 4 if size < 1 else 3 if size < 10 else 2 if size < 100 else 1
    return _minus(f"{x:.{decimals}f}")


def signed(x: Any) -> str:
    """`figure(x)` with its sign, whichever it is."""
    return f"+{figure(x)}" if float(x) > 0 else figure(x)


def fixed(x: Any) -> str:
    """A number with four decimals, so that a column of them stands in line."""
    x = float(x)
    return _minus(f"{x:.4f}") if abs(x) < 1e5 else figure(x)


def percent(share: float | None) -> str:
    """A share: "100%", "98.4%"; "–" where there is none."""
    if share is None:
        return "–"
    return f"{100 * share:.1f}".removesuffix(".0") + "%"


def counted(count: int, noun: str) -> str:
    """A number and what it counts: "1 step", "1,200 steps"."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def _minus(text: str) -> str:
    return text.replace("-", "−")
