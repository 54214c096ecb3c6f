"""The table of illnesses over seeds: examples are named and cured, healthy runs are not accused.

`benchmarks/doctor.py` asks the same of more seeds.
"""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from app.train.doctor import examination as examined_at
from app.train.live_run import LiveRun
from app.train.presets import ILLNESSES as GONE_WRONG
from app.train.presets import PRESETS
from engine.cancellation import never_cancelled
from engine.doctor.illnesses import ILLNESSES
from engine.runs.examination import Examination, TrialCurve, examination, is_better
from engine.runs.history import history
from engine.training.datasets import DATASETS
from engine.training.limits import TrainLimits
from engine.training.losses import LOSSES
from engine.training.spec import TrainSpec
from tests.support.illness_runs import EXAMPLES, IllnessExample

LIMITS = TrainLimits()
SEEDS = 1
ILL = [(name, entry) for name in ILLNESSES for entry in EXAMPLES[name]]


@cache
def examined(spec: TrainSpec) -> Examination:
    """Kept, as several illnesses share a healthy neighbour."""
    return examination(spec, history(spec), LIMITS)


@pytest.mark.parametrize(("name", "example"), ILL)
def test_an_ill_run_is_named_and_its_neighbour_is_not_accused(
    name: str, example: IllnessExample
) -> None:
    for seed in range(SEEDS):
        sick = example.sick(seed)
        found = [each for each in examined(sick).found if each.verdict.name == name]
        assert len(found) == 1, [each.verdict.name for each in examined(sick).found]
        well = examined(example.healthy(seed))
        assert (well.found, well.outlook.learned) == ([], True)
        for each in examined(sick).found:
            if each.verdict.cure:
                assert_better(sick, replace(sick, **each.verdict.cure), ILLNESSES[name].on_test)


def assert_better(sick: TrainSpec, cured: TrainSpec, on_test: bool) -> None:
    """The cured run ends with a lower loss on the data, penalties apart, or on test data."""
    before, after = history(sick), history(cured)
    last = before.states[-1].test_loss, after.states[-1].test_loss
    if on_test:
        assert last[0] is not None
        assert last[1] is not None
        assert last[1] < last[0]
        return
    losses = [each.loss - each.states[-1].penalty for each in (before, after)]
    assert not losses[0] <= losses[1], "a sick run may end with nan"


def test_every_illness_has_an_example_and_a_treatment() -> None:
    assert set(EXAMPLES) == set(ILLNESSES)
    uncured = {
        name for name, example in ILL if not any(t.cured for t in examined(example.sick(1)).found)
    }
    assert uncured == {"wrong_labels"}, "no setting corrects labels"


HEALTHY = {
    **{name: preset.spec for name, preset in PRESETS.items() if preset.group != GONE_WRONG},
    **{name: TrainSpec.from_query([("data", name)]) for name in DATASETS if name != "rows"},
}


@pytest.mark.parametrize("name", HEALTHY)
def test_a_run_that_learns_is_not_accused_at_any_tenth(name: str) -> None:
    spec = HEALTHY[name]
    run = LiveRun(spec)
    for tenth in range(1, 11):
        step = max(1, spec.total_steps * tenth // 10)
        found = examined_at(run, step, LIMITS, never_cancelled)
        assert found.found == [], (name, step)
    assert found.outlook.learned


@pytest.mark.parametrize("name", [n for n, preset in PRESETS.items() if preset.group == GONE_WRONG])
def test_a_preset_that_goes_wrong_is_named(name: str) -> None:
    names = [each.verdict.name for each in examined(PRESETS[name].spec).found]
    ends = {"overfit": "overfitting", "exploding": "not_a_number"}
    assert ends.get(name, name) in names


SPIRAL: dict[str, Any] = {"data": "spiral", "layers": (2, 2, 1)}
NOISE: dict[str, Any] = {
    "data": "moons", "noise": 0.12, "layers": (2, 8, 8, 1), "activation": "tanh",
    "output_activation": "tanh", "loss": "mse", "l2": 0, "learning_rate": 0.2,
    "schedule": "constant", "steps": 300, "seed": 5,
}  # fmt: skip
BY_HEART: dict[str, Any] = {
    **NOISE, "samples": 40, "noise": 0.5, "test_share": 0.5, "layers": (2, 32, 32, 1),
    "optimizer": "adam", "learning_rate": 0.01, "steps": 800,
}  # fmt: skip

PULLED: dict[str, Any] = {
    "data": "circles", "samples": 80, "layers": (2, 10, 1), "activation": "tanh", "loss": "mse",
    "l1": 0.1, "l2": 0, "learning_rate": 0.2, "schedule": "constant", "steps": 400, "seed": 11,
}  # fmt: skip


@pytest.mark.parametrize(
    ("name", "settings", "cure"),
    [
        ("underfitting", SPIRAL, "layers"),
        ("underfitting", {"data": "sine", "layers": (1, 1)}, "layers"),
        ("noisy_batches", {**NOISE, "batch": 1}, "batch"),
        ("too_much_dropout", {**NOISE, "dropout": 0.9}, "dropout"),
        ("overfitting", BY_HEART, "l2"),
        ("too_much_regularisation", PULLED, "l1"),
        ("wrong_gradient", {"activation": "tanh", "zero_grad": False}, "zero_grad"),
    ],
)
def test_an_illness_is_named_for_what_cures_it(
    name: str, settings: dict[str, object], cure: str
) -> None:
    (found,) = examined(TrainSpec.from_json(settings)).found
    assert found.verdict.name == name
    assert cure in found.verdict.cure


def test_a_run_that_ends_without_a_finite_loss_is_no_cure() -> None:
    lost = TrialCurve([0, 1], [1.0, math.inf], [], None, None, None)
    assert not is_better(lost, lost)
    assert is_better(lost._replace(losses=[1.0, 9.0]), lost)


def test_several_layers_make_one_verdict() -> None:
    spec = TrainSpec(activation="tanh", learning_rate=20.0)
    found = [each.verdict for each in examined(spec).found if each.verdict.name == "saturated"]
    assert [verdict.layers for verdict in found] == [(1, 2)]
    assert found[0].message.endswith("and layer 2 likewise.")


def test_a_run_that_has_not_learned_is_not_called_well() -> None:
    early = examined(TrainSpec(data="spiral", steps=100))
    assert early.found == []
    assert not early.outlook.learned
    assert early.outlook.message.startswith("Not learned yet: ")
    assert early.outlook.advice


def test_trials_beyond_the_limit_are_left_out() -> None:
    spec = TrainSpec(**SPIRAL)
    few = replace(LIMITS, trials=spec.work)
    found = examination(spec, history(spec), few).found
    assert [(each.verdict.name, dict(each.verdict.cure)) for each in found] == [
        ("underfitting", {})
    ]
    assert found[0].spared


@pytest.mark.parametrize("loss", [name for name, loss in LOSSES.items() if not loss.mean])
def test_a_summed_loss_is_that_of_all_samples(loss: str) -> None:
    spec = TrainSpec(
        learning_rate=0.01, samples=20, test_share=0.5, loss=loss, steps=20, l2=0.1, batch=5
    )
    found, whole = examined(spec), history(spec)
    assert found.patient is not None
    assert found.patient.loss == pytest.approx(whole.loss - whole.states[-1].penalty, rel=1e-9)
    assert found.patient.test_loss == whole.states[-1].test_loss
