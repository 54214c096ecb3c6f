"""Round numbers for the ticks of an axis."""

from __future__ import annotations

import math

TICKS = 4
"""The approximate number of ticks on an axis."""


def ticks(low: float, high: float, count: int = TICKS) -> list[float]:
    """About `count` round numbers from `low` to `high`; [low] for an empty range."""
    if not high > low:
        return [low]
    rough = (high - low) / count
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * f for f in (1, 2, 5, 10) if power * f >= rough * 0.999)
    first = math.ceil(low / step - 1e-9)
    return [k * step for k in range(first, math.floor(high / step + 1e-9) + 1)]
