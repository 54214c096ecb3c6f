"""The slope of a function at a number, measured by central differences.

The central difference (f(x + h) − f(x − h)) / 2h has a truncation error that grows as h² and a
rounding error that grows as 1/h. Neither is known, so steps on a ladder are compared: where the
next larger step gives the same slope, the truncation error is small, and the rounding error is
bounded by what the function's numbers were rounded by. The step with the least sum of both is the
one to trust (in the manner of Ridders, Advances in Engineering Software 4, 1982, who extrapolates).

Where the slopes from the left and from the right differ by an amount that does not shrink with the
step, f has a kink: no derivative exists there.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import NamedTuple

FIRST = 6e-6  # relative step that balances both errors of a smooth function of size 1: ε^(1/3)
RATIO = math.sqrt(10)  # between the steps of the ladder
LARGEST, SMALLEST = 1e-1, 1e-12  # steps relative to x, and to 1
MOST = 60  # steps on the ladder
SURE = 1e-6  # relative uncertainty below which no other step is tried
SHRINKS = 0.6
"""The gap of one-sided slopes at a step, over that at the next larger one: 1 / √10 for a smooth
function, 1 at a kink."""
SETTLED = 0.1  # relative error of slopes that rule out others, of wider steps
BROAD = 1.0  # step beyond which two that agree are not sure: f may vary on the scale of 1
TINY = 0.05  # rounding error that may hide in a gap, relative to it


class DifferenceQuotients(NamedTuple):
    """The difference quotients at a step h: central, and those from the left and the right."""

    h: float
    slope: float
    left: float
    right: float

    @property
    def gap(self) -> float:
        return abs(self.right - self.left)


class MeasuredSlope(NamedTuple):
    """The slope, the step it was measured with, and its uncertainty; nan if f leaves its domain.

    `left` and `right` are the one-sided slopes; `kink` says whether they differ for good.
    """

    slope: float
    h: float
    uncertainty: float
    left: float
    right: float
    kink: bool


Line = Callable[[float], float]


def at_step(f: Line, x: float, here: float, h: float) -> DifferenceQuotients:
    """The difference quotients with a step of `h`, rounded so that x + h and x − h are exact."""
    above = x + h
    h = above - x
    below = x - h
    if h <= 0:
        return DifferenceQuotients(h, math.nan, math.nan, math.nan)
    high, low = f(above), f(below)
    # Halved first, as the difference of two large numbers may not be finite.
    return DifferenceQuotients(h, (high / 2 - low / 2) / h, (here - low) / h, (high - here) / h)


def measure(f: Line, x: float, here: float, rounding: float) -> MeasuredSlope:
    """The slope of `f` at `x`, where it is `here`; f(x) is rounded by about `rounding`.

    Four evaluations of `f` where that is sure; otherwise up to 2·MOST more.
    """
    scale = abs(x) if x and abs(x) < 1e300 else 1.0
    wide, near = (at_step(f, x, here, FIRST * scale * ratio) for ratio in (RATIO, 1.0))
    best, error = near, _error(near, wide, rounding)
    if near.h > BROAD or not error <= SURE * abs(near.slope):
        best, wide, error = _search(f, x, here, rounding, (near, wide, error))
    if not math.isfinite(best.slope):
        return _out_of_domain(f, x, here)
    is_kink = _is_kink(best, wide, rounding)
    if is_kink:
        closer, wider = _closer(f, x, here, rounding, (best, wide))
        if closer.gap < SHRINKS * max(best.gap, wider.gap):
            is_kink, best, error = False, closer, closer.gap + rounding / closer.h
    return MeasuredSlope(best.slope, best.h, error, best.left, best.right, is_kink)


def ladder(x: float) -> Iterator[float]:
    """Steps from a tenth of max(|x|, 1) down to 1e-12 of min(|x|, 1), none too small for `x`."""
    size = abs(x) if math.isfinite(x) else 1.0
    h, end = LARGEST * max(size, 1.0), SMALLEST * (min(size, 1.0) or 1.0)
    for _ in range(MOST):
        if h < end or x + h == x:
            return
        yield h
        h /= RATIO


def _error(step: DifferenceQuotients, wider: DifferenceQuotients, rounding: float) -> float:
    """The uncertainty of a step's slope: how far that of a wider step is, and the rounding."""
    error = abs(step.slope - wider.slope) + rounding / step.h if step.h else math.nan
    return error if math.isfinite(error) else math.inf


def _search(
    f: Line,
    x: float,
    here: float,
    rounding: float,
    first: tuple[DifferenceQuotients, DifferenceQuotients, float],
) -> tuple[DifferenceQuotients, DifferenceQuotients, float]:
    """The step of the ladder with the least uncertainty, the next wider one, and that."""
    tried = (at_step(f, x, here, h) for h in ladder(x))
    steps = [step for step in tried if math.isfinite(step.slope)]
    if not steps:
        return first
    settled = _settled(steps, rounding)
    step, wider, error = first
    best = first if math.isfinite(step.slope) else (steps[0], steps[0], math.inf)
    best = (*best[:2], max(best[2], _doubt(best[0], settled)))
    for wider, step in pairwise(steps):
        error = max(_error(step, wider, rounding), _doubt(step, settled))
        if error < best[2]:
            best = step, wider, error
    return best


def _settled(
    steps: list[DifferenceQuotients], rounding: float
) -> list[tuple[DifferenceQuotients, float]]:
    """The steps that agree with both neighbours and are above the rounding, with their errors."""
    found = []
    for around in zip(steps, steps[1:], steps[2:], strict=False):
        slopes, step = [each.slope for each in around], around[1]
        error = max(slopes) - min(slopes) + 4 * rounding / step.h
        if step.slope and error <= SETTLED * abs(step.slope):
            found.append((step, error))
    return found


def _doubt(step: DifferenceQuotients, settled: list[tuple[DifferenceQuotients, float]]) -> float:
    """The least error of a step that smaller, settled ones contradict; 0 if none does.

    Far beyond the scale on which f varies, slopes agree with each other and not with f: those of
    cos at 1e10 are next to 0 with every step above 100.
    """
    gaps = [abs(step.slope - other.slope) - error for other, error in settled if other.h < step.h]
    return max(gaps, default=0.0)


def _is_kink(step: DifferenceQuotients, wider: DifferenceQuotients, rounding: float) -> bool:
    noise = 4 * rounding / step.h
    size = max(abs(step.left), abs(step.right))
    return step.gap > noise + SURE * size and step.gap > SHRINKS * wider.gap


def _closer(
    f: Line,
    x: float,
    here: float,
    rounding: float,
    found: tuple[DifferenceQuotients, DifferenceQuotients],
) -> tuple[DifferenceQuotients, DifferenceQuotients]:
    """The smallest step in which rounding cannot hide the gap of `found`, and the next wider one.

    A kink beside x is left out of it, and so is a bend on a smaller scale.
    """
    first = found[0]
    for h in ladder(x):
        if h < first.h and rounding / h <= TINY * first.gap:
            closer = at_step(f, x, here, h)
            if math.isfinite(closer.slope):
                found = closer, found[0]
    return found


def _out_of_domain(f: Line, x: float, here: float) -> MeasuredSlope:
    """At the edge of the domain: the slope from the side on which f is defined, if there is one."""
    step = at_step(f, x, here, FIRST * (abs(x) or 1.0))
    return MeasuredSlope(math.nan, step.h, math.inf, step.left, step.right, False)
