"""The states of one run, from the fastest available backend: the kernel, or the textbook loop."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from engine.cancellation import IsCancelled, never_cancelled
from engine.training.samples import load
from engine.training.segments import has_penalty, segment_at
from engine.training.snapshot import History, Snapshot
from engine.training.spec import TrainSpec
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
    states, losses, accuracies, test_losses, penalties = [], [], [], [], []
    for state in textbook(spec):
        if state.step in kept or state.step == spec.total_steps:
            states.append(state)
        if state.step < spec.total_steps:
            losses.append(state.loss)
            accuracies += [] if state.accuracy is None else [state.accuracy]
            test_losses += [] if state.test_loss is None else [state.test_loss]
            penalties += [state.penalty] if has_penalty(spec) else []
    net = network(spec, states[-1].parameters)
    last = segment_at(spec, spec.total_steps).settings
    loss, accuracy, predictions = evaluate(last, net, load(spec)[0])
    assert loss is not None, "a training set is never empty"
    loss += states[-1].penalty
    return History(losses, accuracies, test_losses, penalties, states, predictions, loss, accuracy)
