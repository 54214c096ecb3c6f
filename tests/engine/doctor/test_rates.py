"""Learning rates that are too large or too small, by the losses of a run."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from engine.doctor.diagnosis import diagnose
from engine.doctor.evidence import (
    RunEvidence,
)
from engine.doctor.rates import labels_told_by_place
from engine.training.samples import load
from engine.training.textbook import evaluate, network, textbook
from tests.support.ill_runs import ONE, SMALL, verdicts, with_losses


def test_a_loss_that_rises_is_given_with_both_ends() -> None:
    falling = [1.0 - 0.04 * k for k in range(20)]
    states = with_losses([*falling, *[falling[-1] + 0.05 * k for k in range(1, 21)]])
    found, *_ = diagnose(states, SMALL)
    assert (found.name, found.step) == ("rate_too_large", 19)
    mean = sum(state.loss for state in states[-8:]) / 8
    assert (
        found.message
        == f"The loss rose from 0.24 at step 19 to {mean:.4g} on average from step 32 on."
    )


def test_a_loss_that_goes_up_and_down_is_given_with_its_stretch() -> None:
    states = with_losses([0.5 + 0.2 * (-1) ** k for k in range(41)])
    found, *_ = diagnose(states, SMALL)
    assert (found.name, found.step) == ("rate_too_large", 20)
    assert (
        "Between steps 20 and 40 the loss rose in 10 of 20 steps and changed by 0.4"
        in found.message
    )


def test_losses_next_to_overflow_are_compared() -> None:
    states = with_losses([1.0] * 5 + [1.7e308] * 25)
    found, *_ = diagnose(states, SMALL)
    assert found.message == "The loss rose from 1 at step 0 to 1.7e+308 on average from step 24 on."
    states = with_losses([1e308, 1.7e308] * 20)
    assert diagnose(states, SMALL)[0].name == "rate_too_large"


def names(losses: list[float]) -> set[str]:
    return {verdict.name for verdict in diagnose(with_losses(losses), SMALL)}


def test_one_jump_or_ever_smaller_ones_are_no_illness_of_the_rate() -> None:
    falling = [0.9**k for k in range(60)]
    noisy = random.Random(7)
    near_zero = [1e-4 * noisy.random() for _ in range(60)]
    for losses in (
        [*falling[:5], 2.0, *falling[5:]],
        [x * (1 + 0.4 * (-1) ** k) for k, x in enumerate(falling)],
        [*falling, *near_zero],
    ):
        assert "rate_too_large" not in names(losses)


def test_a_verdict_is_withdrawn_when_the_loss_goes_on_falling() -> None:
    wild = [0.5 + 0.2 * (-1) ** k for k in range(41)]
    assert "rate_too_large" in names(wild)
    assert "rate_too_large" not in names([*wild, *[0.3 * 0.95**k for k in range(41)]])


def test_a_loss_that_hardly_falls_is_extrapolated() -> None:
    states = with_losses([1.0 - 0.0002 * k for k in range(101)])
    found, *_ = diagnose(states, SMALL)
    fallen, wait = "the loss went from 1 to 0.98, by 2 %", "halving it would take about 2500 steps"
    assert found.message == f"In 100 steps {fallen}: {wait}."
    assert found.advice == "Try the learning rate 1, the default of the data."
    assert {"learning_rate": 10.0} in [treatment.cure for treatment in found.treatments]


def test_a_loss_that_stays_because_the_best_is_reached_is_well() -> None:
    rows = ((0.0, 1.0), (0.0, -1.0))  # the same input, two answers: nothing is better than 0
    spec = replace(ONE, rows=rows, initial=(0.5, 0.0), learning_rate=0.01, steps=30)
    assert verdicts(spec) == []


def test_batches_are_judged_by_the_loss_over_all_data() -> None:
    spec = replace(SMALL, batch=5, steps=40, learning_rate=0.0)
    states = list(textbook(spec))
    assert len({state.loss for state in states}) > 1
    levels = RunEvidence(states, spec).levels
    whole = evaluate(spec, network(spec, states[0].parameters), load(spec)[0])[0]
    assert [loss for _, loss in levels] == pytest.approx([whole] * len(levels), rel=1e-12)


def test_penalties_do_not_count() -> None:
    spec = replace(SMALL, batch=5, steps=10, l2=0.5)
    states = list(textbook(spec))
    for step, loss in RunEvidence(states, spec).levels:
        net = network(spec, states[step].parameters)
        assert loss == pytest.approx(evaluate(spec, net, load(spec)[0])[0], rel=1e-12)


def test_sorted_labels_are_told_by_their_place() -> None:
    labels = [float(i % 2) for i in range(40)]
    assert labels_told_by_place(sorted(labels)) == 1.0
    assert labels_told_by_place(labels) == 0.0
    assert labels_told_by_place([1.0] * 40) == 0.0
    even = [k / 39 for k in range(40)]  # 1 − (10² − 1) / (40² − 1), of ten numbers within forty
    assert labels_told_by_place(even) == pytest.approx(1 - 99 / 1599)
