"""Seegrad's own kernel."""

from __future__ import annotations

from benchmarks.train.tasks import Task
from benchmarks.train.worker import Training
from engine.kernel import Run
from engine.training.spec import TrainLimits, TrainSpec

STEPS = 10**9
LIMITS = TrainLimits(steps=STEPS, work=10**18)
"""Longer than any page permits."""


def start(task: Task) -> Training:
    run = Run(TrainSpec.from_json(task.spec(STEPS), LIMITS))
    return Training(
        train=run.advance,
        parameters=lambda: list(run.parameters()),
        loss=lambda: run.evaluate().loss,
    )
