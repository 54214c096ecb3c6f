"""Learning rates that are too large or too small, by the losses of a run."""

from __future__ import annotations

import random
from dataclasses import replace

from engine.doctor.evidence import (
    RunEvidence,
)
from engine.doctor.illnesses import diagnose
from engine.training.textbook import textbook
from tests.support.ill_runs import ONE, SMALL, verdicts, with_losses


def test_a_loss_that_rises_is_given_with_both_ends() -> None:
    falling = [1.0 - 0.04 * k for k in range(20)]
    states = with_losses([*falling, *[falling[-1] + 0.05 * k for k in range(1, 21)]])
    (found,) = diagnose(states, SMALL)
    assert (found.name, found.step) == ("rate_too_large", 19)
    mean = sum(state.loss for state in states[-8:]) / 8
    assert (
        found.message
        == f"The loss rose from 0.24 at step 19 to {mean:.4g} on average from step 32 on."
    )


def test_a_loss_that_goes_up_and_down_is_given_with_its_stretch() -> None:
    states = with_losses([0.5 + 0.2 * (-1) ** k for k in range(41)])
    (found,) = diagnose(states, SMALL)
    assert (found.name, found.step) == ("rate_too_large", 0)
    assert (
        "Between steps 0 and 20 the loss rose in 10 of 20 steps and changed by 0.4" in found.message
    )


def test_losses_next_to_overflow_are_compared() -> None:
    states = with_losses([1.0] * 5 + [1.7e308] * 25)
    (found,) = diagnose(states, SMALL)
    assert found.message == "The loss rose from 1 at step 0 to 1.7e+308 on average from step 24 on."
    states = with_losses([1e308, 1.7e308] * 20)
    assert [verdict.name for verdict in diagnose(states, SMALL)] == ["rate_too_large"]


def test_one_jump_or_ever_smaller_ones_are_no_illness() -> None:
    falling = [0.9**k for k in range(60)]
    assert diagnose(with_losses([*falling[:5], 2.0, *falling[5:]]), SMALL) == []
    assert (
        diagnose(with_losses([x * (1 + 0.4 * (-1) ** k) for k, x in enumerate(falling)]), SMALL)
        == []
    )
    noisy = random.Random(7)
    near_zero = [1e-4 * noisy.random() for _ in range(60)]
    assert diagnose(with_losses([*falling, *near_zero]), SMALL) == []


def test_a_loss_that_hardly_falls_is_extrapolated() -> None:
    states = with_losses([1.0 - 0.0002 * k for k in range(101)])
    (found,) = diagnose(states, SMALL)
    fallen, wait = "the loss went from 1 to 0.98, by 2 %", "halving it would take about 2500 steps"
    assert found.message == f"In 100 steps {fallen}: {wait}."
    assert found.advice == "Try a learning rate of 10."  # a hundred times as much


def test_a_loss_that_stays_because_the_best_is_reached_is_well() -> None:
    rows = ((0.0, 1.0), (0.0, -1.0))  # the same input, two answers: nothing is better than 0
    spec = replace(ONE, rows=rows, initial=(0.5, 0.0), learning_rate=0.01, steps=30)
    assert verdicts(spec) == []


def test_a_whole_epoch_counts_as_one_loss() -> None:
    spec = replace(SMALL, batch=5, steps=40, learning_rate=0.0)
    levels = RunEvidence(textbook(spec), spec).levels
    assert [step for step, _ in levels] == [4, 9, 14, 19, 24, 29, 34, 39]
    assert max(x for _, x in levels) < 1.2 * min(x for _, x in levels)
