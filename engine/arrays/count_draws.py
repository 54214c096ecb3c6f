"""Random counts: binomial by inversion, Poisson by products of uniform numbers.

NumPy takes these methods for small means (n·p < 30, λ < 10); larger ones are refused.
"""

from __future__ import annotations

import math
from collections.abc import Callable

Draw = Callable[[], float]
MOST_TRIALS = 10**6


def binomial(double: Draw, trials: int, p: float) -> int:
    """The number of successes in trials, by inversion (Kachitvichyanukul and Schmeiser 1988)."""
    if p > 0.5:
        return trials - binomial(double, trials, 1.0 - p)
    if not trials or p == 0:
        return 0
    q = 1.0 - p
    none = math.exp(trials * math.log(q))
    mean = trials * p
    bound = int(min(trials, mean + 10.0 * math.sqrt(mean * q + 1)))
    count, share, u = 0, none, double()
    while u > share:
        count += 1
        if count > bound:
            count, share, u = 0, none, double()
        else:
            u -= share
            share = (trials - count + 1) * p * share / (count * q)
    return count


def poisson(double: Draw, rate: float) -> int:
    """The number of uniform factors until their product falls to e^-λ (Knuth 1969)."""
    if rate == 0:
        return 0
    limit, count, product = math.exp(-rate), 0, 1.0
    while True:
        product *= double()
        if product <= limit:
            return count
        count += 1
