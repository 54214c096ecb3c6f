"""Changes in mid-run in the compiled kernel: as in the textbook loop, on every way to a step."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest

from engine.kernel import Run
from engine.training.spec import TrainSpec
from engine.training.textbook import textbook
from tests.support.kernel_runs import SMALL, close
from tests.support.specs import changes

CHANGES = (
    "4:learning_rate=0.05,batch=5",
    "7:optimizer=momentum,l2=0.001,dropout=0.2",
    "10:steps=24",
    "12:momentum=0.5",
    "13:batch=all",
    "16:batch=3,l1=0.01,dropout=0",
    "19:optimizer=adam",
    "21:learning_rate=0.01,l2=0",
)
"""A change of every kind, of numbers alone and of the generated code."""


def changing(zero_grad: bool = True) -> TrainSpec:
    return replace(
        SMALL, samples=14, test_share=0.2, steps=10, optimizer="adam", batch=4, l2=0.0,
        at=changes(",".join(CHANGES)), zero_grad=zero_grad,
    )  # fmt: skip


@pytest.mark.parametrize("zero_grad", [True, False])
def test_changes_agree_with_the_textbook(zero_grad: bool) -> None:
    spec = changing(zero_grad)
    for mine, theirs in zip(Run(spec).snapshots(), textbook(spec), strict=True):
        for name in ("loss", "accuracy", "test_loss", "test_accuracy", "learning_rate"):
            assert close(getattr(mine, name), getattr(theirs, name), 1e-10), (mine.step, name)
        for a, b in zip(mine.parameters, theirs.parameters, strict=True):
            assert close(a, b, 1e-9), mine.step


def test_each_step_is_reached_with_the_same_bits_on_every_way() -> None:
    spec = changing()
    run = Run(spec)
    states = list(run.snapshots())
    for step in (3, 15, 7, 4, 24, 0, 12, 20, 19, 5):
        run.seek(step)
        assert run.snapshot() == states[step]
    straight = Run(spec)
    straight.advance(24)
    assert straight.snapshot() == states[24]
    assert straight.losses.tolist() == run.losses.tolist() == [x.loss for x in states[:-1]]
    assert straight.accuracies() == [state.accuracy for state in states[:-1]]
    assert straight.accuracies(6, 9) == straight.accuracies()[6:9]


def test_an_edit_of_weights_at_a_change_holds_from_there_on() -> None:
    run, plain = Run(changing()), Run(changing())
    for step in (7, 13):
        run.seek(step)
        run.set_parameters([0.25] * len(run.parameters()))
    run.seek(24)
    run.seek(13)
    assert set(run.parameters()) == {0.25}
    plain.seek(13)
    assert set(plain.parameters()) != {0.25}
    run.seek(4)
    plain.seek(4)
    assert run.snapshot() == plain.snapshot()


def test_memory_of_a_run_is_bounded_whatever_its_changes() -> None:
    sizes = []
    for count in (3, 9):
        at = changes(",".join(f"{step}:batch={step}" for step in range(1, count)))
        run = Run(replace(SMALL, steps=count + 1, at=at))
        run.seek(count + 1)
        sizes.append(run.size)
    assert all(after < 1.2 * before for before, after in pairwise(sizes))
