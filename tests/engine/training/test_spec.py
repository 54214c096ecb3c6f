"""Specs: their defaults, what follows from them, and ways to write layers."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

import pytest

from engine.nn import MLP
from engine.training.datasets import DATASETS
from engine.training.fields import shown
from engine.training.spec import DEFAULTS, FIELDS, SpecError, TrainSpec
from engine.training.textbook import textbook
from tests.support.each import for_each
from tests.support.specs import THREE, refused

# Defaults and what follows from them


def test_defaults() -> None:
    assert TrainSpec.from_text("{}") == TrainSpec() == TrainSpec.from_query([])
    assert DEFAULTS == {
        "data": "moons", "samples": 100, "noise": 0.1, "test_share": 0.0, "data_seed": None,
        "rows": (), "scaling": "none", "class_names": (), "features": (),
        "layers": (2, 16, 16, 1), "activation": "relu", "output_activation": "linear",
        "init": "uniform", "initial": (), "loss": "hinge", "l1": 0.0, "l2": 1e-4, "dropout": 0.0,
        "optimizer": "sgd", "learning_rate": 1.0, "momentum": 0.9, "weight_decay": 0.01,
        "schedule": "linear", "schedule_end": "10%", "batch": "all", "shuffle": True,
        "steps": 100, "order_seed": None, "seed": 1337, "at": (), "zero_grad": True,
        "accumulate": True,
    }  # fmt: skip
    assert list(FIELDS) == list(DEFAULTS)
    assert all(field.help.endswith(".") for field in FIELDS.values())


def test_a_spec_is_plain_data() -> None:
    spec = TrainSpec(layers=[2, 3, 1], steps=7)  # type: ignore[arg-type]
    assert spec == TrainSpec(steps=7, layers=(2, 3, 1))
    assert hash(spec) == hash(TrainSpec(steps=7, layers=(2, 3, 1)))
    assert dataclasses.replace(spec, steps=8).steps == 8
    with pytest.raises(dataclasses.FrozenInstanceError):
        spec.steps = 9  # type: ignore[misc]
    with pytest.raises(SpecError):
        dataclasses.replace(spec, steps=0)


def test_derived_properties() -> None:
    spec = TrainSpec(test_share=0.25, batch=10, activation=("tanh", "relu"))
    assert (spec.inputs, spec.outputs, spec.classes) == (2, 1, 2)
    assert (spec.all_samples, spec.train_samples, spec.test_samples) == (100, 75, 25)
    assert spec.activations == ("tanh", "relu", "linear")
    assert spec.batch_size == 10
    assert TrainSpec(test_share=0.25).batch_size == 75
    # 10 samples and a third of 25; a neuron of tanh is as dear as 28 parameters, relu or none as 3
    assert spec.work == 100 * (19 * (337 + 16 * 28 + 17 * 3) + 4 * 337)
    assert TrainSpec(data="four_points", layers=(3, 4, 4, 1), samples=9).all_samples == 4
    own = TrainSpec(data="rows", rows=THREE, layers=(2, 3), loss="bce")  # type: ignore[arg-type]
    assert (own.inputs, own.all_samples, own.classes) == (2, 3, 3)


@pytest.mark.parametrize("layers", [(2, 1), (2, 16, 16, 1), (2, 3, 5, 7, 1)])
def test_number_of_parameters(layers: tuple[int, ...]) -> None:
    assert TrainSpec(layers=layers).parameter_count == len(MLP(2, layers[1:]).parameters())


@for_each(
    ("labels", "loss", "outputs", "classifies"),
    [
        ([0, 1], "hinge", 1, True),
        ([0, 1], "mse", 2, True),
        ([-1, 1], "sum_squares", 1, True),
        ([0, 1], "mse", 1, False),  # an output above 0 is not nearer to 1 than to 0
        ([0.5, 2], "mse", 1, False),
        ([1, 1], "mse", 1, False),
    ],
)
def test_when_own_rows_have_classes(
    labels: list[float], loss: str, outputs: int, classifies: bool
) -> None:
    rows = tuple((0.0, 1.0, y) for y in labels)
    spec = TrainSpec(data="rows", rows=rows, loss=loss, layers=(2, outputs))
    assert spec.classifies == classifies
    assert (spec.classes > 0) == classifies


# Ways to write layers


@for_each(
    "text",
    ["2 → 6 → 4 → 1", "2→6→4→1", "2-6-4-1", "2, 6, 4, 1", "2,6,4,1", "2 -> 6 -> 4 -> 1",
     "MLP(2, [6, 4, 1])", "MLP(2,[6,4,1])", " 2 - 6 - 4 - 1 "],
)  # fmt: skip
def test_layers_as_text(text: str) -> None:
    assert TrainSpec.from_json({"layers": text}).layers == (2, 6, 4, 1)
    assert TrainSpec.from_query([("layers", text)]).layers == (2, 6, 4, 1)


@for_each(
    "text",
    ["", "2", "2--1", "-2-1", "2-1-", "2 6 1", "2-six-1", "2-4.0-1", "MLP(2, [])", "MLP(2)",
     "MLP(2, [[1]])", "MLP([2, 1])", "2-٤-1", "2-0x4-1", "Layer(2, 1)"],
)  # fmt: skip
def test_invalid_layers(text: str) -> None:
    error = refused({"layers": text})
    assert error.field == "layers"
    assert shown(text) in error.message
    assert "such as [2, 16, 1] or 2-16-1" in error.message


# What is not said fits the data


@for_each(
    ("given", "layers", "loss"),
    [
        ({}, (2, 16, 16, 1), "hinge"),
        ({"data": "four_points"}, (3, 4, 4, 1), "sum_squares"),
        ({"data": "sine"}, (1, 8, 8, 1), "mse"),
        ({"data": "plane", "loss": "sum_squares"}, (2, 4, 1), "sum_squares"),
        ({"data": "three_spirals"}, (2, 16, 16, 3), "hinge"),
        ({"data": "three_spirals", "layers": [2, 5, 3]}, (2, 5, 3), "hinge"),
        ({"loss": "cross_entropy"}, (2, 16, 16, 2), "cross_entropy"),
        ({"data": "rows", "rows": [[1, 2, 3, 1], [0, 0, 0, -1]]}, (3, 16, 16, 1), "hinge"),
        ({"data": "rows", "rows": THREE}, (2, 16, 16, 3), "hinge"),
        ({"data": "rows", "rows": [[1, 0.5], [0, 2.5]]}, (1, 8, 8, 1), "mse"),
    ],
)
def test_default_layers_and_loss_fit_the_data(
    given: dict[str, Any], layers: tuple[int, ...], loss: str
) -> None:
    spec = TrainSpec.from_json(given)
    assert (spec.layers, spec.loss) == (layers, loss)
    assert TrainSpec.from_text(json.dumps(given)) == spec
    assert TrainSpec.from_query(spec.to_query()) == spec


@for_each("data", [name for name in DATASETS if name != "rows"])
def test_every_data_set_runs_by_its_name_alone(data: str) -> None:
    spec = TrainSpec.from_query([("data", data)])
    assert TrainSpec.from_query(spec.to_query()) == TrainSpec.from_json(spec.to_json()) == spec


# The final rate is a share of the initial one


def test_a_final_rate_is_a_share_or_a_rate() -> None:
    assert TrainSpec(learning_rate=0.02).end_rate == pytest.approx(0.002, rel=1e-15)
    assert TrainSpec(learning_rate=0.02, schedule_end=0.1).end_rate == 0.1
    assert TrainSpec.from_query([("schedule_end", "0.1")]).schedule_end == 0.1
    assert TrainSpec.from_query([("schedule_end", " 2.50 % ")]).schedule_end == "2.5%"
    assert TrainSpec.from_json({"schedule_end": "100%"}).end_rate == 1.0
    for wrong in ("101%", "-5%", "ten%", "%", "1e1%"):
        assert 'such as "10%", up to "100%"' in refused({"schedule_end": wrong}).message


def test_a_smaller_rate_is_never_raised_by_its_schedule() -> None:
    """The default final rate was 0.1 whatever the rate: 0.05 grew to it."""
    for schedule in ("linear", "cosine"):
        spec = TrainSpec(learning_rate=0.05, schedule=schedule, samples=8, layers=(2, 1), steps=10)
        rates = [state.learning_rate for state in textbook(spec)]
        assert rates == sorted(rates, reverse=True)
        assert rates[-1] == pytest.approx(0.005)
