"""The first number of a run that is not finite: its operation, layer and step."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator
from dataclasses import replace

import pytest

from engine.doctor.diagnosis import diagnose
from engine.doctor.evidence import (
    RunEvidence,
)
from engine.training.dropout import masks
from engine.training.fields import Name
from engine.training.snapshot import Snapshot
from engine.training.spec import FIELDS, Setting
from engine.training.textbook import textbook
from tests.support.ill_runs import ONE, SMALL, named, verdicts, with_losses


def test_a_weighted_sum_that_overflows_is_named() -> None:
    spec = replace(ONE, rows=((1e100, 1.0), (0.0, -1.0)), initial=(1e45, 0.0), learning_rate=1e4)
    states = list(textbook(spec))
    assert math.isfinite(states[0].loss)
    assert not math.isfinite(states[1].loss)
    (found,) = named(spec, "not_a_number")
    assert (found.step, found.layer) == (1, 1)
    weight = abs(states[1].parameters[0])
    said = f"a weighted sum of layer 1 overflowed, with weights of up to {weight:.4g}"
    assert said in found.message
    assert found.advice == "Try the learning rate 1, the default of the data."


def test_a_loss_that_overflows_is_named_with_its_operation() -> None:
    spec = replace(ONE, initial=(3.0, 0.0), learning_rate=1.0, steps=900)
    found = named(spec, "not_a_number")[0]
    # The loss is 2·(w - 1)², so that each update makes w - 1, 2 at first, -3 times as large.
    largest = math.log(sys.float_info.max)
    assert found.step == math.ceil((largest / 2 - math.log(2)) / math.log(3))
    assert found.layer is None
    assert "the loss of a sample overflowed, ** of " in found.message


def test_a_penalty_that_overflows_is_named() -> None:
    rows = ((0.0, 1.0), (0.0, -1.0))
    (found,) = verdicts(replace(ONE, rows=rows, initial=(1e200, 0.0), l2=1e-4))
    assert (found.name, found.step, found.layer) == ("not_a_number", 0, None)
    assert "the penalty overflowed, with parameters of up to 1e+200" in found.message
    assert "smaller weights" in found.advice


def test_a_gradient_that_overflows_is_named_with_its_layer() -> None:
    rows = ((1e100, 1.0), (0.0, -1.0))  # the output is 1e150, its slope by the first weight 2e350
    deep = replace(ONE, rows=rows, layers=(1, 1, 1), activation="linear")
    (found,) = verdicts(replace(deep, initial=(1e-50, 0.0, 1e100, 0.0)))
    assert (found.name, found.step, found.layer) == ("not_a_number", 0, 1)
    assert found.message.startswith("At step 0 the backward pass overflowed: the loss is 1e+300")


def test_an_update_that_overflows_is_named() -> None:
    spec = replace(ONE, rows=((1e100, 1.0), (0.0, -1.0)), initial=(1e50, 0.0), learning_rate=1e60)
    found = named(spec, "not_a_number")[0]
    assert (found.step, found.layer) == (1, 1)
    assert "with a learning rate of 1e+60 and a gradient of up to 2e+250" in found.message


def test_a_parameter_that_was_lost_between_two_states_is_named() -> None:
    spec = replace(ONE, learning_rate=1.0, steps=900)
    states = [state for state in textbook(spec) if state.step % 300 == 0]
    found = diagnose(states, spec)[0]
    assert (found.name, found.step, found.layer) == ("not_a_number", 600, None)
    found = diagnose([states[1], states[3]], spec)[0]
    assert (found.step, found.layer) == (900, 1)
    assert f"at step 300 the loss was {states[1].loss:.4g}" in found.message


def test_a_mask_that_makes_an_activation_overflow_is_named() -> None:
    spec = replace(
        ONE, layers=(1, 1, 1), activation="linear", dropout=0.5, initial=(1e308, 0.0, 1e-300, 0.0)
    )
    kept = next(seed for seed in range(20) if masks(0.5, seed, 0, 0, [1]) == [[2.0]])
    (found, *_) = verdicts(replace(spec, seed=kept))
    assert (found.name, found.step, found.layer) == ("not_a_number", 0, 1)
    assert "an activation of layer 1 overflowed, linear of 1e+308" in found.message


def test_an_activation_that_overflows_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(FIELDS, "output_activation", Setting(Name(("exp",)), "Any operation."))
    (found, *_) = verdicts(replace(ONE, output_activation="exp", initial=(720.0, 0.0)))
    assert (found.name, found.step, found.layer) == ("not_a_number", 0, 1)
    assert "an activation of layer 1 overflowed, exp of 720" in found.message


def test_losses_of_all_steps_tell_the_first_one_that_is_lost() -> None:
    spec = replace(ONE, initial=(3.0, 0.0), learning_rate=1.0, steps=900)
    states = list(textbook(spec))
    losses = [state.loss for state in states[:-1]]
    lost = next(k for k, loss in enumerate(losses) if not math.isfinite(loss))
    found = diagnose(states[::100], spec, losses)[0]
    assert (found.name, found.step, found.layer) == ("not_a_number", lost, None)
    there = f"At step {lost} the loss is not finite, and at step 400 the loss of a sample"
    assert found.message.startswith(there)
    found = diagnose(states[:301:100], spec, losses)[0]
    assert (found.step, found.message) == (lost, f"At step {lost} the loss is not finite.")


def test_losses_of_all_steps_tell_what_the_states_hide() -> None:
    losses = [0.5 + 0.2 * (-1) ** k for k in range(40)]
    states = with_losses([*losses, losses[0]])[::2]
    assert "rate_too_large" not in {verdict.name for verdict in diagnose(states, SMALL)}
    found = diagnose(states, SMALL, losses)[0]
    assert (found.name, found.step) == ("rate_too_large", 20)
    assert RunEvidence(states, SMALL, losses).steps == list(range(41))


def test_nothing_after_the_first_broken_state_is_read() -> None:
    def states() -> Iterator[Snapshot]:
        for state in textbook(replace(SMALL, steps=4)):
            yield replace(state, loss=math.nan) if state.step == 2 else state
            assert state.step <= 2

    found = diagnose(states(), SMALL)[0]
    assert (found.name, found.step) == ("not_a_number", 2)
