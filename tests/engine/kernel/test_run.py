"""Steps of a compiled run: every one within reach, edits by hand, kept losses, cancellation."""

from __future__ import annotations

import random
from itertools import islice

import pytest

from engine.cancellation import Cancelled
from engine.kernel import Run
from engine.training.textbook import textbook
from tests.support.kernel_runs import SMALL, changed, close


def test_every_step_can_be_reached_again() -> None:
    spec = changed(samples=20, batch=6, optimizer="momentum", learning_rate=0.02, steps=10_000)
    run, rng = Run(spec), random.Random(1)
    run.advance(9_000)
    losses = list(run.losses)
    for step in [rng.randrange(10_000) for _ in range(25)]:
        run.seek(step)
        fresh = Run(spec)
        fresh.advance(step)
        assert run.step == fresh.step == step
        assert run.parameters() == fresh.parameters()
    assert list(run.losses)[:9_000] == losses


def test_losses_and_accuracies_of_every_step_are_kept() -> None:
    spec = changed(samples=10, batch=4, steps=6_000)
    run = Run(spec)
    run.advance(5_000)
    assert len(run.losses) == len(run.accuracies()) == 5_000
    for state in islice(textbook(spec), 12):
        assert close(run.losses[state.step], state.loss, 1e-11)
        assert run.accuracies()[state.step] == state.accuracy
    run.seek(4_999)
    assert run.snapshot().loss == run.losses[4_999]


def test_losses_of_the_test_set_are_kept_too() -> None:
    spec = changed(samples=20, test_share=0.35, batch=4, l1=0.001, l2=0.01, steps=30)
    run = Run(spec)
    run.advance(30)
    assert len(run.test_log) == 30
    for state in islice(textbook(spec), 30):
        assert close(run.test_log[state.step], state.test_loss, 1e-11)
    assert run.snapshot().test_loss == run.evaluate("test").loss


def test_parameters_changed_by_hand_make_another_run() -> None:
    run = Run(SMALL)
    run.advance(50)
    kept = list(run.losses[:10])
    run.seek(10)
    new = [x + 0.25 for x in run.parameters()]
    run.set_parameters(new)
    assert run.parameters() == new
    assert list(run.losses) == kept
    run.advance(5)
    after = run.parameters()
    run.seek(10)
    assert run.parameters() == new
    run.seek(15)
    assert run.parameters() == after
    with pytest.raises(ValueError, match="expected 13 parameters, got 2"):
        run.set_parameters([1.0, 2.0])


def test_a_change_by_hand_is_kept_wherever_the_run_comes_from() -> None:
    spec = changed(layers=(2, 128, 128, 1), init="he", samples=200, steps=3_000)
    run = Run(spec)
    run.advance(20)
    new = [0.01] * spec.parameter_count
    run.set_parameters(new)
    run.advance(5)
    after = run.parameters()
    for step in range(100, 2_600, 500):  # long enough for checkpoints to be thinned out
        run.seek(step)
    run.seek(10)
    run.advance(10)
    assert run.parameters() == new
    run.seek(25)
    assert run.parameters() == after
    run.seek(3)
    run.advance(22)
    assert run.parameters() == after


def test_no_step_before_the_first_or_after_the_last() -> None:
    run = Run(SMALL)
    for go in (run.seek, run.advance):
        for step in (-1, 101):
            with pytest.raises(ValueError, match=f"no step {step}; the last one is 100"):
                go(step)
    assert run.step == 0


def test_cancelled_run_is_stopped() -> None:
    run = Run(changed(steps=100_000))
    asked: list[int] = []

    def is_cancelled() -> bool:
        asked.append(run.step)
        return len(asked) > 3

    with pytest.raises(Cancelled):
        run.advance(100_000, is_cancelled)
    assert run.step == asked[-1] < 100_000
