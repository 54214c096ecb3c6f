"""The state of a training run after a step, and the history of a whole run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The state of a run after `step` updates.

    `loss` (with penalties) and `accuracy` are over the batch of the next update; `gradient` and
    `learning_rate` are those of the next update. `accuracy` is None for regression, `test_loss` and
    `test_accuracy` are None without a test set. `parameters` are in the order of
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


@dataclass(frozen=True, slots=True)
class History:
    """A whole run: the metrics of every step, and some full states, the last one included.

    `losses`, `accuracies` and `test_losses` have an entry for each step before the last state;
    `accuracies` is empty for regression, `test_losses` without a test set. `predictions`, `loss`
    and `accuracy` are those of the last state over the training set.
    """

    losses: Sequence[float]
    accuracies: Sequence[float]
    test_losses: Sequence[float]
    states: Sequence[Snapshot]
    predictions: Sequence[Sequence[float]]
    loss: float
    accuracy: float | None
