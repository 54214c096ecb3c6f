"""Each illness on a run that has it and on one that has not; the words of a verdict."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import islice, product
from typing import Any

import pytest

from engine.doctor import evidence as evidence_module
from engine.doctor.diagnosis import diagnose
from engine.doctor.illnesses import ILLNESSES
from engine.ops import ACTIVATIONS
from engine.runs.examination import examination
from engine.runs.history import history, train
from engine.training.limits import TrainLimits
from engine.training.losses import LOSSES
from engine.training.spec import TrainSpec
from engine.training.textbook import textbook
from tests.support.each import for_each
from tests.support.ill_runs import (
    DEEP,
    HEAVY,
    ONE,
    SEEDS,
    SMALL,
    UNSCALED,
    named,
    verdicts,
)

ILL: list[tuple[str, str, dict[str, Any], int | None]] = [
    # the illness, the run that it is made from, with what, the layer
    ("not_a_number", "ONE", {"learning_rate": 1e4, "steps": 60}, None),
    ("dead_relu", "SMALL", {"learning_rate": 10.0}, 1),
    ("dead_relu", "SMALL", {"init": "zeros"}, 1),
    ("saturated", "SEEDS", {"learning_rate": 5.0}, 1),
    ("saturated", "UNSCALED", {"activation": "tanh"}, 1),
    ("saturated", "UNSCALED", {"activation": "sigmoid"}, 1),
    ("symmetric", "SMALL", {"init": "zeros", "activation": "tanh"}, 1),
    ("vanishing", "DEEP", {"loss": "bce"}, 1),
    ("vanishing", "DEEP", {}, 1),
    ("exploding", "HEAVY", {}, 4),
    ("rate_too_large", "SMALL", {"learning_rate": 1000.0}, None),
    ("rate_too_large", "ONE", {"learning_rate": 1.0, "steps": 20}, None),
    ("rate_too_large", "SMALL", {"learning_rate": 50.0, "batch": 6, "steps": 60}, None),
    ("rate_too_small", "SMALL", {"learning_rate": 1e-4}, None),
    ("rate_too_small", "SMALL", {"learning_rate": 0.0}, None),
    ("rate_too_small", "SMALL", {"learning_rate": 1e-4, "batch": 5, "steps": 40}, None),
]
BASES = {
    "SMALL": SMALL,
    "SEEDS": SEEDS,
    "ONE": ONE,
    "DEEP": DEEP,
    "HEAVY": HEAVY,
    "UNSCALED": UNSCALED,
}


@pytest.mark.parametrize(("name", "base", "changes", "layer"), ILL)
def test_an_illness_is_named(name: str, base: str, changes: dict[str, Any], layer: int) -> None:
    spec = replace(BASES[base], **changes)
    found = named(spec, name)
    assert found, verdicts(spec)
    assert found[0].layer == layer
    assert 0 <= found[0].step <= spec.steps


HEALTHY: dict[str, TrainSpec] = {
    "small": SMALL,
    "two layers": replace(SMALL, layers=(2, 8, 8, 1), samples=16),
    "tanh": replace(SMALL, activation="tanh"),
    "sigmoid": replace(SMALL, activation="sigmoid", learning_rate=0.5),
    "deep and relu": replace(DEEP, activation="leaky_relu", init="he", learning_rate=0.05),
    "batches": replace(SMALL, batch=5, steps=60),
    "one at a time": replace(SMALL, batch=1, learning_rate=0.02, steps=72),
    "adam": replace(SMALL, optimizer="adam", learning_rate=0.02),
    "heavy with adam": replace(HEAVY, optimizer="adam", steps=12),
    "heavy and slow": replace(HEAVY, learning_rate=1e-7, steps=12),
    "bce": replace(SMALL, loss="bce"),
    "three classes": replace(
        SMALL,
        data="three_spirals",
        layers=(2, 6, 3),
        loss="cross_entropy",
        activation="silu",
        steps=400,
        learning_rate=1.0,
    ),
    "regression": replace(SMALL, data="sine", layers=(1, 6, 1), loss="mse", activation="tanh"),
    "seeds": SEEDS,
    "seeds, long": replace(SEEDS, steps=300),
    "micrograd's demo, small": TrainSpec(samples=24, layers=(2, 8, 8, 1), steps=20),
    "one step": replace(SMALL, steps=1),
    "dropout": replace(SMALL, dropout=0.2, steps=400, learning_rate=0.5),
    "dropout, batches": replace(SMALL, dropout=0.5, batch=12, steps=60),
}


@for_each("name", HEALTHY)
def test_a_healthy_run_has_no_verdict(name: str) -> None:
    assert examination(HEALTHY[name], history(HEALTHY[name]), TrainLimits()).found == []


def test_the_default_run_has_no_verdict() -> None:
    spec = TrainSpec()
    states = list(train(spec))
    assert diagnose(states, spec) == []
    assert {verdict.name for verdict in diagnose(states[:31], spec)} <= {"underfitting"}
    assert diagnose(states[::10], spec) == []
    assert diagnose(states[::10], spec, [state.loss for state in states]) == []


@pytest.mark.parametrize("name", ["SMALL", "SEEDS"])
@pytest.mark.parametrize("gap", [2, 10])
def test_a_part_of_a_run_will_do(name: str, gap: int) -> None:
    spec = BASES[name]
    names = {verdict.name for verdict in diagnose(list(textbook(spec))[::gap], spec)}
    assert names <= {"underfitting"}, "25 steps are few: that more of them help, a trial shows"
    wild = replace(spec, learning_rate=1000.0, steps=120)
    found = {verdict.name for verdict in diagnose(list(textbook(wild))[::gap], wild)}
    assert found & {"rate_too_large", "saturated", "dead_relu"}


def test_of_nothing_and_of_one_state_there_is_nothing_to_say() -> None:
    assert diagnose([], SMALL) == []
    assert diagnose(islice(textbook(SMALL), 1), SMALL) == []


@pytest.mark.parametrize(
    ("spec", "word"),
    [
        (replace(SEEDS, zero_grad=False, steps=60), "Set the gradients to 0"),
        (replace(SEEDS, accumulate=False), "Accumulate the contributions to a gradient"),
        (replace(SEEDS, accumulate=False, zero_grad=False), "Accumulate the contributions"),
    ],
)
def test_mistakes_are_named_as_the_cause(spec: TrainSpec, word: str) -> None:
    found = verdicts(spec)
    assert found
    assert all(verdict.advice.startswith(word) for verdict in found)


@pytest.mark.parametrize("mistake", ["zero_grad", "accumulate"])
def test_less_than_an_epoch_is_too_little_to_judge_a_mistake_by(mistake: str) -> None:
    changes: dict[str, Any] = {"samples": 40, "batch": 1, "steps": 20, mistake: False}
    spec = replace(SMALL, **changes)
    assert named(spec, "wrong_gradient") == []


@for_each(("name", "base", "changes", "layer"), ILL)
def test_a_verdict_is_two_plain_sentences(
    name: str, base: str, changes: dict[str, Any], layer: int | None
) -> None:
    found = verdicts(replace(BASES[base], **changes))
    assert json.loads(json.dumps([verdict.to_json() for verdict in found])) == [
        {
            "name": verdict.name,
            "step": verdict.step,
            "layer": verdict.layer,
            "layers": list(verdict.layers),
            "message": verdict.message,
            "advice": verdict.advice,
            "cure": json.loads(json.dumps(dict(verdict.cure))),
            "grave": verdict.grave,
        }
        for verdict in found
    ]
    for verdict in found:
        for sentence in (verdict.message, verdict.advice):
            assert sentence[0].isupper() or sentence[0].isdigit()
            assert sentence.endswith(".")
            assert ". " not in sentence
            assert "\n" not in sentence
        assert any(character.isdigit() for character in verdict.message)


def test_the_table_is_ordered_by_its_names_and_gives_reasons() -> None:
    for name, illness in ILLNESSES.items():
        assert illness.name == name
        assert illness.help.endswith(".")
        for threshold in illness.thresholds.values():
            assert threshold.value > 0
            assert threshold.why
    found = verdicts(replace(SEEDS, learning_rate=5.0))
    order = list(ILLNESSES)
    assert [order.index(v.name) for v in found] == sorted(order.index(v.name) for v in found)


@for_each("loss", LOSSES)
@for_each("activation", [*ACTIVATIONS, "linear"])
def test_every_run_can_be_diagnosed(loss: str, activation: str) -> None:
    layers = (2, 3, LOSSES[loss].least_outputs)
    wild = replace(SMALL, samples=6, layers=layers, loss=loss, activation=activation, steps=12)
    for rate, output in product((1e4, 30.0), ("linear", activation)):
        spec = replace(wild, learning_rate=rate, output_activation=output)
        states = list(textbook(spec))
        broken = [state.step for state in states if not evidence_module.is_whole(state)]
        found = {verdict.name: verdict for verdict in diagnose(states, spec)}
        assert ("not_a_number" in found) == bool(broken)
        assert not broken or found["not_a_number"].step == broken[0]
