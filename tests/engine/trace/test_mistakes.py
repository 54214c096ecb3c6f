"""Mistakes made on purpose: numbers worked out by hand, and CPython's with the same mistake."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.ops import OPS
from engine.trace.mistakes import MISTAKES, MistakeSwitch, break_rule, why
from engine.trace.own_partial import ExpressionError, read_partial
from engine.trace.sabotage import Broken, SwitchError, compared, right
from tests.support import sabotaged
from tests.support.each import for_each
from tests.support.sabotaged import OWN_CLASS, Build, Value
from tests.support.traces import EACH, trace

WRONG_PRODUCT = "partial:*:0:b+1"


def broken(text: str, switch: str) -> Broken:
    return break_rule(trace(text), MistakeSwitch.read(switch))


def by_name(found: Broken) -> dict[str, float]:
    """The wrong gradients of the Values with a label."""
    nodes = [node for node in found.trace.nodes if node.label and node.id in found.wrong]
    return {node.label: found.wrong[node.id] for node in nodes}


# Worked out by hand

DIAMOND = "a = Value(2.0)\nb = a * 3\nL = b + b * b\nL.backward()"  # b = 6, dL/db = 13, dL/da = 39
PRODUCT = "a = Value(2.0)\nb = Value(-3.0)\nL = (a * b) * 4\nL.backward()"
BY_HAND = [
    ("assign", "x = Value(3.0)\ny = x * x + x\ny.backward()", {"x": 3.0, "y": 1.0}),
    ("assign", "a = Value(3.0)\nb = Value(2.0)\nL = a * b + a", {"a": 2.0, "b": 3.0, "L": 1.0}),
    ("depth_first", DIAMOND, {"a": 3.0, "b": 13.0, "L": 1.0}),
    ("every_path", DIAMOND, {"a": 42.0, "b": 13.0, "L": 1.0}),
    ("no_zero", DIAMOND, {"a": 78.0, "b": 13.0, "L": 1.0}),
    # Pass 2: L = 1; b·b: 1 + 1 = 2; b: 13 + 1 + 2·(6 + 6) = 38; a: 39 + 3·38 = 153.
    ("twice", DIAMOND, {"a": 153.0, "b": 38.0, "L": 1.0}),
    # micrograd's well-known case: 36 after one pass, 108 after two.
    ("twice", "a = Value(2.0)\nb = a * 3\nc = b * b", {"a": 108.0, "b": 24.0, "c": 1.0}),
    ("no_upstream", PRODUCT, {"a": -3.0, "b": 2.0, "L": 1.0}),
    (WRONG_PRODUCT, PRODUCT, {"a": 5.0 * -2.0, "b": 5.0 * 2.0, "L": 1.0}),
]  # fmt: skip


@for_each(("switch", "text", "wrong"), BY_HAND)
def test_wrong_numbers_are_those_worked_out_by_hand(
    switch: str, text: str, wrong: dict[str, float]
) -> None:
    assert by_name(broken(text, switch)) == wrong


def test_in_pytorch_a_second_pass_starts_at_0_in_computed_tensors() -> None:
    text = (
        "import torch\na = torch.tensor(2.0, requires_grad=True)\nb = a * 3\nc = b * b\n"
        "c.backward()"
    )
    found = broken(text, "twice")
    assert (by_name(found)["a"], by_name(found)["b"]) == (72.0, 12.0)
    assert "retain_graph=True" in why(found, MistakeSwitch.read("twice"))


def test_gradients_of_32_bit_tensors_are_32_bit_floats() -> None:
    text = (
        "import torch\na = torch.tensor(0.1, requires_grad=True)\n"
        "L = torch.tanh(a * 0.3) * a\nL.backward()"
    )
    for switch in (*MISTAKES, WRONG_PRODUCT):
        if switch != "partial":
            found = broken(text, switch)
            singles = {float.fromhex(x.hex()) for x in found.wrong.values()}
            assert all(sabotaged.is_single(x) for x in singles)


# Against CPython

CLASSES = {
    "assign": sabotaged.Assigning,
    "depth_first": sabotaged.DepthFirst,
    "every_path": sabotaged.EveryPath,
    "no_upstream": sabotaged.WithoutUpstream,
    WRONG_PRODUCT: sabotaged.WrongProduct,
}
IN_CPYTHON: dict[str, Callable[[Build], dict[str, float]]] = {
    name: lambda build, kind=kind: sabotaged.run(kind, build) for name, kind in CLASSES.items()
} | {"twice": sabotaged.run_again, "no_zero": sabotaged.run_anew}
LEAVES = ("a", "b", "c")


class Lines:
    """A program of sums and products of whole numbers, for Seegrad and for CPython."""

    def __init__(self, numbers: list[int], steps: list[tuple[str, int, int]]) -> None:
        self.numbers, self.steps = numbers, []
        names = list(LEAVES)
        for count, (sign, one, other) in enumerate(steps):
            self.steps.append(
                (f"v{count}", names[one % len(names)], sign, names[other % len(names)])
            )
            names.append(f"v{count}")

    @property
    def text(self) -> str:
        leaves = [f"{name} = Value({x}.0)" for name, x in zip(LEAVES, self.numbers, strict=True)]
        lines = [f"{name} = {one} {sign} {other}" for name, one, sign, other in self.steps]
        return "\n".join([*leaves, *lines, f"{self.steps[-1][0]}.backward()"])

    def __call__(self, kind: type[Value]) -> tuple[dict[str, Value], Value]:
        named = {name: kind(float(x)) for name, x in zip(LEAVES, self.numbers, strict=True)}
        for name, one, sign, other in self.steps:
            a, b = named[one], named[other]
            named[name] = a + b if sign == "+" else a * b
        return named, named[self.steps[-1][0]]

    def __repr__(self) -> str:
        return self.text


programs = st.builds(
    Lines,
    st.lists(st.integers(-3, 3), min_size=3, max_size=3),
    st.lists(
        st.tuples(st.sampled_from("+*"), st.integers(0, 99), st.integers(0, 99)),
        min_size=1,
        max_size=7,
    ),
)


@given(program=programs)
def test_a_class_with_the_mistake_gives_the_same_numbers_in_cpython(program: Lines) -> None:
    for switch, run in IN_CPYTHON.items():
        expected, found = run(program), by_name(broken(program.text, switch))
        assert found == pytest.approx({name: expected[name] for name in found}, rel=1e-12), switch


def test_every_mistake_is_compared_with_cpython() -> None:
    assert {name.partition(":")[0] for name in IN_CPYTHON} == set(MISTAKES)


# Identities


@EACH
def test_the_right_rule_gives_the_gradients_of_the_trace(text: str) -> None:
    found = compared(trace(text), right)
    for node in found.trace.nodes:
        if node.grad is not None:
            assert found.wrong[node.id] == node.grad or node.grad != node.grad
    assert found.first is None


@given(program=programs)
def test_a_mistake_in_the_order_or_the_sum_shows_only_where_a_value_is_used_twice(
    program: Lines,
) -> None:
    found = {name: broken(program.text, name) for name in ("assign", "depth_first", "every_path")}
    shown = found["assign"].trace
    uses: dict[str, int] = {}
    for node in shown.nodes:
        for arg in node.args:
            uses[arg] = uses.get(arg, 0) + 1
    several = {name for name, count in uses.items() if count > 1}
    if not several:
        assert found["assign"].first is None
    if all(node.op is None for node in shown.nodes if node.id in several):
        assert found["depth_first"].first is found["every_path"].first is None


@given(program=programs)
def test_two_passes_without_zeroing_double_the_leaves_and_nothing_else(program: Lines) -> None:
    found = broken(program.text, "no_zero")
    for node in found.trace.nodes:
        if node.grad is not None:
            factor = 1 if node.args else 2
            assert found.wrong[node.id] == factor * node.grad
    found = broken(program.text, "assign")
    if found.first is not None:  # its users have their right gradients
        users = {g.source for g in found.given_right[found.first]}
        assert users.isdisjoint(found.differing)


# Sentences


@for_each("mistake", MISTAKES.values(), ids=MISTAKES)
def test_the_example_of_a_mistake_shows_it(mistake: Any) -> None:
    text = mistake.name if mistake.name != "partial" else WRONG_PRODUCT
    switch = MistakeSwitch.read(text)
    found = break_rule(trace(mistake.example), switch)
    assert found.differing
    assert switch.text() == text
    first = next(node for node in found.trace.nodes if node.id == found.first)
    assert first.name in why(found, switch)


def test_the_sentence_names_the_contributions_and_the_lost_one() -> None:
    switch = MistakeSwitch.read("assign")
    said = why(break_rule(trace("a = Value(3.0)\nb = Value(2.0)\nL = a * b + a"), switch), switch)
    assert said == (
        "a receives 2 contributions: 1 through L and 2 through a * b. "
        "Assigning keeps the last, 2, and loses 1: a.grad is 2, not 3."
    )


@pytest.mark.parametrize("name", ["assign", "depth_first", "every_path"])
def test_where_nothing_is_used_twice_the_sentence_says_so(name: str) -> None:
    switch = MistakeSwitch.read(name)
    found = break_rule(trace("a = 2.0\nb = -3.0\nL = a * b"), switch)
    assert found.first is None
    assert "is used twice" in why(found, switch)


def test_a_wrong_partial_of_an_absent_operation_is_named() -> None:
    switch = MistakeSwitch.read("partial:tanh:0:1 - y")
    assert why(break_rule(trace("a = 2.0\nL = a * 3"), switch), switch) == (
        "There is no tanh in this graph."
    )


# Refusals


@for_each(
    ("text", "part"),
    [
        ("nonsense", "There is no mistake “nonsense”"),
        ("partial", "partial:operation:slot:expression"),
        ("partial:bogus:0:1", "There is no operation “bogus”"),
        ("partial:*:2:1", "* has no partial “2”"),
        ("partial:*:0099:1", "* has no partial “0099”"),
        ("partial:*:-1:1", "* has no partial “-1”"),
        ("partial:*:0:", "Write an expression"),
        ("partial:*:0:b +", "is not an expression"),
        ("partial:*:0:x", "There is no x here; the names are a, b and y."),
        ("partial:*:0:open('f')", "There is no function open."),
        ("partial:*:0:b.real", "not part of the language"),
        ("partial:*:0:(lambda: 1)()", "not part of the language"),
        ("partial:*:0:exp(a, b)", "exp takes 1 number."),
        ("partial:*:0:a < b", "not part of the language"),
        ("partial:*:0:1 if a else b", "is not a comparison"),
        ("partial:*:0:'a'", "not part of the language"),
        ("partial:*:0:" + "1+" * 200 + "1", "at most 200"),
        ("partial:*:0:" + "(" * 100, "is not an expression"),
        ("partial:*:0:True", "not part of the language"),
    ],
)
def test_a_switch_that_cannot_be_read_is_refused_with_a_clear_message(text: str, part: str) -> None:
    with pytest.raises(SwitchError) as caught:
        MistakeSwitch.read(text)
    assert part in str(caught.value)


def test_rules_are_broken_between_the_objects_of_a_class_of_the_programs_own() -> None:
    t = math.tanh(-0.75)
    into_t, slope = 2 * t + 1, 1 - t * t
    assert by_name(broken(OWN_CLASS, "assign")) == pytest.approx(
        {"a": -1.5 * slope * t, "b": 0.5 * slope * t, "t": t, "L": 1.0}
    )
    assert by_name(broken(OWN_CLASS, "no_zero")) == pytest.approx(
        {"a": 2 - 3 * slope * into_t, "b": slope * into_t, "t": into_t, "L": 1.0}
    )


def test_a_class_with_wrong_gradients_is_refused() -> None:
    with pytest.raises(SwitchError, match="by its own code"):
        broken(OWN_CLASS.replace("1 - t**2", "1 + t**2"), "assign")


def test_the_recursion_over_too_many_paths_is_refused() -> None:
    lines = ["x = Value(1.0)", *["x = x + x * 1.0"] * 20]
    with pytest.raises(SwitchError, match="20,000 visits"):
        broken("\n".join(lines), "every_path")


# A visitor's expression


@for_each("op", OPS.values(), ids=OPS)
def test_the_tables_own_partials_can_be_read(op: Any) -> None:
    for text, derive in zip(op.partials, op.derive, strict=True):
        own = read_partial(text, op)
        for point in op.samples:
            y = op.compute(*point)
            assert own(y, *point) == derive(y, *point)


def test_an_expression_never_raises_on_numbers() -> None:
    own = read_partial("a / b + log(b) ** 0.5 % 0 + exp(a) * 1e308", OPS["*"])
    assert own(0.0, 1e9, 0.0) != own(0.0, 1e9, 0.0)  # nan


def test_a_refused_expression_is_an_error_of_its_own() -> None:
    with pytest.raises(ExpressionError, match="There is no function eval"):
        read_partial("eval(y)", OPS["tanh"])
