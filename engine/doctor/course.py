"""The course of a run: whether its loss over all training data goes on falling."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import hypot, sqrt

from .passes import mean

PARTS = 5
"""Parts of a course that are compared: long enough to average, short enough for a recent change."""
FALLEN = 0.03
"""The share by which the loss of a part is to fall to be falling; less does not end in time."""
NOISE = 1.0
"""Standard deviations by which it is to fall too; chance does so once in forty times."""


class LossCourse:
    """The losses at evenly spaced steps, as shares of that of the best constant answer."""

    def __init__(self, shares: Sequence[float]) -> None:
        self.shares = shares

    @property
    def _parts(self) -> list[Sequence[float]]:
        """The last parts of equal length; fewer than two if there are too few losses."""
        width = len(self.shares) // PARTS
        ends = range(len(self.shares), width - 1, -width) if width else ()
        return [self.shares[end - width : end] for end in ends][:PARTS][::-1]

    @property
    def is_falling(self) -> bool:
        """Whether the last part is lower than each before, by more than the noise of the course."""
        parts = self._parts
        if len(parts) < 2:
            return bool(self.shares) and self.shares[-1] < (1 - FALLEN) * self.shares[0]
        *before, last = map(mean, parts)
        fallen = min(before) - last
        return fallen > FALLEN * min(before) and fallen > NOISE * self.noise

    @property
    def noise(self) -> float:
        """The standard deviation about the trend, over the last two parts."""
        late = [share for part in self._parts[-2:] for share in part]
        moves = [b - a for a, b in pairwise(late)]
        return hypot(*moves) / sqrt(2 * len(moves)) if moves else 0.0

    @property
    def level(self) -> float:
        """The mean of the last part."""
        parts = self._parts
        return mean(parts[-1]) if parts else (self.shares[-1] if self.shares else 1.0)
