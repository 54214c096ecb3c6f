"""The answer about a finished run: its contract, and its limits."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.runs.run import run
from engine.training.samples import load
from engine.training.spec import SpecError, TrainLimits, TrainSpec
from engine.training.textbook import textbook
from tests.support.textbook_runs import TUTORIAL, forward


def test_the_answer_holds_what_its_contract_says() -> None:
    spec = replace(TUTORIAL, steps=3)
    *before, last = textbook(spec)
    answer = run(spec)
    assert list(answer) == [
        "spec", "parameter_count", "losses", "accuracies", "test_losses", "penalties",
        "parameters", "predictions", "final", "doctor", "outlook",
    ]  # fmt: skip
    assert TrainSpec.from_json(answer["spec"]) == spec
    assert answer["parameter_count"] == 41
    assert answer["losses"] == pytest.approx([state.loss for state in before], rel=1e-11)
    assert answer["accuracies"] == [state.accuracy for state in before]
    assert answer["test_losses"] == []
    assert answer["parameters"] == pytest.approx(list(last.parameters), rel=1e-11)
    right = [forward(spec, last.parameters, x) for x in load(spec)[0].inputs]
    assert [p for (p,) in answer["predictions"]] == pytest.approx([p for (p,) in right], rel=1e-11)
    assert answer["final"] == {
        "loss": pytest.approx(last.loss, rel=1e-11), "accuracy": last.accuracy,
        "test_loss": None, "test_accuracy": None, "penalty": 0.0,
    }  # fmt: skip


def test_the_answer_about_a_regression_with_a_test_set() -> None:
    spec = TrainSpec(data="plane", layers=(2, 1), loss="mse", samples=9, test_share=0.3, steps=4)
    answer = run(replace(spec, batch=2))
    assert answer["accuracies"] == []
    assert len(answer["test_losses"]) == 4
    assert len(answer["predictions"]) == 6
    assert answer["final"]["test_loss"] is not None
    assert answer["final"]["accuracy"] is answer["final"]["test_accuracy"] is None


def test_final_metrics_are_of_the_whole_training_set() -> None:
    spec = TrainSpec(data="plane", layers=(2, 1), loss="mse", samples=9, steps=4, l2=0.0, batch=2)
    answer = run(spec)
    labels = load(spec)[0].labels
    errors = [p - y for (p,), y in zip(answer["predictions"], labels, strict=True)]
    assert answer["final"]["loss"] == pytest.approx(sum(e * e for e in errors) / 9, rel=1e-13)


def test_a_run_keeps_to_its_limits() -> None:
    with pytest.raises(SpecError, match="steps asks for 20 steps; at most 19 are taken"):
        run(TUTORIAL, TrainLimits(steps=19))
