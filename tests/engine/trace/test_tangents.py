"""Tangents are the derivatives by one input, and the work of both modes is what they do."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest

from engine.trace.build import trace
from engine.trace.nudge import movable
from engine.trace.slopes import by_chain_rule
from engine.trace.tangents import UnknownInput, Work, forward, inputs, modes, reverse, rounding
from engine.trace.traced import Trace
from tests.oracles.records import Oracle
from tests.support.programs import node
from tests.support.random_graphs import fixed
from tests.support.traces import EACH
from tests.support.traces import trace as known

NEURON = "a = 2.0\nb = -3.0\nc = 6.5\no = tanh(a*b + c)"
LOCAL = 1 - math.tanh(0.5) ** 2


def tangent(of: Trace, label: str, by: str) -> float:
    return forward(of, node(of, by).id).tangents[node(of, label).id]


@pytest.mark.parametrize(("by", "due"), [("a", -3 * LOCAL), ("b", 2 * LOCAL), ("c", LOCAL)])
def test_tangent_of_the_output_is_the_gradient_of_the_leaf(by: str, due: float) -> None:
    assert tangent(trace(NEURON), "o", by) == pytest.approx(due, rel=1e-14)


def test_each_row_is_the_sum_of_its_terms() -> None:
    """d(ab)/da = b, and b does not move."""
    found = trace(NEURON)
    product, total, output = forward(found, "v1").rows
    assert [tuple(term) for term in product.terms] == [
        ("v1", -3.0, 1.0, -3.0),
        ("v2", 2.0, 0.0, 0.0),
    ]
    assert [term.amount for term in total.terms] == [-3.0, 0.0]
    assert output.tangent == output.terms[0].amount == output.terms[0].partial * -3.0


def test_tangents_are_those_of_torch(oracle: Oracle) -> None:
    for text in fixed(100):
        found = trace(text)
        for leaf in inputs(found):
            ours = forward(found, leaf.id).tangents
            right = oracle("torch_graphs.tangents", text, int(leaf.label.removeprefix("v")))
            for shown in found.nodes:
                theirs = right.get(shown.label, math.nan)
                if math.isfinite(theirs):
                    assert ours[shown.id] == pytest.approx(theirs, rel=1e-9, abs=1e-9), text


@EACH
def test_both_modes_give_the_same_derivatives(text: str) -> None:
    found = known(text)
    due = by_chain_rule(found)
    back = reverse(found).gradients if inputs(found) else {}
    for leaf in movable(found)[:12]:
        output = forward(found, leaf.id).tangents[found.drawn]
        if math.isfinite(due[leaf.id]):
            assert abs(output - back[leaf.id]) <= rounding(found, leaf.id)
            assert back[leaf.id] == due[leaf.id]


def test_value_that_does_not_depend_on_the_input_has_tangent_0_beside_an_infinite_partial() -> None:
    """∂√z/∂z is infinite at 0, and z does not move."""
    found = trace("x = 2.0\nz = 0.0\ny = x * 3 + sqrt(z)")
    assert tangent(found, "y", "x") == 3.0


# The work, counted a second time by numbers that count what is done with them


class Number:
    """A number that counts its multiplications and additions in `work`."""

    def __init__(self, x: float, work: Work) -> None:
        self.x, self.work = x, work

    def __mul__(self, other: float) -> Number:
        self.work.multiplications += 1
        return Number(self.x * other, self.work)

    def __add__(self, other: Number) -> Number:
        self.work.additions += 1
        return Number(self.x + other.x, self.work)


class Dual:
    """A dual number as a textbook writes it."""

    def __init__(self, x: float, dx: Number) -> None:
        self.x, self.dx = x, dx

    def __add__(self, other: Dual) -> Dual:
        return Dual(self.x + other.x, self.dx + other.dx)

    def __mul__(self, other: Dual) -> Dual:
        return Dual(self.x * other.x, self.dx * other.x + other.dx * self.x)


def dual_tanh(of: Dual) -> Dual:
    y = math.tanh(of.x)
    return Dual(y, of.dx * (1 - y * y))


class Node:
    """A Value with a `_backward`, which keeps the first share and adds the others."""

    def __init__(self, x: float, args: tuple[tuple[Node, float | None], ...] = ()) -> None:
        self.x, self.args = x, args
        self.grad: Number | None = None

    def __add__(self, other: Node) -> Node:
        return Node(self.x + other.x, ((self, None), (other, None)))

    def __mul__(self, other: Node) -> Node:
        return Node(self.x * other.x, ((self, other.x), (other, self.x)))

    def send(self) -> None:
        assert self.grad is not None
        for arg, partial in self.args:
            share = self.grad if partial is None else self.grad * partial
            arg.grad = share if arg.grad is None else arg.grad + share


def node_tanh(of: Node) -> Node:
    y = math.tanh(of.x)
    return Node(y, ((of, 1 - y * y),))


LEAVES = (2.0, -3.0, 6.5)
PROGRAMS: list[tuple[str, Callable[[Any, Any, Any, Callable[[Any], Any]], Any]]] = [
    ("tanh(a*b + c)", lambda a, b, c, tanh: tanh(a * b + c)),
    ("a*b + a*c + a", lambda a, b, c, _: a * b + a * c + a),
    ("tanh(a*a*b) * tanh(b + c)", lambda a, b, c, tanh: tanh(a * a * b) * tanh(b + c)),
]


@pytest.mark.parametrize(("text", "program"), PROGRAMS)
def test_work_is_that_of_numbers_that_count(text: str, program: Any) -> None:
    found = trace("a = 2.0\nb = -3.0\nc = 6.5\ny = " + text)
    counted = modes(found)
    assert (counted.inputs, counted.outputs) == (3, 1)
    by_forward = Work()
    for chosen in range(3):
        duals = [Dual(x, Number(float(i == chosen), by_forward)) for i, x in enumerate(LEAVES)]
        y = program(*duals, dual_tanh)
        assert y.dx.x == pytest.approx(tangent(found, "y", "abc"[chosen]), rel=1e-12)
    assert counted.by_forward == by_forward
    by_reverse, leaves = Work(), [Node(x) for x in LEAVES]
    output = program(*leaves, node_tanh)
    output.grad = Number(1.0, by_reverse)
    for each in _order(output)[::-1]:
        each.send()
    assert counted.by_reverse == by_reverse
    for name, leaf in zip("abc", leaves, strict=True):
        assert leaf.grad is not None
        due = reverse(found).gradients[node(found, name).id]
        assert leaf.grad.x == pytest.approx(due, rel=1e-12)


def _order(of: Node) -> list[Node]:
    found: list[Node] = []

    def visit(one: Node) -> None:
        if one not in found:
            for arg, _ in one.args:
                visit(arg)
            found.append(one)

    visit(of)
    return found


def test_mode_with_fewer_sweeps_wins() -> None:
    found = trace(NEURON)
    first, *others = (forward(found, leaf.id).work for leaf in inputs(found))
    assert others == [first, first]
    assert modes(found).cheaper == "reverse"
    assert modes(found, 1, 100).cheaper == "forward"
    assert modes(trace("x = 2.0\ny = tanh(x)")).cheaper == ""


def test_only_leaves_can_be_swept_from() -> None:
    found = trace(NEURON)
    for other in ("v4", "v99"):
        with pytest.raises(UnknownInput):
            forward(found, other)
    with pytest.raises(UnknownInput):
        modes(trace("print(1)"))
