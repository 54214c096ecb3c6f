"""Operations opened in place: expanded equals fused, while the program's own numbers stay."""

from __future__ import annotations

import math

import pytest
from hypothesis import HealthCheck, given, reject, settings
from hypothesis import strategies as st

from engine.expansions import expansion_of, steps
from engine.op import Op
from engine.ops import OPS
from engine.program import ProgramError
from engine.trace.build import trace as fresh
from engine.trace.expand import MOST, can_open, expanded
from engine.trace.naming import written
from engine.trace.traced import Trace
from tests.support.each import for_each
from tests.support.programs import LEAVES, expressions
from tests.support.traces import EACH, trace

OPENED = {name: op for name, op in OPS.items() if op.expansion}
EVERY = for_each("op", OPENED.values())


def program_of(op: Op, point: tuple[float, ...]) -> str:
    """A program with the op at a sample, between leaves and an output."""
    leaves = [f"{name} = Value({x})" for name, x in zip(op.params, point, strict=True)]
    call = written(op.name, op.params)
    call = f"{op.module}.{call}" if op.module else call
    return "\n".join(["import math, operator", *leaves, f"y = {call}", "L = y * 3", "L.backward()"])


def opened_at(op: Op, point: tuple[float, ...]) -> tuple[Trace, Trace]:
    """The trace of the op at a sample, and the same with the op opened."""
    before = trace(program_of(op, point))
    name = next(node.id for node in before.nodes if node.op == op.name and node.label == "y")
    return before, expanded(before, [name])


# The table


@EVERY
def test_an_expansion_leads_to_more_elementary_operations_only(op: Op) -> None:
    todo, seen = [op], set[str]()
    while todo:
        now = todo.pop()
        for text in filter(None, (now.expansion, *now.expansions_at.values())):
            inner = {step.op for step in steps(text, now.params)}
            assert op.name not in inner
            todo += [OPS[name] for name in inner - seen]
            seen |= inner


@EVERY
def test_the_expansion_is_equal_to_the_operation_on_its_samples(op: Op) -> None:
    for point in op.samples:
        _, after = opened_at(op, point)
        assert not after.kept_closed
        (opened,) = after.opened
        assert opened.through == pytest.approx(opened.by, rel=1e-9)
        assert opened.by == op.compute(*point)
        for slot, border in enumerate(opened.borders):
            derived = 3 * op.derive[slot](opened.by, *point)
            assert border.through == pytest.approx(derived, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize(
    ("power", "text"), [(2, "a * a"), (3, "a * a * a"), (0.5, "exp(b * log(a))")]
)
def test_a_constant_power_is_a_product_where_it_is_small_and_whole(power: float, text: str) -> None:
    assert expansion_of(OPS["**"], power) == text
    after = expanded(trace(f"a = Value(1.5)\nL = a ** {power}"), ["v3"])
    assert after.opened[0].text == text
    assert after.opened[0].through == pytest.approx(1.5**power)


# What stays and what comes


def check_same(before: Trace, after: Trace) -> None:
    """Assert that the Values of the program are what they were, and the frames lead to them."""
    by_id = {node.id: node for node in after.nodes}
    for node in before.nodes:
        now = by_id[node.id]
        assert now.label == node.label
        assert _same(now.data, node.data)
        assert _same(now.grad, node.grad)
    shown: dict[str, dict[str, float]] = {"forward": {}, "backward": {}}
    for frame, changes in zip(after.frames, after.changes, strict=True):
        for name, x in changes.numbers.items():
            shown[frame.pass_][name] = x
    for node in after.nodes:
        assert _same(shown["forward"][node.id], node.data)
        if node.id in shown["backward"]:
            assert _same(shown["backward"][node.id], node.grad)
    order = {node.id: at for at, node in enumerate(after.nodes)}
    assert all(order[arg] < order[node.id] for node in after.nodes for arg in node.args)


def _same(one: float | None, other: float | None) -> bool:
    return one == other or (one is not None and one != one and other is not None and other != other)


def openable(of: Trace) -> list[str]:
    return [node.id for node in of.nodes if can_open(node)]


@EACH
def test_the_numbers_of_the_program_stay(text: str) -> None:
    before = trace(text)
    after = expanded(before, openable(before)[-MOST:])
    check_same(before, after)


@given(expression=expressions, numbers=st.tuples(*[st.integers(1, 40)] * 3))
@settings(suppress_health_check=[HealthCheck.too_slow])
def test_expanded_equals_fused_in_any_program(expression: str, numbers: tuple[int, ...]) -> None:
    leaves = [f"{name} = Value({x / 16})" for name, x in zip(LEAVES, numbers, strict=True)]
    try:
        before = fresh("\n".join([*leaves, f"L = ({expression}) + 0.0"]))
    except ProgramError:
        reject()
    after = expanded(before, openable(before))
    check_same(before, after)
    data = {node.id: node.data for node in before.nodes}
    for opened in after.opened:
        assert opened.by == data[opened.node] or math.isnan(opened.by)
        sizes = [
            c.upstream for f in before.frames for c in f.contributions if f.node == opened.node
        ]
        for border in opened.borders:
            close = pytest.approx(border.by, rel=1e-9, abs=1e-12 * abs(sizes[0]), nan_ok=True)
            assert border.through == close
    for closed in after.kept_closed:
        assert closed.message.count("stays closed") == 1


def test_the_gradients_inside_are_those_of_the_chain_rule() -> None:
    after = expanded(trace("x = Value(0.7)\ny = x.tanh()\nL = y * 3\nL.backward()"), ["v2"])
    inner = {node.name: node for node in after.nodes if node.group == "expand-v2"}
    e, y = math.exp(1.4), math.tanh(0.7)
    assert inner["exp(2*x)"].data == pytest.approx(e)
    assert inner["exp(2*x)"].grad == pytest.approx(3 * (1 / (e + 1) - y / (e + 1)))
    assert inner["2*x"].grad == pytest.approx(3 * (1 - y * y) / 2)
    (opened,) = after.opened
    assert opened.borders[0].through == pytest.approx(3 * (1 - y * y), rel=1e-12)


def test_an_operation_inside_is_opened_too() -> None:
    before = trace("x = Value(0.7)\nL = x.tanh()\nL.backward()")
    after = expanded(before, ["v2", "v2x3"])
    assert [opened.node for opened in after.opened] == ["v2", "v2x3"]
    groups = {group.id: group for group in after.groups}
    assert groups["expand-v2x3"].parent == "expand-v2"
    assert groups["expand-v2x3"].expands == "v2x3"
    check_same(before, after)


def test_both_inputs_may_be_one_value() -> None:
    before = trace("x = Value(3.0)\nL = x / x + x\nL.backward()")
    after = expanded(before, ["v2"])
    check_same(before, after)
    assert after.opened[0].borders[0].by == pytest.approx(0)


def test_a_second_pass_keeps_its_gradients() -> None:
    text = "a = Value(2.0)\nb = a.tanh()\nc = b * b\nc.backward()\nc.backward()"
    check_same(trace(text), expanded(trace(text), ["v2"]))


def test_32_bit_tensors_are_rounded_inside_too() -> None:
    text = (
        "import torch\nx = torch.tensor(0.3, requires_grad=True)\nL = torch.tanh(x)\nL.backward()"
    )
    after = expanded(trace(text), ["v2"])
    (opened,) = after.opened
    assert opened.through == pytest.approx(opened.by, rel=1e-6)
    assert {node.id for node in after.nodes} == after.single


def test_unknown_ids_and_ops_without_expansion_are_left_out() -> None:
    before = trace("x = Value(0.7)\nL = x.exp()")
    assert expanded(before, ["v99", "v1", "v2", "nonsense"]) is before


# Other numbers than the program's are never shown


@for_each(
    ("text", "part"),
    [
        ("x = Value(400.0)\nL = x.tanh()", "exp(2*x) is inf here, while tanh itself gives 1.0"),
        (
            "x = Value(800.0)\nL = softplus(x)",
            "exp(x) is inf here, while softplus itself gives 800.0",
        ),
        ("x = Value(-40.0)\nL = softplus(x)", "is 0.0 here, while softplus itself gives 4.248"),
        ("x = Value(-2.0)\nL = x ** 5", "log(x) is nan here, while ** itself gives -32.0"),
        ("x = Value(0.0)\nL = x.relu()\nL.backward()", "by the op it receives 0.0. At a kink"),
    ],
)
def test_an_expansion_with_other_numbers_stays_closed_and_says_why(text: str, part: str) -> None:
    before = trace(text)
    name = before.drawn
    after = expanded(before, [name])
    assert after.nodes == before.nodes
    (closed,) = after.kept_closed
    assert closed.node == name
    assert part in closed.message


def test_an_overwritten_number_stays_closed() -> None:
    after = expanded(trace("x = Value(0.5)\ny = x.tanh()\nx.data = 3.0\nL = y * 2"), ["v2"])
    assert "its data was set" in after.kept_closed[0].message


# JSON


def test_the_json_has_both_numbers_and_the_group() -> None:
    before = trace("x = Value(0.7)\nL = x.tanh()\nL.backward()")
    found = expanded(before, ["v2"]).to_json()
    (opened,) = found["expanded"]["opened"]
    assert opened["expansion"] == "(exp(2 * x) - 1) / (exp(2 * x) + 1)"
    assert opened["borders"][0]["to"] == "v1"
    assert {group["id"]: group["expands"] for group in found["groups"]} == {"expand-v2": "v2"}
    assert "expanded" not in before.to_json()
