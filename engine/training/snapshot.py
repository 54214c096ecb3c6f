"""The state of a training run after a step, and the history of a whole run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import NamedTuple


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The state of a run after `step` updates.

    `loss` (with penalties) and `accuracy` are over the batch of the next update; `gradient` and
    `learning_rate` are those of the next update. `accuracy` is None for regression, `test_loss`
    (without penalties) and `test_accuracy` are None without a test set. `penalty` is the part of
    `loss` that the parameters alone make. `parameters` are in the order of
    `MLP.parameters()`.
    """

    step: int
    parameters: Sequence[float]
    gradient: Sequence[float]
    loss: float
    accuracy: float | None
    test_loss: float | None
    test_accuracy: float | None
    learning_rate: float
    penalty: float = 0.0


class Sight(NamedTuple):
    """What a network makes of the training data at a step, without penalties and dropout.

    `loss` is that of a sample on average. `neurons` are the activations of each neuron, layer by
    layer, for each of the samples examined. `accuracy` is None for regression.
    """

    loss: float
    accuracy: float | None
    neurons: Sequence[Sequence[float]]


NO_SIGHTS: Mapping[int, Sight] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class History:
    """A whole run: the metrics of every step, and some full states, the last one included.

    `losses`, `accuracies`, `test_losses` and `penalties` have an entry for each step before the
    last state; `accuracies` is empty for regression, `test_losses` without a test set, `penalties`
    without a penalty. `predictions`, `loss` (with the penalty) and `accuracy` are those of the last
    state over the training set. `sights` are those of states, by step; {} without the kernel.
    """

    losses: Sequence[float]
    accuracies: Sequence[float]
    test_losses: Sequence[float]
    penalties: Sequence[float]
    states: Sequence[Snapshot]
    predictions: Sequence[Sequence[float]]
    loss: float
    accuracy: float | None
    sights: Mapping[int, Sight] = field(default_factory=dict)
