"""The type of the table of illnesses."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from .evidence import RunEvidence
from .findings import Found, Thresholds, Treatment


@dataclass(frozen=True, slots=True)
class Illness:
    """One entry of the table: name, description, check, what may help, thresholds.

    A `sound` illness is one of runs of some steps with finite numbers and without a mistake on
    purpose.
    `grave` illnesses leave nothing of a run; the others only where nothing was learnt. An illness
    is named only where the training data are not learnt and the loss is not falling, except for one
    that shows `despite` that. One that is the `last` to be thought of is named alone. One
    with a `proof` is named only if a run with its cure ends with at most that share of the loss;
    one that is `suspected` until then, also while the loss falls, explains the others. Trials are
    judged by the loss on all training data and on test data, by the latter alone if `on_test`.
    """

    name: str
    help: str
    check: Callable[[RunEvidence, Thresholds], Iterator[Found]]
    treatments: Callable[[RunEvidence, Found], Iterator[Treatment]]
    thresholds: Thresholds
    grave: bool = False
    despite: bool = False
    last: bool = False
    proof: float | None = None
    suspected: bool = False
    on_test: bool = False
    sound: bool = False
