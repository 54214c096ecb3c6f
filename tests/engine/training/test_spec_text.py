"""Texts that are no spec, white space, and random JSON and addresses."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.training.spec import FIELDS, SpecError, TrainSpec
from tests.support.each import for_each
from tests.support.specs import refused


@for_each(
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
)
def test_text_that_is_no_spec(text: str | bytes, says: str) -> None:
    assert says in refused(text).message


@for_each("space", [" ", "\t", "\x1f", "\u2003"])
def test_white_space_around_numbers_of_an_address_means_nothing(space: str) -> None:
    pairs = [(name, f"{space}{x}{space}") for name, x in (("steps", "7"), ("noise", ".5"))]
    assert TrainSpec.from_query(pairs) == TrainSpec(steps=7, noise=0.5)


def test_spaces_in_json_mean_nothing() -> None:
    spaced, compact = '{ "layers" : [ 2 , 4 , 1 ] }', '{"layers":[2,4,1]}'
    assert TrainSpec.from_text(spaced) == TrainSpec.from_text(compact)


@for_each("text", ["1", " ", "1 ", "-", "→ ", "]", ",", "MLP(", "1,", ";", "\x00"])
@for_each("field", ["layers", "noise", "steps", "rows", "initial", "activation"])
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
