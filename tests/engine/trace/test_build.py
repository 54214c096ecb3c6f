"""The trace's JSON contract: keys, ids, kinds, spans, frames, sums of contributions."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from hypothesis import HealthCheck, given, reject, settings

from engine.program import ProgramError
from tests.support.programs import LEAVES, expressions
from tests.support.traces import EACH, NETWORK, trace

# The contract


KEYS = {
    "program", "output", "nodes", "frames", "groups", "printed", "warnings", "notes",
    "scenes", "scene", "charts", "mistakes", "verdict",
}  # fmt: skip
NODE = {
    "id", "label", "op", "args", "data", "grad", "true_grad", "span", "kind", "key", "group",
    "name",
}  # fmt: skip
CALLED = {"caller"}
"""What only a node has that a method of the program's own class computed."""
CONTRIBUTION = {"to", "slot", "partial", "upstream", "amount", "before", "after"}


@EACH
def test_keys_are_those_of_the_contract(text: str) -> None:
    found = trace(text).to_json()
    assert set(found) == KEYS
    assert all(set(n) - CALLED == NODE for n in found["nodes"])
    assert all(set(g) == {"id", "parent", "kind", "title"} for g in found["groups"])
    assert all(set(w) == {"node", "message"} for w in found["warnings"])
    assert all(set(n) == {"message", "span"} for n in found["notes"])
    for i, frame in enumerate(found["frames"]):
        optional = {"given"} if i == 0 else {"seed"} if "seed" in frame else set()
        optional |= {"before"} if frame.get("before") else set()
        backward = {"contributions"} if frame["pass"] == "backward" else set()
        idle = {"given", "seed", "written"} & set(frame)
        at_work = {"written"} & idle if idle else {"sources", "slots"}
        usual = {"pass", "node", "data", "changes"}
        assert set(frame) == usual | optional | backward | at_work
        for c in frame.get("contributions", ()):
            assert set(c) == CONTRIBUTION


@EACH
def test_the_trace_is_json_that_any_reader_reads(text: str) -> None:
    found = trace(text).to_json()
    written = json.dumps(found, allow_nan=False)
    assert json.loads(written) == found


def test_the_example_of_the_contract() -> None:
    found = trace("a = 2.0\nb = -3.0\nL = (a*b + 10) * -2").to_json()
    assert found["output"] == "v7"
    assert found["nodes"][0] == {
        "id": "v1", "label": "a", "op": None, "args": [], "data": 2.0, "grad": 6.0,
        "true_grad": 6.0, "span": [1, 5, 1, 8], "kind": "leaf", "key": "a", "group": None,
        "name": "a",
    }  # fmt: skip
    assert found["nodes"][2] == {
        "id": "v3", "label": "", "op": "*", "args": ["v1", "v2"], "data": -6.0, "grad": -2.0,
        "true_grad": -2.0, "span": [3, 6, 3, 9], "kind": "value", "key": None, "group": None,
        "name": "a*b",
    }  # fmt: skip
    assert [n["data"] for n in found["nodes"]] == [2.0, -3.0, -6.0, 10.0, 4.0, -2.0, -8.0]
    (back,) = (f for f in found["frames"] if f["pass"] == "backward" and f["node"] == "v3")
    assert back["contributions"] == [
        {"to": "v1", "slot": 0, "partial": -3.0, "upstream": -2.0, "amount": 6.0, "before": 0.0,
         "after": 6.0},
        {"to": "v2", "slot": 1, "partial": 2.0, "upstream": -2.0, "amount": -4.0, "before": 0.0,
         "after": -4.0},
    ]  # fmt: skip


@EACH
def test_ids_follow_the_tape(text: str) -> None:
    nodes = trace(text).nodes
    assert [n.id for n in nodes] == [f"v{i}" for i in range(1, len(nodes) + 1)]
    place = {n.id: i for i, n in enumerate(nodes)}
    for n in nodes:
        assert all(place[arg] < place[n.id] for arg in n.args)


@EACH
def test_kinds(text: str) -> None:
    found = trace(text)
    for n in found.nodes:
        if n.id == found.output:
            assert n.kind == "output"
        elif n.op:
            assert n.kind == "value"
        else:
            assert n.kind in ("leaf", "constant")
        assert n.grad is None if n.kind == "constant" else n.grad is not None or n.op
        assert (n.key is not None) <= (n.op is None)


@EACH
def test_spans_lie_in_the_program_and_names_are_short_words(text: str) -> None:
    found = trace(text)
    lines = found.program.split("\n")
    for n in found.nodes:
        line, column, end_line, end_column = n.span
        assert 1 <= line <= end_line <= len(lines)
        assert 1 <= column <= len(lines[line - 1]) + 1
        assert (line, column) < (end_line, end_column)
        assert end_column <= len(lines[end_line - 1]) + 1
        assert n.name
        assert len(n.name) <= 64


def test_a_span_marks_what_made_the_value() -> None:
    text = "é = 2.0; b = tanh(é * 3) + é"
    marked = {n.op: text[n.span[1] - 1 : n.span[3] - 1] for n in trace(text).nodes}
    assert marked == {None: "3", "*": "é * 3", "tanh": "tanh(é * 3)", "+": "tanh(é * 3) + é"}


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("x = Value(math.nan)\ny = x * 2", "nan"),
        ("x = Value(1.0)\ny = x / 0", "inf"),
        ("x = Value(-1.0)\ny = x / 0", "-inf"),
    ],
)
def test_json_writes_what_is_not_finite_as_text(text: str, written: str) -> None:
    found = trace(text).to_json()
    assert found["nodes"][-1]["data"] == written
    assert found["frames"][-1]["data"] == written
    forward = [f for f in found["frames"] if f["pass"] == "forward"]
    assert forward[-1]["data"] == written


# Frames


@EACH
def test_frames_stand_in_the_order_of_the_two_passes(text: str) -> None:
    found = trace(text)
    computed = [n.id for n in found.nodes if n.op]
    leaves = tuple(n.id for n in found.nodes if not n.op)
    first, *frames = found.frames
    assert (first.pass_, first.node, first.given) == ("forward", leaves[0], leaves)
    forward = [f.node for f in frames if f.pass_ == "forward"]
    assert forward == computed
    seed, *backward = frames[len(forward) :]
    assert (seed.pass_, seed.node, seed.seed) == ("backward", found.output, 1.0)
    assert [f.node for f in backward] == computed[::-1]
    assert all(f.pass_ == "backward" and f.seed is None for f in backward)
    assert len(found.frames) == 2 + 2 * len(computed)


@EACH
def test_contributions_sum_to_the_gradients(text: str) -> None:
    found = trace(text)
    received: dict[str, float] = {}
    for frame in found.frames:
        if frame.seed is not None:
            received[frame.node] = frame.after
        for c in frame.contributions:
            if c.to in received:
                assert repr(c.before) == repr(received[c.to])
            assert repr(c.after) == repr(c.before + c.amount)
            assert repr(c.amount) == repr(c.upstream * c.partial)
            received[c.to] = c.after
    for n in found.nodes:
        if n.grad is not None and n.id in received:
            assert repr(n.grad) == repr(received[n.id])


@EACH
def test_a_value_passes_on_its_whole_gradient(text: str) -> None:
    """When a Value is active, everything that uses it has already given its part."""
    found = trace(text)
    grads = {n.id: n.grad for n in found.nodes}
    args = {n.id: n.args for n in found.nodes}
    for frame in found.frames:
        for c in frame.contributions:
            assert repr(c.upstream) == repr(grads[frame.node])
            assert args[frame.node][c.slot] == c.to
        if frame.pass_ == "backward" and frame.seed is None:
            slots = [i for i, arg in enumerate(args[frame.node]) if grads[arg] is not None]
            assert [c.slot for c in frame.contributions] == slots


def test_a_number_computed_from_constants_has_no_gradient() -> None:
    """d(a**b)/db is not real for a < 0, and b = 1 + 1 is no variable of the program."""
    found = trace("a = Value(-2.0)\ny = a**(1+1)\ny.backward()")
    assert {n.name: n.grad for n in found.nodes if n.op} == {"1+1": None, "y": 1.0}
    assert found.nodes[0].grad == -4.0
    assert not found.warnings
    assert not {c.to for f in found.frames for c in f.contributions} - {found.nodes[0].id}


def test_a_named_result_of_constants_keeps_its_gradient() -> None:
    found = trace("k = 2 * 3\na = 4.0\ny = a * k")
    assert {n.name: n.grad for n in found.nodes if n.label} == {"k": 4.0, "a": 6.0, "y": 1.0}


def test_gradients_that_were_there_before_are_shown_as_before() -> None:
    found = trace("a = Value(3.0)\nb = a * 2\nb.backward()\nb = a * 2\nb.backward()")
    ((c,),) = (f.contributions for f in found.frames if f.contributions)
    assert (c.before, c.amount, c.after) == (2.0, 2.0, 4.0)


@pytest.mark.parametrize("call", ["torch.exp(a)", "a.exp()"])
def test_functions_of_tensors_are_drawn_without_a_word_on_gradients(call: str) -> None:
    """PyTorch would record no graph, but the picture follows the numbers all the same."""
    found = trace(f"a = torch.tensor(2.0)\nb = {call}\nc = b * 3")
    assert [node.op for node in found.nodes if node.op] == ["exp", "*"]
    assert found.nodes[-1].data == pytest.approx(3 * math.exp(2), rel=1e-6)


def test_a_gradient_that_the_output_had_before_is_in_the_frame_of_the_seed() -> None:
    found = trace(
        "a = torch.tensor(2.0, requires_grad=True)\na.grad = torch.tensor(5.0)\na.backward()"
    )
    seed = found.frames[-1]
    assert (seed.before, seed.seed, seed.after) == (5.0, 1.0, 6.0)
    assert found.nodes[-1].grad == 6.0
    assert found.to_json()["frames"][-1]["before"] == 5.0


@EACH
def test_the_gradient_of_a_result_starts_afresh(text: str) -> None:
    found = trace(text)
    (seed,) = (frame for frame in found.frames if frame.seed is not None)
    assert (seed.before, seed.after) == (0.0, 1.0)
    assert "before" not in found.to_json()["frames"][found.frames.index(seed)]


def test_a_value_used_twice_gets_two_contributions() -> None:
    found = trace("x = Value(3.0)\ny = x * x")
    (frame,) = (f for f in found.frames if f.contributions)
    assert [(c.to, c.slot, c.before, c.after) for c in frame.contributions] == [
        ("v1", 0, 0.0, 3.0), ("v1", 1, 3.0, 6.0),
    ]  # fmt: skip


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(expressions)
def test_random_programs_keep_the_contract(text: str) -> None:
    program = "\n".join([*(f"{name} = Value(0.5)" for name in LEAVES), f"y = {text} * Value(1.0)"])
    try:
        trace(program)
    except ProgramError:  # of plain numbers, such as (-2.0) ** 0.5 and 1.0 / 0.0
        reject()
    test_keys_are_those_of_the_contract(program)
    test_contributions_sum_to_the_gradients(program)
    test_frames_stand_in_the_order_of_the_two_passes(program)
    test_kinds(program)


# Names and numbers


def test_names() -> None:
    found = trace("a = Value(2.0)\nb = (a * 3).tanh() + a\nb.label = 'out'")
    assert list(found.names().values()) == ["a", "3", "a * 3", "(a * 3).tanh()", "out"]
    inside = trace(NETWORK).names().values()
    assert set(inside) >= {"l0.n0", "l1.n0", "l0.n0.w0"}


def test_json_of_numbers_is_the_shortest_that_reads_back() -> None:
    found: dict[str, Any] = json.loads(json.dumps(trace("a = 0.1\nb = a + 0.2").to_json()))
    assert found["nodes"][-1]["data"] == 0.1 + 0.2
    assert math.isclose(found["nodes"][0]["grad"], 1.0)


@pytest.mark.parametrize("call", ["sum(e)", "sum([exp(t) for t in z])"])
def test_the_zero_that_a_sum_begins_with_has_no_name_of_another(call: str) -> None:
    program = f"z = [Value(2.0), Value(1.0)]\ne = [exp(t) for t in z]\ntotal = {call}"
    (zero,) = (node for node in trace(program).nodes if node.kind == "constant")
    assert (zero.label, zero.name, zero.data) == ("", "0", 0.0)
