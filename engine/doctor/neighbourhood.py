"""Samples beside each other: how far the targets of some tell those of the others."""

from __future__ import annotations

import heapq
import math
from collections import Counter
from collections.abc import Sequence
from functools import cached_property

from engine.training.losses import LOSSES
from engine.training.samples import Samples
from engine.training.spec import TrainSpec
from engine.value import Constant

from .passes import deviation, mean, spread

NEIGHBOURS = (1, 3, 5)
"""Numbers of nearest samples that vote on a label."""
COMPARED = 200
"""Maximum samples compared with their neighbours, as the work is quadratic."""

Numbers = Sequence[float]


def loss_of(spec: TrainSpec, outputs: Numbers, targets: Numbers) -> float:
    """The loss of one sample."""
    values = [Constant(x) for x in outputs]
    return LOSSES[spec.loss].sample(values, [Constant(x) for x in targets]).data


class Neighbourhood:
    """Samples by their distance in `rows`, one row of numbers for each sample of a set.

    Distances are in standard deviations of each column.
    """

    def __init__(self, spec: TrainSpec, samples: Samples, rows: Sequence[Numbers]) -> None:
        self._spec = spec
        self._samples = samples
        self._rows = rows
        self._places = spread(range(len(samples)), COMPARED)

    @property
    def compared(self) -> int:
        """The number of samples compared with their neighbours."""
        return len(self._places)

    @cached_property
    def agreement(self) -> float:
        """The share of samples whose label is that of their neighbours; nan for regression.

        The larger of two shares: of the nearest sample, and the mean over several numbers of
        neighbours, which is less noisy where classes are wider than the distances of samples.
        """
        if not self._spec.classifies:
            return math.nan
        labels = [self._samples.labels[i] for i in self._places]
        right = [0] * len(NEIGHBOURS)
        for i, others in enumerate(self._neighbours):
            near = [labels[j] for j in others]
            for place, count in enumerate(NEIGHBOURS):
                votes = Counter(near[:count])
                right[place] += bool(votes) and votes.most_common(1)[0][0] == labels[i]
        shares = [count / len(labels) for count in right]
        return max(shares[0], mean(shares))

    @cached_property
    def loss(self) -> float:
        """The loss of a sample on average if its target were the mean of those next to it."""
        targets = [self._samples.targets[i] for i in self._places]
        losses = []
        for i, others in enumerate(self._neighbours):
            near = [targets[j] for j in others[: NEIGHBOURS[1]]]
            means = [mean(column) for column in zip(*near, strict=True)] or [0.0] * len(targets[i])
            losses.append(loss_of(self._spec, means, targets[i]))
        return mean(losses)

    @cached_property
    def _neighbours(self) -> list[list[int]]:
        """The samples nearest to each one compared, the nearest first."""
        rows = _standardised([self._rows[i] for i in self._places])
        return [
            heapq.nsmallest(
                max(NEIGHBOURS),
                (j for j in range(len(rows)) if j != i),
                key=lambda j, x=x: math.dist(x, rows[j]),  # type: ignore[misc]
            )
            for i, x in enumerate(rows)
        ]


def _standardised(rows: Sequence[Numbers]) -> list[list[float]]:
    """The rows with each column divided by its standard deviation, unless that is 0."""
    scales = [deviation(column) or 1.0 for column in zip(*rows, strict=True)]
    return [[x / scale for x, scale in zip(row, scales, strict=True)] for row in rows]
