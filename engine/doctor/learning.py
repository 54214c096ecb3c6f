"""What a network has learnt: its loss against that of the best constant answer.

Losses are of one sample on average over all training data, without penalties and dropout.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import NamedTuple

from engine.training.decision import reach
from engine.training.features import featured
from engine.training.losses import LOSSES
from engine.training.samples import Samples
from engine.training.spec import TrainSpec

from .neighbourhood import Neighbourhood, loss_of
from .passes import deviation, mean

SURE = 20.0
"""An output at which a probability is 1 or 0 for all purposes."""
ROUNDS = 3
"""Rounds of the search for the best constant answer, over one output after the other."""
NARROW = 1e-4
"""Width of the interval at which the search for one output ends."""
Numbers = Sequence[float]


def scale_of(spec: TrainSpec) -> int:
    """The loss over all training data for a loss of 1 of each sample."""
    return 1 if LOSSES[spec.loss].mean else spec.train_samples


class Standing(NamedTuple):
    """The state of learning at a step.

    `spread` is the largest standard deviation of an output over the samples; `accuracy` is None for
    regression.
    """

    step: int
    loss: float
    accuracy: float | None
    spread: float


LEARNT = 0.1
"""The loss, as a share of that of the best constant answer, below which the data are learnt."""
NEARLY = 0.6
"""That share for data whose noise leaves more: clusters that a line parts to 90 % leave 0.3."""
SHORT = 0.02
"""The accuracy by which a network may fall short of what neighbours of a sample know of it."""
ABOVE = 1.2
"""The loss by which it may exceed that of the mean of neighbours, for numbers to predict."""


class Learning:
    """The standing of a network at some steps, and what it could attain.

    `looks` are the steps, in their order, with the loss of a sample on average, the accuracy and
    the outputs for each sample of `targets`.
    """

    def __init__(
        self,
        spec: TrainSpec,
        training: Samples,
        targets: Sequence[Numbers],
        looks: Sequence[tuple[int, float, float | None, Sequence[Numbers]]],
    ) -> None:
        self.spec = spec
        self._training = training
        self._targets = targets
        self._looks = looks

    @cached_property
    def standings(self) -> list[Standing]:
        """The standing at each look."""
        return [
            Standing(step, loss, accuracy, max(map(deviation, zip(*outputs, strict=True))))
            for step, loss, accuracy, outputs in self._looks
        ]

    @cached_property
    def is_done(self) -> bool:
        """Whether the training data are learnt as well as their noise allows."""
        if not self.standings or not math.isfinite(self.share):
            return False
        if self.share < LEARNT:
            return True
        last = self.standings[-1]
        if self.share > NEARLY:
            return False
        if last.accuracy is None:
            return last.loss <= ABOVE * self.near.loss
        return last.accuracy >= self.near.agreement - SHORT

    def loss(self, outputs: Numbers, targets: Numbers) -> float:
        """The loss of one sample."""
        return loss_of(self.spec, outputs, targets)

    @cached_property
    def constant(self) -> float:
        """The least loss of outputs that do not depend on the inputs."""
        return self._constant[1]

    @cached_property
    def _constant(self) -> tuple[list[float], float]:
        counts = Counter(self._training.targets)

        def loss(outputs: Numbers) -> float:
            whole = math.fsum(n * self.loss(outputs, t) for t, n in counts.items())
            return whole / len(self._training)

        if LOSSES[self.spec.loss].regression:
            best = [mean(column) for column in zip(*self._training.targets, strict=True)]
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
    def near(self) -> Neighbourhood:
        """The training samples beside each other by their inputs."""
        return Neighbourhood(self.spec, self._training, self._training.inputs)

    @cached_property
    def seen(self) -> Neighbourhood:
        """The training samples beside each other by what the network sees of them."""
        rows = [featured(self.spec, x) for x in self._training.inputs]
        return Neighbourhood(self.spec, self._training, rows)

    @cached_property
    def chance(self) -> float:
        """The share of agreeing labels if they were drawn at random, in the same numbers."""
        labels = self._training.labels
        return math.fsum((n / len(labels)) ** 2 for n in Counter(labels).values())


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
