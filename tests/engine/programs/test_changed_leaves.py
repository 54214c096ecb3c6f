"""Leaves changed from outside, known by their places."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.program import Program, ProgramError, UnknownLeaf
from engine.trace.build import trace
from tests.support.programs import data, drawn_by, node

TWICE = """
a = Value(1.0)
b = a * 10
a = Value(2.0)
c = b + a
a = Value(3.0)
L = c * a
n = 4
M = L + n
"""


def test_leaves_are_changed_by_their_keys() -> None:
    program = Program(TWICE)
    assert program.defaults() == {"a@1": 1.0, "a@2": 2.0, "a": 3.0, "n": 4.0}
    for leaves, right in [
        ({}, (10 + 2) * 3 + 4),
        ({"a": 5.0}, (10 + 2) * 5 + 4),
        ({"a@1": 0.0}, 2 * 3 + 4),
        ({"a@2": -10.0, "n": 0.5}, 0.5),
    ]:
        assert drawn_by(program, leaves).data == right


def test_keys_stand_in_the_trace() -> None:
    found = trace(TWICE, {"a@1": 7.0})
    assert [(n.key, n.data) for n in found.nodes if n.kind == "leaf"] == [
        ("a@1", 7.0), ("a@2", 2.0), ("a", 3.0), ("n", 4.0),
    ]  # fmt: skip
    assert all(n.key is None for n in found.nodes if n.kind != "leaf")


def test_parameters_have_keys() -> None:
    text = "n = MLP(2, [1])\ny = n([1.0, 1.0])"
    assert list(Program(text).defaults()) == ["l0.n0.w0", "l0.n0.w1", "l0.n0.b"]
    changed = trace(text, {"l0.n0.w0": 0.0, "l0.n0.w1": 0.0, "l0.n0.b": 0.5})
    assert node(changed, "y").data == math.tanh(0.5)


def test_a_changed_leaf_changes_what_the_program_does() -> None:
    text = "n = 2\ny = Value(1.0)\nif n > 3:\n    y = y * 5\nz = y + n"
    assert data(text, "z") == 3.0
    assert data(text, "z", {"n": 4.0}) == 9.0


def test_a_changed_whole_number_is_no_whole_number_anymore() -> None:
    text = "n = 3\nfor i in range(n):\n    y = Value(1.0)"
    with pytest.raises(ProgramError, match="'float' object cannot be interpreted as an integer"):
        Program(text).run({"n": 2.0})


def test_an_unknown_leaf() -> None:
    with pytest.raises(UnknownLeaf, match="no leaf called 'z'; there are a@1, a@2, a, n") as error:
        Program(TWICE).run({"z": 1.0})
    assert (error.value.name, error.value.known) == ("z", ["a@1", "a@2", "a", "n"])


@given(st.dictionaries(st.sampled_from(["a@1", "a@2", "a", "n"]), st.floats(-1e6, 1e6)))
def test_changed_leaves_are_as_if_written_in_the_program(leaves: dict[str, float]) -> None:
    x = Program(TWICE).defaults() | leaves
    found = trace(TWICE, leaves)
    assert node(found, "M").data == (x["a@1"] * 10 + x["a@2"]) * x["a"] + x["n"]


BRANCH = "a = 1.0\nif a > 0:\n    b = 2.0\nc = 3.0\nL = a*c"


def test_a_changed_leaf_is_the_same_one_where_another_branch_is_taken() -> None:
    found = trace(BRANCH, {"a": -1.0, "b": 7.0})
    assert node(found, "L").data == -1.0 * 3.0
    assert {n.label: n.key for n in found.nodes} == {"a": "a", "c": "c", "L": None}
    assert data(BRANCH, "L", {"a": -1.0, "c": 5.0}) == -5.0


def test_a_changed_leaf_that_is_not_reached_is_told() -> None:
    message = "b is not reached with these numbers. What it was changed to has no effect."
    notes = {note.message: note.span for note in trace(BRANCH, {"a": -1.0, "b": 7.0}).notes}
    assert notes == {message: (3, 9, 3, 12)}
    reached = trace(BRANCH, {"a": 2.0, "b": 7.0})
    assert not any("not reached" in note.message for note in reached.notes)


def test_a_leaf_of_the_other_branch_has_no_key() -> None:
    text = "a = 1.0\nif a > 0:\n    b = 2.0\nelse:\n    b = 3.0\nL = a*b"
    found = trace(text, {"a": -1.0})
    assert {n.label: n.key for n in found.nodes} == {"a": "a", "b": None, "L": None}
    assert node(trace(text, {"a": -1.0, "b": 9.0}), "L").data == -3.0


def test_leaves_made_in_turns_of_a_loop_or_by_map_are_told_apart() -> None:
    text = "ws = [Value(1.0, label='w') for i in [1, 2, 3]]\nL = ws[0] + ws[1]*10 + ws[2]*100"
    assert data(text, "L", {"w@1": 5.0, "w": 7.0}) == 5 + 10 + 700
    text = "ws = list(map(Value, [1.0, 2.0]))\nL = ws[0] + ws[1]*10"
    assert data(text, "L", {"ws[1]": 4.0}) == 41.0


@pytest.mark.parametrize("labels", [["a", "a@1", "a"], ["a@1", "a", "a"], ["a", "a", "a@1", "a@1"]])
def test_no_two_leaves_have_the_same_key(labels: list[str]) -> None:
    lines = [f"x{i} = Value({i + 1}.0, label='{label}')" for i, label in enumerate(labels)]
    program = Program("\n".join([*lines, f"L = {' + '.join(f'x{i}' for i in range(len(labels)))}"]))
    assert sorted(program.defaults().values()) == [i + 1.0 for i in range(len(labels))]
    for key in program.defaults():
        run = program.run({key: 100.0})
        assert run.output is not None
        assert run.output.data == sum(program.defaults().values()) - program.defaults()[key] + 100.0
        assert len({key for key, _ in run.keys}) == len(labels)
