"""The address of Train says everything, there and back; what it says wrong is named."""

from __future__ import annotations

from contextlib import suppress
from urllib.parse import parse_qsl

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.train import address
from app.train.address import OWN, TrainView, read
from engine.training.fields import SpecError, Whole
from engine.training.spec import FIELDS, TrainLimits, TrainSpec
from tests.support.each import for_each
from tests.support.learning import SMALL, SPECS

SMALL_QUERY = [("samples", "12"), ("layers", "2-3-1"), ("steps", "20")]


def test_no_parameters_are_the_defaults() -> None:
    view = read([])
    assert view == TrainView(TrainSpec())
    assert view.run_query() == "data=moons"
    assert read(parse_qsl(view.run_query())) == view


def test_everything_is_read() -> None:
    view = read(
        [
            *SMALL_QUERY,
            ("step", "7"),
            ("hide", "layers, play,layers"),
            ("set", "3:-0.5,0:1e-3"),
            ("at", "9"),
            ("set", "12:2"),
            ("at", "4"),
            ("pin", "learning_rate=0.1"),
            ("pin", "learning_rate=0.2"),
        ]
    )
    assert view.spec == SMALL
    assert view.step == 7
    assert view.hide == ("layers", "play")
    assert view.edits == ((4, 12, 2.0), (9, 3, -0.5), (9, 0, 0.001))


@given(
    name=st.sampled_from(sorted(SPECS)),
    step=st.integers(0, 9),
    edits=st.lists(
        st.tuples(st.integers(0, 9), st.integers(0, 8), st.floats(-10, 10).map(lambda x: x + 0.0)),
        max_size=5,
    ),
    hide=st.lists(st.sampled_from(["layers", "seed", "play"]), unique=True),
)
def test_there_and_back(
    name: str, step: int, edits: list[tuple[int, int, float]], hide: list[str]
) -> None:
    in_turn = tuple(sorted(edits, key=lambda edit: edit[0]))
    view = TrainView(SPECS[name], step, in_turn, tuple(hide))
    run = parse_qsl(view.run_query())
    assert read([*run, ("step", str(step)), ("hide", ",".join(hide))]) == view
    assert read(run) == TrainView(view.spec, edits=view.edits)


def test_a_step_may_be_held_within_the_run() -> None:
    assert read([*SMALL_QUERY, ("step", "900")], held=True).step == 20
    with pytest.raises(SpecError):
        read([*SMALL_QUERY, ("step", "-1")], held=True)


def test_names_of_the_address_are_no_fields() -> None:
    assert not set(OWN) & set(FIELDS)
    assert len(set(OWN)) == len(OWN)
    assert not address.names_a_run([("step", "3"), ("hide", "play")])
    assert address.names_a_run([("step", "3"), ("seed", "4")])


@for_each(
    ("pairs", "field", "words"),
    [
        ([("nope", "1")], "nope", "no field"),
        ([("layers", "2-3")], "layers", "end with 1 or 2"),
        ([("seed", "1"), ("seed", "2")], "seed", "given twice"),
        ([("step", "1"), ("step", "2")], "step", "given twice"),
        ([("step", "21")], "step", "from 0 to 20"),
        ([("step", "-1")], "step", "from 0 to 20"),
        ([("step", "1.5")], "step", "whole number"),
        ([("step", "x")], "step", "whole number"),
        ([("hide", "Layers")], "hide", "did you mean layers? it knows data, network,"),
        ([("hide", "<script>")], "hide", "it knows data, network, training, mistakes, samples"),
        ([("hide", "play,n1")], "hide", 'hide names "n1"'),
        ([("set", "0:1")], "at", "missing"),
        ([("at", "1")], "set", "missing"),
        ([("set", "0"), ("at", "1")], "set", "place:number"),
        ([("set", "13:1"), ("at", "1")], "set", "from 0 to 12"),
        ([("set", "-1:1"), ("at", "1")], "set", "from 0 to 12"),
        ([("set", "0:nan"), ("at", "1")], "set", "number"),
        ([("set", "0:1e999"), ("at", "1")], "set", "number"),
        ([("set", "0:1,"), ("at", "1")], "set", "place:number"),
        ([("set", "0:1"), ("at", "21")], "at", "from 0 to 20"),
        ([("set", "0:1"), ("at", "-1")], "at", "from 0 to 20"),
        ([("set", ",".join(["0:1"] * 201)), ("at", "1")], "set", "at most 200"),
    ],
)
def test_refusal_names_the_field(pairs: list[tuple[str, str]], field: str, words: str) -> None:
    with pytest.raises(SpecError) as found:
        read([*(pair for pair in SMALL_QUERY if pair[0] not in dict(pairs)), *pairs])
    assert found.value.field == field
    assert words in found.value.message
    assert found.value.message.endswith((".", "?"))


def test_limits_are_kept() -> None:
    with pytest.raises(SpecError, match="steps"):
        read(SMALL_QUERY, TrainLimits(steps=19))


@given(st.lists(st.tuples(st.sampled_from([*OWN, *FIELDS, "x"]), st.text()), max_size=4))
def test_nothing_else_is_raised(pairs: list[tuple[str, str]]) -> None:
    with suppress(SpecError):
        assert read(pairs).step >= 0


# Single parameters


def test_lists_are_read_once_each() -> None:
    pairs = [("seeds", "3, 1,3,,2")]
    assert address.items(pairs, "seeds", Whole(0, 9), 10) == [3, 1, 2]
    assert address.items([], "seeds", Whole(0, 9), 10) == []
    with pytest.raises(SpecError, match="at most 3"):
        address.items(pairs, "seeds", Whole(0, 9), 3)
    with pytest.raises(SpecError, match="from 0 to 2"):
        address.items(pairs, "seeds", Whole(0, 2), 10)


def test_empty_parameters_are_left_out() -> None:
    pairs = [("fps", " "), ("as", ""), ("losses", "1"), ("dark", "0")]
    assert address.number(pairs, "fps", 1, 60, 30) == 30
    assert address.choice(pairs, "as", ("a", "b"), "b") == "b"
    assert address.switch(pairs, "losses")
    assert not address.switch(pairs, "dark")
