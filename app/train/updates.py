"""The numbers of a run after the update of a step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from app.train.live_run import LiveRun
from engine.training.optim import OPTIMIZERS, Updater
from engine.training.segments import segment_at
from engine.training.settings import RunSettings
from engine.training.snapshot import Snapshot

State = Mapping[str, Sequence[float]]
"""The numbers that an optimizer keeps of each parameter, and those of the run, by name."""


@dataclass(frozen=True, slots=True)
class After:
    """The parameters and the optimizer's numbers after the update, and parameters set by hand."""

    parameters: Sequence[float]
    state: State
    by_hand: frozenset[int]


def after(run: LiveRun, state: State, before: Snapshot) -> After | None:
    """The numbers after the update of the run's step, from those before; None after the last step.

    Where another optimizer takes over, the kernel has begun its state afresh: then the numbers of
    the one that made the update follow from its rule.
    """
    step = before.step
    if step == run.spec.total_steps:
        return None
    run.seek(step + 1)
    now, following = (segment_at(run.spec, at) for at in (step, step + 1))
    is_kept = following is now or following.keeps_optimizer
    found = run.kernel.optimizer_state() if is_kept else updated(now.settings, state, before)
    made = After(run.kernel.parameters(), found, run.edited_at(step + 1))
    run.seek(step)
    return made


def updated(spec: RunSettings, state: State, before: Snapshot) -> State:
    """The optimizer's numbers after an update, by its rule."""
    entry = OPTIMIZERS[spec.optimizer]
    updater = Updater(entry, len(before.parameters), spec.momentum, spec.weight_decay)
    for i, own in enumerate(updater.state):
        own.update((name, state[name][i]) for name in entry.state)
    scalars = [name for name, _ in entry.scalars]
    updater.numbers |= {name: state[name][0] for name in scalars}
    updater.step(before.parameters, before.gradient, before.learning_rate)
    own_numbers = {name: [own[name] for own in updater.state] for name in entry.state}
    return own_numbers | {name: [updater.numbers[name]] for name in scalars}
