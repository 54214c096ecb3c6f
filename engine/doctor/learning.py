"""What a network has learnt: its loss against that of the best constant answer.

Losses are of one sample on average, without penalties and without dropout.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import NamedTuple

from engine.training.decision import chosen, reach
from engine.training.losses import LOSSES
from engine.training.samples import Samples
from engine.training.spec import TrainSpec
from engine.value import Constant

from .passes import mean, spread

SURE = 20.0
"""An output at which a probability is 1 or 0 for all purposes."""
ROUNDS = 3
"""Rounds of the search for the best constant answer, over one output after the other."""
NARROW = 1e-4
"""Width of the interval at which the search for one output ends."""
NEIGHBOURS = (1, 3, 5)
"""Numbers of nearest samples that vote on a label."""
COMPARED = 200
"""Maximum samples compared with their neighbours, as the work is quadratic."""

Numbers = Sequence[float]


class Standing(NamedTuple):
    """The state of learning at a step.

    `spread` is the largest standard deviation of an output over the samples; `accuracy` is None for
    regression.
    """

    step: int
    loss: float
    accuracy: float | None
    spread: float


class Learning:
    """The standing of a network at some steps, and what it could attain.

    `looks` are the steps and the outputs for each sample of `targets`, in the order of the steps.
    """

    def __init__(
        self,
        spec: TrainSpec,
        training: Samples,
        targets: Sequence[Numbers],
        looks: Sequence[tuple[int, Sequence[Numbers]]],
    ) -> None:
        self.spec = spec
        self._training = training
        self._targets = targets
        self._looks = looks

    @cached_property
    def standings(self) -> list[Standing]:
        """The standing at each look."""
        return [self._standing(step, outputs) for step, outputs in self._looks]

    def _standing(self, step: int, outputs: Sequence[Numbers]) -> Standing:
        pairs = list(zip(outputs, self._targets, strict=True))
        right = [chosen(o, self.spec.threshold) == chosen(t) for o, t in pairs]
        return Standing(
            step,
            mean([self.loss(o, t) for o, t in pairs]),
            sum(right) / len(right) if self.spec.classifies else None,
            max(_deviation(column) for column in zip(*outputs, strict=True)),
        )

    def loss(self, outputs: Numbers, targets: Numbers) -> float:
        """The loss of one sample."""
        values = [Constant(x) for x in outputs]
        return LOSSES[self.spec.loss].sample(values, [Constant(x) for x in targets]).data

    @cached_property
    def constant(self) -> float:
        """The least loss of outputs that do not depend on the inputs."""
        return self._constant[1]

    @cached_property
    def _constant(self) -> tuple[list[float], float]:
        counts = Counter(map(tuple, self._targets))

        def loss(outputs: Numbers) -> float:
            whole = math.fsum(n * self.loss(outputs, t) for t, n in counts.items())
            return whole / len(self._targets)

        if LOSSES[self.spec.loss].regression:
            best = [mean(column) for column in zip(*self._targets, strict=True)]
            return best, loss(best)
        best = [0.0] * self.spec.outputs
        for _ in range(ROUNDS if len(best) > 1 else 1):
            for i in range(len(best)):
                best[i] = _lowest(lambda x, i=i: loss([*best[:i], x, *best[i + 1 :]]))  # type: ignore[misc]
        return best, loss(best)

    @cached_property
    def share(self) -> float:
        """The last loss as a share of that of the best constant answer; nan without a state.

        0 where a constant is a perfect answer, so that there is nothing to learn.
        """
        if not self.standings:
            return math.nan
        return self.standings[-1].loss / self.constant if self.constant > 1e-9 else 0.0

    @cached_property
    def floor(self) -> float:
        """The least loss of outputs within the range of the last activation."""
        low, high = (min(max(x, -SURE), SURE) for x in reach(self.spec.output_activation))
        entry = LOSSES[self.spec.loss]
        aims = dict(zip((entry.no, 1.0), entry.aims, strict=True))
        nearest = [
            [min(max(aims.get(t, t) if self.spec.classifies else t, low), high) for t in target]
            for target in self._targets
        ]
        return mean([self.loss(o, t) for o, t in zip(nearest, self._targets, strict=True)])

    @cached_property
    def agreement(self) -> float:
        """The share of samples whose label is that of their neighbours; nan for regression.

        The larger of two shares: of the nearest sample, and the mean over several numbers of
        neighbours, which is less noisy where classes are wider than the distances of samples.
        Distances are in standard deviations of each input.
        """
        if not self.spec.classifies:
            return math.nan
        places = spread(range(len(self._training)), COMPARED)
        labels = [self._training.labels[i] for i in places]
        inputs = _standardised([self._training.inputs[i] for i in places])
        right = [0] * len(NEIGHBOURS)
        for i, x in enumerate(inputs):
            others = sorted((math.dist(x, y), j) for j, y in enumerate(inputs) if j != i)
            near = [labels[j] for _, j in others[: max(NEIGHBOURS)]]
            for place, count in enumerate(NEIGHBOURS):
                votes = Counter(near[:count])
                right[place] += bool(votes) and votes.most_common(1)[0][0] == labels[i]
        shares = [count / len(labels) for count in right]
        return max(shares[0], mean(shares))

    @cached_property
    def chance(self) -> float:
        """The share of agreeing labels if they were drawn at random, in the same numbers."""
        labels = self._training.labels
        return math.fsum((n / len(labels)) ** 2 for n in Counter(labels).values())

    @property
    def compared(self) -> int:
        """The number of samples compared with their neighbours."""
        return min(len(self._training), COMPARED)


def _deviation(numbers: Numbers) -> float:
    middle = mean(numbers)
    return (
        math.sqrt(mean([(x - middle) ** 2 for x in numbers])) if abs(middle) < 1e150 else math.inf
    )


def _standardised(rows: Sequence[Numbers]) -> list[list[float]]:
    """The rows with each column divided by its standard deviation, unless that is 0."""
    scales = [_deviation(column) or 1.0 for column in zip(*rows, strict=True)]
    return [[x / scale for x, scale in zip(row, scales, strict=True)] for row in rows]


def _lowest(function: Callable[[float], float]) -> float:
    """The minimum of a convex function between -SURE and SURE, by golden section."""
    low, high, ratio = -SURE, SURE, (math.sqrt(5) - 1) / 2
    a, b = high - ratio * (high - low), low + ratio * (high - low)
    at_a, at_b = function(a), function(b)
    while high - low > NARROW:
        if at_a <= at_b:
            high, b, at_b = b, a, at_a
            a = high - ratio * (high - low)
            at_a = function(a)
        else:
            low, a, at_a = a, b, at_b
            b = low + ratio * (high - low)
            at_b = function(b)
    return (low + high) / 2
