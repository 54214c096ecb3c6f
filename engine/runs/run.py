"""One run as plain data: its course, what it ended with, and its examination."""

from __future__ import annotations

from typing import Any

from engine.cancellation import IsCancelled, never_cancelled
from engine.numbers import to_json
from engine.training.spec import TrainLimits, TrainSpec, check_limits

from .examination import examination
from .history import STATES as STATES
from .history import compiled as compiled
from .history import history as history
from .history import train as train


def run(
    spec: TrainSpec,
    limits: TrainLimits | None = None,
    is_cancelled: IsCancelled = never_cancelled,
) -> dict[str, Any]:
    """A whole run as plain data for JSON. Raises SpecError if it exceeds the limits.

    `losses` (with the penalty), `accuracies`, `test_losses` (without it) and `penalties` have an
    entry before each step; `predictions` are the final outputs for each sample of the training set.
    `doctor` are the verdicts, `outlook` whether the data are learned.
    """
    limits = limits or TrainLimits()
    check_limits(spec, limits)
    found = history(spec, is_cancelled)
    last = found.states[-1]
    doctor = examination(spec, found, limits, is_cancelled)
    return {
        "spec": spec.to_json(),
        "parameter_count": spec.parameter_count,
        "losses": [to_json(x) for x in found.losses],
        "accuracies": list(found.accuracies),
        "test_losses": [to_json(x) for x in found.test_losses],
        "penalties": [to_json(x) for x in found.penalties],
        "parameters": [to_json(x) for x in last.parameters],
        "predictions": [[to_json(x) for x in outputs] for outputs in found.predictions],
        "final": {
            "loss": to_json(found.loss),
            "accuracy": found.accuracy,
            "test_loss": _plain(last.test_loss),
            "test_accuracy": last.test_accuracy,
            "penalty": to_json(last.penalty),
        },
        "doctor": [treated.to_json(doctor.patient) for treated in doctor.found],
        "outlook": doctor.outlook.to_json(),
    }


def _plain(x: float | None) -> float | str | None:
    return None if x is None else to_json(x)
