"""Specs: read strictly, checked as a whole, within limits, there and back unchanged."""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Callable
from functools import partial
from itertools import pairwise
from typing import Any
from urllib.parse import parse_qsl, urlencode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.nn import LINEAR, MLP
from engine.ops import ACTIVATIONS
from engine.training.datasets import DATASETS
from engine.training.fields import shown
from engine.training.initialisation import INITS
from engine.training.losses import LOSSES
from engine.training.optim import OPTIMIZERS, SCHEDULES
from engine.training.samples import load
from engine.training.spec import DEFAULTS, FIELDS, SpecError, TrainLimits, TrainSpec, check_limits

THREE: list[Any] = [[0.0, 1.0, 0.0], [1.0, 0.0, 1.0], [1.0, 1.0, 2.0]]


def refused(text: str | bytes | dict[str, Any], limits: TrainLimits | None = None) -> SpecError:
    """The error with which a spec is refused: one printable line that ends like a sentence."""
    read: Any = TrainSpec.from_json if isinstance(text, dict) else TrainSpec.from_text
    with pytest.raises(SpecError) as caught:
        read(text, limits)
    error = caught.value
    assert error.message == str(error)
    assert error.message.isprintable()
    assert error.message.endswith((".", "?"))
    assert len(error.message) < 400
    assert len(error.value) <= 60
    error.message.encode()
    return error


# Defaults and what follows from them


def test_defaults() -> None:
    assert TrainSpec.from_text("{}") == TrainSpec() == TrainSpec.from_query([])
    assert DEFAULTS == {
        "data": "moons", "samples": 100, "noise": 0.1, "test_share": 0.0, "rows": (),
        "layers": (2, 16, 16, 1), "activation": "relu", "output_activation": "linear",
        "init": "uniform", "initial": (), "loss": "hinge", "l1": 0.0, "l2": 1e-4, "dropout": 0.0,
        "optimizer": "sgd", "learning_rate": 1.0, "momentum": 0.9, "weight_decay": 0.01,
        "schedule": "linear", "schedule_end": 0.1, "batch": "all", "shuffle": True,
        "steps": 100, "seed": 1337, "zero_grad": True, "accumulate": True,
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


def test_what_follows_from_a_spec() -> None:
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


@pytest.mark.parametrize(
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


@pytest.mark.parametrize(
    "text",
    ["2 → 6 → 4 → 1", "2→6→4→1", "2-6-4-1", "2, 6, 4, 1", "2,6,4,1", "2 -> 6 -> 4 -> 1",
     "MLP(2, [6, 4, 1])", "MLP(2,[6,4,1])", " 2 - 6 - 4 - 1 "],
)  # fmt: skip
def test_layers_as_text(text: str) -> None:
    assert TrainSpec.from_json({"layers": text}).layers == (2, 6, 4, 1)
    assert TrainSpec.from_query([("layers", text)]).layers == (2, 6, 4, 1)


@pytest.mark.parametrize(
    "text",
    ["", "2", "2--1", "-2-1", "2-1-", "2 6 1", "2-six-1", "2-4.0-1", "MLP(2, [])", "MLP(2)",
     "MLP(2, [[1]])", "MLP([2, 1])", "2-٤-1", "2-0x4-1", "Layer(2, 1)"],
)  # fmt: skip
def test_what_is_no_text_of_layers(text: str) -> None:
    error = refused({"layers": text})
    assert error.field == "layers"
    assert shown(text) in error.message
    assert "such as [2, 16, 1] or 2-16-1" in error.message


# There and back


def _numbers(least: float = 0.0, most: float = 1e4, **more: Any) -> st.SearchStrategy[float]:
    return st.floats(least, most, allow_nan=False, **more)


@st.composite
def specs(draw: st.DrawFn) -> TrainSpec:
    """Specs of all kinds."""
    data = draw(st.sampled_from(list(DATASETS)))
    if data == "rows":
        inputs, classes = draw(st.integers(1, 3)), draw(st.sampled_from([0, 2, 3]))
    else:
        inputs, classes = DATASETS[data].inputs, DATASETS[data].classes
    losses = [name for name, loss in LOSSES.items() if classes or loss.regression]
    loss = draw(st.sampled_from(losses))
    outputs = {0: 1, 2: LOSSES[loss].least_outputs, 3: 3}[classes]
    hidden = draw(st.lists(st.integers(1, 4), max_size=3))
    layers = (inputs, *hidden, outputs)
    names = st.sampled_from((*ACTIVATIONS, LINEAR))
    activation = st.one_of(names, st.tuples(*[names for _ in hidden]))
    rows: tuple[tuple[float, ...], ...] = ()
    if data == "rows":
        wide = st.tuples(*[_numbers(-1e308, 1e308) for _ in range(inputs)])
        label = _numbers(-1e308, 1e308)
        labels = [float(i) for i in range(classes)] or draw(st.lists(label, min_size=1, max_size=4))
        rows = tuple((*draw(wide), y) for y in labels)
    count = sum((a + 1) * b for a, b in pairwise(layers))
    weight = _numbers(-1e308, 1e308)
    some = st.lists(weight, min_size=count, max_size=count).map(tuple)
    return TrainSpec(
        data=data,
        samples=draw(st.integers(10, 50)),
        noise=draw(_numbers()),
        test_share=draw(_numbers(0, 0.4)),
        rows=rows,
        layers=layers,
        activation=draw(activation),
        output_activation=draw(names),
        init=draw(st.sampled_from(list(INITS))),
        initial=draw(st.one_of(st.just(()), some)),
        loss=loss,
        l1=draw(_numbers()),
        l2=draw(_numbers()),
        optimizer=draw(st.sampled_from(list(OPTIMIZERS))),
        learning_rate=draw(_numbers()),
        momentum=draw(_numbers(0, 1, exclude_max=True)),
        weight_decay=draw(_numbers()),
        schedule=draw(st.sampled_from(list(SCHEDULES))),
        schedule_end=draw(_numbers()),
        batch=draw(st.sampled_from(["all", 1])),
        shuffle=draw(st.booleans()),
        steps=draw(st.integers(1, 1000)),
        seed=draw(st.integers(0, 2**64 - 1)),
        zero_grad=draw(st.booleans()),
        accumulate=draw(st.booleans()),
    )


@given(specs())
def test_json_there_and_back(spec: TrainSpec) -> None:
    obj = spec.to_json()
    text = json.dumps(obj, allow_nan=False)
    assert set(FIELDS) - set(obj) <= {"rows", "initial"}
    for back in (
        TrainSpec.from_json(obj),
        TrainSpec.from_text(text),
        TrainSpec.from_text(text.encode()),
    ):
        assert back == spec
        assert hash(back) == hash(spec)
        assert back.to_json() == obj


@given(specs())
def test_an_address_there_and_back(spec: TrainSpec) -> None:
    pairs = spec.to_query()
    back = TrainSpec.from_query(parse_qsl(urlencode(pairs), keep_blank_values=True))
    assert back == spec
    assert back.to_query() == pairs
    assert repr(back) == repr(spec)
    assert TrainSpec.from_query(dict(pairs)) == spec


@given(specs())
def test_every_spec_has_data_to_train_on(spec: TrainSpec) -> None:
    training, test = load(spec)
    assert (len(training), len(test)) == (spec.train_samples, spec.test_samples)
    assert {len(x) for x in training.inputs} == {spec.inputs}
    assert {len(t) for t in training.targets} == {spec.outputs}


def test_an_address_holds_what_differs_in_a_fixed_order() -> None:
    assert TrainSpec().to_query() == []
    spec = TrainSpec(
        steps=20, data="rows", rows=((0.5, -1.0, 1.0), (1e-7, 2.0, 0.0)), layers=(2, 1, 1),
        activation=("tanh",), initial=(0.1, 0.2, 0.3, -1.0, 2.0), zero_grad=False, batch=2,
    )  # fmt: skip
    assert spec.to_query() == [
        ("data", "rows"),
        ("rows", "0.5,-1.0,1.0;1e-07,2.0,0.0"),
        ("layers", "2-1-1"),
        ("activation", "tanh,"),
        ("initial", "0.1,0.2,0.3,-1.0,2.0"),
        ("batch", "2"),
        ("steps", "20"),
        ("zero_grad", "false"),
    ]


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("learning_rate", "0.1", 0.1),
        ("learning_rate", " 1 ", 1.0),
        ("learning_rate", ".5", 0.5),
        ("learning_rate", "1e-3", 0.001),
        ("learning_rate", "+2.", 2.0),
        ("samples", "20", 20),
        ("batch", "all", "all"),
        ("batch", "7", 7),
        ("shuffle", "off", False),
        ("shuffle", "1", True),
        ("activation", "tanh, relu", ("tanh", "relu")),
        ("activation", "gelu", "gelu"),
        ("rows", "1,2,0\n3,4,1\n", ((1.0, 2.0, 0.0), (3.0, 4.0, 1.0))),
        ("rows", "", ()),
        ("initial", "", ()),
    ],
)
def test_text_of_an_address(name: str, text: str, value: object) -> None:
    assert getattr(TrainSpec.from_query([(name, text)]), name) == value


@pytest.mark.parametrize(
    ("pairs", "field", "why"),
    [
        ([("steps", "1"), ("steps", "1")], "steps", "steps is given twice; give it once."),
        ([("stepz", "1")], "stepz", "did you mean steps?"),
        ([("steps", "4.0")], "steps", "give a whole number from 1"),
        ([("steps", "")], "steps", "give a whole number from 1"),
        ([("steps", "1_000")], "steps", "give a whole number from 1"),
        ([("steps", "٣")], "steps", "give a whole number from 1"),
        ([("noise", "nan")], "noise", "give a number from 0 upwards."),
        ([("noise", "inf")], "noise", "give a number from 0 upwards."),
        ([("noise", "1e400")], "noise", "give a number from 0 upwards."),
        ([("noise", "0x1")], "noise", "give a number from 0 upwards."),
        ([("noise", "1e99999999999")], "noise", "give a number from 0 upwards."),
        ([("shuffle", "maybe")], "shuffle", "give true or false."),
        ([("rows", "1,2;3,x")], "rows", 'rows[1][1] is "x"; give a finite number.'),
        ([("rows", "1,2,3;4,,5")], "rows", 'rows[1][1] is ""; give a finite number.'),
        ([("activation", "relu,")], "activation", "give one name, or 2, one for each"),
    ],
)
def test_what_an_address_may_not_say(pairs: list[tuple[str, str]], field: str, why: str) -> None:
    with pytest.raises(SpecError) as caught:
        TrainSpec.from_query(pairs)
    assert caught.value.field == field
    assert why in caught.value.message


def test_other_parameters_of_an_address_are_passed_over_only_by_name() -> None:
    pairs = [("frame", "3"), ("steps", "5"), ("frame", "4")]
    assert TrainSpec.from_query(pairs, ignore=["frame"]).steps == 5
    with pytest.raises(SpecError, match='"frame" is no field of a spec'):
        TrainSpec.from_query(pairs)


# What is not said fits the data


@pytest.mark.parametrize(
    ("given", "layers", "loss"),
    [
        ({}, (2, 16, 16, 1), "hinge"),
        ({"data": "four_points"}, (3, 16, 16, 1), "hinge"),
        ({"data": "sine"}, (1, 16, 16, 1), "mse"),
        ({"data": "plane", "loss": "sum_squares"}, (2, 16, 16, 1), "sum_squares"),
        ({"data": "three_spirals"}, (2, 16, 16, 3), "hinge"),
        ({"data": "three_spirals", "layers": [2, 5, 3]}, (2, 5, 3), "hinge"),
        ({"loss": "cross_entropy"}, (2, 16, 16, 2), "cross_entropy"),
        ({"data": "rows", "rows": [[1, 2, 3, 1], [0, 0, 0, -1]]}, (3, 16, 16, 1), "hinge"),
        ({"data": "rows", "rows": THREE}, (2, 16, 16, 3), "hinge"),
        ({"data": "rows", "rows": [[1, 0.5], [0, 2.5]]}, (1, 16, 16, 1), "mse"),
    ],
)
def test_layers_and_loss_that_are_not_said_fit_the_data(
    given: dict[str, Any], layers: tuple[int, ...], loss: str
) -> None:
    spec = TrainSpec.from_json(given)
    assert (spec.layers, spec.loss) == (layers, loss)
    assert TrainSpec.from_text(json.dumps(given)) == spec
    assert TrainSpec.from_query(spec.to_query()) == spec


@pytest.mark.parametrize("data", [name for name in DATASETS if name != "rows"])
def test_every_data_set_runs_by_its_name_alone(data: str) -> None:
    spec = TrainSpec.from_query([("data", data)])
    assert TrainSpec.from_query(spec.to_query()) == TrainSpec.from_json(spec.to_json()) == spec


def test_a_default_that_does_not_fit_best_stands_in_the_address() -> None:
    numbers = TrainSpec(data="rows", rows=tuple(map(tuple, THREE)), loss="mse")
    assert ("layers", "2-16-16-1") in numbers.to_query()
    assert TrainSpec.from_query(numbers.to_query()) == numbers


# What is refused: the field, the value, and what would do

REFUSED: list[tuple[dict[str, Any], str, str, str]] = [
    ({"data": "moon"}, "data", '"moon"', "did you mean moons?"),
    ({"data": 3}, "data", "3", "there are four_points, xor, moons"),
    ({"data": None}, "data", "null", "there are four_points, xor, moons"),
    ({"samples": 1}, "samples", "1", "a whole number from 2"),
    ({"samples": 0}, "samples", "0", "a whole number from 2"),
    ({"samples": 1_000_000}, "samples", "1,000,000", "at most 2,000"),
    ({"samples": 10**5000}, "samples", "a whole number of 16,610 bits", "a whole number from 2"),
    ({"samples": 100.0}, "samples", "100.0", "a whole number"),
    ({"samples": True}, "samples", "true", "a whole number"),
    ({"samples": "100"}, "samples", '"100"', "a whole number"),
    ({"data": "three_spirals", "samples": 2, "layers": [2, 3]}, "samples", "2", "at least 3"),
    ({"noise": -0.1}, "noise", "-0.1", "from 0 upwards"),
    ({"noise": math.nan}, "noise", "NaN", "from 0 upwards"),
    ({"noise": 20_000}, "noise", "20000", "the largest rate is 10,000"),
    ({"test_share": 0.95}, "test_share", "0.95", "from 0 to 0.9"),
    ({"test_share": -1}, "test_share", "-1", "from 0 to 0.9"),
    ({"test_share": 0.9, "samples": 2}, "test_share", "0.9", "give less"),
    ({"data": "rows"}, "rows", "[]", "at least one row"),
    ({"data": "rows", "rows": []}, "rows", "[]", "at least one row"),
    ({"data": "rows", "rows": "1,2"}, "rows", '"1,2"', "a list of rows"),
    ({"data": "rows", "rows": [[]]}, "rows", "[]", "the inputs and then the label"),
    ({"data": "rows", "rows": [[1, 2, 0], [1]]}, "rows", "[1]", "the inputs and then the label"),
    ({"data": "rows", "rows": [[1, 2, 0], 7]}, "rows", "7", "the inputs and then the label"),
    ({"data": "rows", "rows": [[1, 2, 0], [1, 1]]}, "rows", "[1, 1]", "as in rows[0], 3"),
    ({"data": "rows", "rows": [[1, "a", 0]]}, "rows", '"a"', "a finite number"),
    ({"data": "rows", "rows": [[1, None, 0]]}, "rows", "null", "a finite number"),
    ({"data": "rows", "rows": [[1, True, 0]]}, "rows", "true", "a finite number"),
    ({"data": "rows", "rows": [[1, [2], 0]]}, "rows", "[2]", "a finite number"),
    ({"data": "rows", "rows": [[1, math.inf, 0]]}, "rows", "Infinity", "a finite number"),
    ({"data": "rows", "rows": [[1, 10**400, 0]]}, "rows", "1,329 bits", "a finite number"),
    ({"data": "rows", "rows": [[1, 2, 1], [2, 3, 1]]}, "rows", "1", "at least two classes"),
    (
        {"data": "rows", "loss": "hinge", "rows": [[1, 2, 0.5], [2, 3, 1]]},
        "rows",
        "0.5",
        "0 and 1, -1 and 1",
    ),
    (
        {"data": "rows", "loss": "hinge", "rows": [[1, 2, -2], [2, 3, 1]]},
        "rows",
        "-2.0",
        "whole numbers from 0",
    ),
    ({"data": "rows", "loss": "hinge", "rows": [[1, 2, -1], [2, 3, 0]]}, "rows", "-1", "-1 and 1"),
    (
        {"data": "rows", "rows": THREE, "layers": [2, 16, 16, 1]},
        "layers",
        "[2, 16, 16, 1]",
        "3 classes",
    ),
    (
        {"data": "rows", "rows": [[0, 0], [1, 1]], "layers": [2, 16, 16, 1]},
        "layers",
        "[2, 16, 16, 1]",
        "write 1-16-16-1",
    ),
    (
        {"data": "rows", "loss": "hinge", "rows": [[0, 0, 1e300], [1, 1, 0]]},
        "rows",
        "1e+300",
        "from 0 to 999",
    ),
    ({"rows": [[1, 2]] * 3000}, "rows", "3,000", "at most 2,000"),
    ({"layers": [2]}, "layers", "[2]", "such as [2, 16, 1]"),
    ({"layers": 2}, "layers", "2", "such as [2, 16, 1]"),
    ({"layers": [2, 0, 1]}, "layers", "layers[1] is 0", "from 1 upwards"),
    ({"layers": [2, -4, 1]}, "layers", "layers[1] is -4", "from 1 upwards"),
    ({"layers": [2, 10_000, 1]}, "layers", "10,000", "at most 128"),
    ({"layers": [3, 4, 1]}, "layers", "[3, 4, 1]", "moons has 2 inputs: write 2-4-1"),
    (
        {"data": "four_points", "layers": [2, 16, 16, 1]},
        "layers",
        "[2, 16, 16, 1]",
        "write 3-16-16-1",
    ),
    ({"layers": [2, 4, 2, 5]}, "layers", "[2, 4, 2, 5]", "end with 1 or 2"),
    ({"data": "three_spirals", "layers": [2, 16, 16, 1]}, "layers", "[2, 16, 16, 1]", "3 classes"),
    (
        {"loss": "cross_entropy", "layers": [2, 16, 16, 1]},
        "layers",
        "[2, 16, 16, 1]",
        "end with 2.",
    ),
    (
        {"data": "sine", "layers": [1, 2], "loss": "hinge"},
        "loss",
        '"hinge"',
        f"use {' or '.join(name for name, loss in LOSSES.items() if loss.regression)}",
    ),
    ({"data": "sine", "layers": [1, 2], "loss": "mse"}, "layers", "[1, 2]", "end with 1."),
    ({"activation": "rellu"}, "activation", '"rellu"', "did you mean relu"),
    ({"activation": "zz"}, "activation", '"zz"', "there are tanh"),
    ({"activation": ["relu"]}, "activation", '["relu"]', "one name, or 2"),
    ({"activation": ["relu", 1]}, "activation", "1", "there are tanh"),
    ({"activation": {"a": 1}}, "activation", "an object", "there are tanh"),
    ({"output_activation": "Tanh"}, "output_activation", '"Tanh"', "did you mean tanh?"),
    ({"init": "xaver"}, "init", '"xaver"', "did you mean xavier?"),
    ({"initial": [1, 2]}, "initial", "initial has 2 numbers", "337 parameters"),
    ({"initial": 5}, "initial", "5", "a list of numbers"),
    ({"initial": [1, "2"]}, "initial", 'initial[1] is "2"', "a finite number"),
    ({"loss": "mean"}, "loss", '"mean"', f"there are {', '.join(LOSSES)}"),
    ({"l1": -1}, "l1", "-1", "from 0 upwards"),
    ({"l2": 1e5}, "l2", "100000.0", "the largest rate is 10,000"),
    ({"optimizer": "adamax"}, "optimizer", '"adamax"', "did you mean adam"),
    ({"learning_rate": -1}, "learning_rate", "-1", "from 0 upwards"),
    ({"learning_rate": 10**400}, "learning_rate", "1,329 bits", "from 0 upwards"),
    ({"momentum": 1}, "momentum", "1", "from 0 to just below 1"),
    ({"momentum": -0.5}, "momentum", "-0.5", "from 0 to just below 1"),
    ({"dropout": 1}, "dropout", "1", "from 0 to just below 1"),
    ({"weight_decay": "much"}, "weight_decay", '"much"', "from 0 upwards"),
    ({"schedule": "cosinus"}, "schedule", '"cosinus"', "did you mean cosine?"),
    ({"schedule_end": -1e-9}, "schedule_end", "-1e-09", "from 0 upwards"),
    ({"batch": 0}, "batch", "0", 'from 1 upwards, or "all"'),
    ({"batch": 2.0}, "batch", "2.0", 'from 1 upwards, or "all"'),
    ({"batch": "ALL"}, "batch", '"ALL"', 'from 1 upwards, or "all"'),
    ({"batch": 101}, "batch", "101", "there are 100 samples to train on"),
    ({"batch": 51, "test_share": 0.5}, "batch", "51", "there are 50 samples to train on"),
    ({"shuffle": 1}, "shuffle", "1", "true or false"),
    ({"steps": 0}, "steps", "0", "a whole number from 1"),
    ({"steps": 100_001}, "steps", "100,001", "at most 100,000"),
    ({"seed": -1}, "seed", "-1", "from 0 to 18,446,744,073,709,551,615"),
    ({"seed": 2**64}, "seed", "18446744073709551616", "from 0 to 18,446"),
    ({"zero_grad": "false"}, "zero_grad", '"false"', "true or false"),
    ({"accumulate": None}, "accumulate", "null", "true or false"),
    ({"": 1}, "", '""', "there are data, samples"),
    ({"x" * 5000: 1}, "x" * 58 + "…", "xxx…", "there are data, samples"),
    ({"data": "\x1b[31m\n"}, "data", '"\\u001b[31m\\n"', "there are four_points"),
    ({"data": "\ud800"}, "data", '"\\ud800"', "there are four_points"),
    ({"data": "a" * 10_000}, "data", "aaa…", "there are four_points"),
]


@pytest.mark.parametrize(
    ("spec", "field", "value", "would_do"),
    REFUSED,
    ids=[f"{i}-{field[:9]}" for i, (_, field, _, _) in enumerate(REFUSED)],
)
def test_a_refusal_names_the_field_the_value_and_what_would_do(
    spec: dict[str, Any], field: str, value: str, would_do: str
) -> None:
    error = refused(spec)
    assert error.field == field
    assert value in error.message
    assert would_do in error.message


def test_every_field_is_refused_somewhere_here() -> None:
    assert set(FIELDS) <= {field for _, field, _, _ in REFUSED}


def test_what_a_message_proposes_is_taken() -> None:
    for spec in (
        {"data": "four_points", "layers": "3-16-16-1"},
        {"loss": "cross_entropy", "layers": [2, 16, 16, 2]},
        {"data": "sine", "layers": [1, 2, 1], "loss": "mse"},
        {"data": "rows", "rows": THREE, "layers": [2, 3]},
        {"data": "rows", "rows": [[1, 2], [2, 1]], "layers": [1, 2, 1], "loss": "mse"},
        {"samples": 2_000, "steps": 10_000, "layers": [2, 16, 1]},
        {"batch": 50, "test_share": 0.5},
        {"activation": [], "layers": [2, 1]},
        {"rows": [[1, 2], [3, 4]]},  # kept for another day
        {"learning_rate": 0, "schedule_end": 10_000},
    ):
        TrainSpec.from_json(spec)


# Limits


@pytest.mark.parametrize(
    ("limit", "most", "field", "reached"),
    [
        ("samples", 99, "samples", "100 samples"),
        ("columns", 1, "layers", "2 inputs"),
        ("neurons", 15, "layers", "16 neurons a layer"),
        ("layers", 2, "layers", "3 layers"),
        ("parameters", 336, "layers", "337 parameters"),
        ("steps", 99, "steps", "100 steps"),
        ("work", 4_494_799, "steps", "4,494,800"),
        ("rate", 0, "noise", "0.1"),
    ],
)
def test_a_limit_names_itself_and_what_was_reached(
    limit: str, most: int, field: str, reached: str
) -> None:
    error = refused({}, dataclasses.replace(TrainLimits(), **{limit: most}))
    assert error.field == field
    assert reached in error.message
    assert f"{most:,}" in error.message
    if limit != "rate":
        TrainSpec.from_json({}, dataclasses.replace(TrainLimits(), **{limit: most + 1}))


def test_every_limit_is_tested_here() -> None:
    assert set(TrainLimits.__dataclass_fields__) == {
        "samples", "columns", "neurons", "layers", "parameters", "steps", "work", "rate",
    }  # fmt: skip


def test_limits_hold_for_own_rows_too() -> None:
    wide = {"data": "rows", "rows": [[0.0] * 17 + [0], [1.0] * 17 + [1]], "layers": [17, 1]}
    assert "17 inputs; at most 16" in refused(wide).message
    check_limits(TrainSpec(**wide), TrainLimits(columns=17))  # type: ignore[arg-type]


def test_too_much_work_is_refused_with_the_steps_that_would_do() -> None:
    spec = {"samples": 2000, "layers": [2, 128, 128, 1], "steps": 100_000}
    most = 10**10 // (2000 * (17_025 + 257 * 3) + 4 * 17_025)
    assert f"give at most {most} steps" in refused(spec).message
    TrainSpec.from_json({**spec, "steps": most})


def test_a_large_test_set_and_dear_activations_are_work() -> None:
    base = TrainSpec(samples=1000, batch=10)
    assert dataclasses.replace(base, test_share=0.5).work > 10 * base.work
    assert dataclasses.replace(base, activation="gelu").work > 3 * base.work
    for name in ACTIVATIONS:
        assert dataclasses.replace(base, activation=name).work >= base.work


# Text that is no spec, or not JSON


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "Not JSON: expecting value, line 1, column 1."),
        ('{"layers":[2,4,1],}', "line 1, column 19"),
        ("{} {}", "extra data"),
        ("\ufeff{}", "BOM"),
        (b"\xef\xbb\xbf{}", "BOM"),
        (b'{"data": "\xff"}', "it is not UTF-8, byte 11"),
        ("[" * 100_000, "nested too deep"),
        ('{"rows":' * 5_000, "nested too deep"),
        ('{"seed": 1' + "0" * 5000 + "}", "thousands of digits"),
        ("null", "The spec is null; give a JSON object."),
        ("[]", "The spec is []; give a JSON object."),
        ('"x"', 'The spec is "x"; give a JSON object.'),
        ("3", "The spec is 3; give a JSON object."),
        ("NaN", "The spec is NaN; give a JSON object."),
        ('{"seed": 1, "seed": 1}', "seed is given twice; give it once."),
        ('{"rows": [{"a": 1, "a": 1}]}', "a is given twice; give it once."),
        ('{"noise": NaN}', "noise is NaN; give a number from 0 upwards."),
        ('{"noise": -Infinity}', "noise is -Infinity; give a number from 0 upwards."),
        ('{"noise": 1e400}', "noise is Infinity; give a number from 0 upwards."),
    ],
    ids=range(19),
)
def test_text_that_is_no_spec(text: str | bytes, says: str) -> None:
    assert says in refused(text).message


@pytest.mark.parametrize("space", [" ", "\t", "\x1f", "\u2003"])
def test_white_space_around_numbers_of_an_address_means_nothing(space: str) -> None:
    pairs = [(name, f"{space}{x}{space}") for name, x in (("steps", "7"), ("noise", ".5"))]
    assert TrainSpec.from_query(pairs) == TrainSpec(steps=7, noise=0.5)


def test_spaces_in_json_mean_nothing() -> None:
    spaced, compact = '{ "layers" : [ 2 , 4 , 1 ] }', '{"layers":[2,4,1]}'
    assert TrainSpec.from_text(spaced) == TrainSpec.from_text(compact)


@pytest.mark.parametrize("text", ["1", " ", "1 ", "-", "→ ", "]", ",", "MLP(", "1,", ";", "\x00"])
@pytest.mark.parametrize("field", ["layers", "noise", "steps", "rows", "initial", "activation"])
def test_a_long_text_is_refused_without_a_long_search(field: str, text: str) -> None:
    with pytest.raises(SpecError):
        TrainSpec.from_query([(field, f"2{text * 50_000}x")])


def read_or_refused(read: Callable[[], TrainSpec]) -> TrainSpec | None:
    """A spec, or None if it is refused; any other error fails the test."""
    try:
        return read()
    except SpecError:
        return None


@given(st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=8,
), st.sampled_from(list(FIELDS)))  # fmt: skip
def test_any_json_is_a_spec_or_is_refused(value: object, field: str) -> None:
    for obj in (value, {field: value}):
        spec = read_or_refused(partial(TrainSpec.from_json, obj))
        assert spec is None or TrainSpec.from_json(spec.to_json()) == spec


@given(st.sampled_from(list(FIELDS)), st.text(max_size=20))
def test_any_address_is_a_spec_or_is_refused(field: str, text: str) -> None:
    spec = read_or_refused(partial(TrainSpec.from_query, [(field, text)]))
    assert spec is None or TrainSpec.from_query(spec.to_query()) == spec
