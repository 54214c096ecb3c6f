"""The state of a training run after some step, and what a whole run leaves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The state of a run after `step` updates.

    `loss` and `accuracy` are those of the batch that the next update looks at, penalties included;
    `gradient` and `learning_rate` are what it uses. `accuracy` is None where there are no classes,
    `test_loss` and `test_accuracy` where there is no test set. The order of `parameters` is that
    of `MLP.parameters()`.
    """

    step: int
    parameters: Sequence[float]
    gradient: Sequence[float]
    loss: float
    accuracy: float | None
    test_loss: float | None
    test_accuracy: float | None
    learning_rate: float


@dataclass(frozen=True, slots=True)
class History:
    """A whole run: what every step saw, and some of its states in full, the last one among them.

    The lists hold a number for each step before the last state; `accuracies` and `test_losses` are
    empty where there are no classes or no test set. `predictions` are the last state's outputs for
    each sample of the training set, over which `loss` and `accuracy` are taken.
    """

    losses: Sequence[float]
    accuracies: Sequence[float]
    test_losses: Sequence[float]
    states: Sequence[Snapshot]
    predictions: Sequence[Sequence[float]]
    loss: float
    accuracy: float | None
