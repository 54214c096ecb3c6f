"""Execution of one run on the fastest available backend: the kernel, or the textbook loop."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from engine.cancellation import IsCancelled, never_cancelled
from engine.doctor.illnesses import diagnose
from engine.numbers import to_json
from engine.training.samples import load
from engine.training.segments import segment_at
from engine.training.snapshot import History, Snapshot
from engine.training.spec import TrainLimits, TrainSpec, check_limits
from engine.training.textbook import evaluate, network, textbook

if TYPE_CHECKING:
    from engine.kernel import Run


def train(spec: TrainSpec) -> Iterator[Snapshot]:
    """The states 0, 1, …, `steps` of a run."""
    run = compiled(spec)
    return textbook(spec) if run is None else run.snapshots()


def compiled(spec: TrainSpec) -> Run | None:
    """The run in WebAssembly; None if wasmtime is not installed."""
    try:
        from engine.kernel import Run
    except ImportError:
        return None
    return Run(spec)


STATES = 41
"""The approximate number of full states in a history, spread evenly over the run."""


def history(spec: TrainSpec, is_cancelled: IsCancelled = never_cancelled) -> History:
    """The history of a run. Raises Cancelled; the textbook loop never checks."""
    kept = range(0, spec.total_steps, -(-spec.total_steps // (STATES - 1)))
    run = compiled(spec)
    if run is not None:
        return run.history(kept, is_cancelled)
    states, losses, accuracies, test_losses = [], [], [], []
    for state in textbook(spec):
        if state.step in kept or state.step == spec.total_steps:
            states.append(state)
        if state.step < spec.total_steps:
            losses.append(state.loss)
            accuracies += [] if state.accuracy is None else [state.accuracy]
            test_losses += [] if state.test_loss is None else [state.test_loss]
    net = network(spec, states[-1].parameters)
    last = segment_at(spec, spec.total_steps).settings
    loss, accuracy, predictions = evaluate(last, net, load(spec)[0])
    assert loss is not None, "a training set is never empty"
    return History(losses, accuracies, test_losses, states, predictions, loss, accuracy)


def run(
    spec: TrainSpec,
    limits: TrainLimits | None = None,
    is_cancelled: IsCancelled = never_cancelled,
) -> dict[str, Any]:
    """A whole run as plain data for JSON. Raises SpecError if it exceeds the limits.

    `losses`, `accuracies` and `test_losses` have an entry before each step; `predictions` are the
    final outputs for each sample of the training set.
    """
    check_limits(spec, limits or TrainLimits())
    found = history(spec, is_cancelled)
    last = found.states[-1]
    return {
        "spec": spec.to_json(),
        "parameter_count": spec.parameter_count,
        "losses": [to_json(x) for x in found.losses],
        "accuracies": list(found.accuracies),
        "test_losses": [to_json(x) for x in found.test_losses],
        "parameters": [to_json(x) for x in last.parameters],
        "predictions": [[to_json(x) for x in outputs] for outputs in found.predictions],
        "final": {
            "loss": to_json(found.loss),
            "accuracy": found.accuracy,
            "test_loss": _plain(last.test_loss),
            "test_accuracy": last.test_accuracy,
        },
        "doctor": [verdict.to_json() for verdict in diagnose(found.states, spec, found.losses)],
    }


def _plain(x: float | None) -> float | str | None:
    return None if x is None else to_json(x)
