"""Specs as JSON and as addresses: there and back unchanged."""

from __future__ import annotations

import json
from urllib.parse import parse_qsl, urlencode

import pytest
from hypothesis import given

from engine.training.changes import Change
from engine.training.samples import load
from engine.training.spec import FIELDS, SpecError, TrainSpec
from tests.support.each import for_each
from tests.support.specs import THREE, specs


@given(specs())
def test_json_there_and_back(spec: TrainSpec) -> None:
    obj = spec.to_json()
    text = json.dumps(obj, allow_nan=False)
    assert set(FIELDS) - set(obj) <= {name for name, entry in FIELDS.items() if entry.sparse}
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


@for_each(
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
        ("at", "", ()),
        ("at", "30:learning_rate=0.01", (Change(30, (("learning_rate", 0.01),)),)),
        (
            "at",
            " 60 : batch = all, l2=0 ; 30:optimizer=adam,100:steps=200",
            (
                Change(30, (("optimizer", "adam"),)),
                Change(60, (("l2", 0.0), ("batch", "all"))),
                Change(100, (("steps", 200),)),
            ),
        ),
    ],
)
def test_text_of_an_address(name: str, text: str, value: object) -> None:
    assert getattr(TrainSpec.from_query([(name, text)]), name) == value


@for_each(
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
        ([("rows", "1,2;3,x")], "rows", 'row 2, column 2 of rows is "x"; give a finite number.'),
        ([("rows", "1,2,3;4,,5")], "rows", 'row 2, column 2 of rows is ""; give a finite number.'),
        ([("at", "learning_rate=0.01")], "at", "write step:setting=value, such as 120:"),
        ([("at", "30:l2=1,l2=2")], "at", "write step:setting=value"),
        ([("at", "30:l2")], "at", "write step:setting=value"),
        ([("at", "30:l2=x")], "at", 'From step 30 on: l2 is "x"; give a number from 0 upwards.'),
        ([("activation", "relu,")], "activation", "give one name, or 2, one for each"),
    ],
)
def test_invalid_parameters_of_an_address(
    pairs: list[tuple[str, str]], field: str, why: str
) -> None:
    with pytest.raises(SpecError) as caught:
        TrainSpec.from_query(pairs)
    assert caught.value.field == field
    assert why in caught.value.message


def test_other_parameters_of_an_address_are_passed_over_only_by_name() -> None:
    pairs = [("frame", "3"), ("steps", "5"), ("frame", "4")]
    assert TrainSpec.from_query(pairs, ignore=["frame"]).steps == 5
    with pytest.raises(SpecError, match='"frame" is no field of a spec'):
        TrainSpec.from_query(pairs)


def test_a_default_that_does_not_fit_best_stands_in_the_address() -> None:
    numbers = TrainSpec(
        data="rows", rows=tuple(map(tuple, THREE)), loss="mse", layers=(2, 16, 16, 1)
    )
    assert ("layers", "2-16-16-1") in numbers.to_query()
    assert TrainSpec.from_query(numbers.to_query()) == numbers
