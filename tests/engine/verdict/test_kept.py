"""Verdicts while a leaf is dragged: what is kept of other points is never that of other numbers."""

from __future__ import annotations

import pytest

from engine.program import Program
from engine.trace.build import trace
from engine.verdict import judge
from engine.verdict.evidence import Evidence
from engine.verdict.points import Elsewhere
from engine.verdict.points import elsewhere as points_elsewhere

pytestmark = pytest.mark.usefixtures("natively")

CLASS = """
class V:
    def __init__(self, data, kids=()):
        self.data, self.kids, self.grad = data, kids, 0.0
        self._backward = lambda: None
    def __mul__(self, other):
        out = V(self.data * other.data, (self, other))
        def _backward():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad
        out._backward = _backward
        return out
    def relu(self):
        out = V(self.data if self.data > {kink} else 0.0, (self,))
        def _backward():
            self.grad += {slope} * out.grad
        out._backward = _backward
        return out
    def backward(self):
        self.grad = 1.0
        order, seen = [], set()
        def visit(v):
            if id(v) not in seen:
                seen.add(id(v))
                for kid in v.kids:
                    visit(kid)
                order.append(v)
        visit(self)
        for v in reversed(order):
            v._backward()
{before}
a = V(2.0); b = V(3.0)
c = (a * b).relu()
c.backward()
d = c * a
d.backward()
"""
JUDGED = {
    "right": CLASS.format(kink=0, slope="(out.data > 0)", before=""),
    "wrong at the drawn numbers": CLASS.format(kink=0, slope="2.0", before=""),
    "wrong elsewhere": CLASS.format(kink=0, slope="1.0", before=""),
    "with a leaf of its own": CLASS.format(kink="t", slope="(out.data > 0)", before="t = 0.5"),
}
DRAGS: list[dict[str, float]] = [{}, {"a": 1.5}, {"a": -1.5}, {"a": 1.5, "b": -2.0}, {}]


@pytest.mark.parametrize("name", JUDGED)
@pytest.mark.parametrize("scene", [None, 1])
def test_dragged_leaf_is_judged_as_if_for_the_first_time(name: str, scene: int | None) -> None:
    text = JUDGED[name]
    program = Program(text)
    drags = [*DRAGS, {"t": 7.0}, {"t": -7.0}] if "t" in program.defaults() else DRAGS
    for leaves in drags:
        found = trace(program, leaves, scene=scene)
        assert found.to_json() == trace(Program(text), leaves, scene=scene).to_json()
        assert found.verdict is not None
        assert leaves or found.verdict.points > 1


def test_mistake_elsewhere_is_told_on_both_sides_of_the_kink() -> None:
    program = Program(JUDGED["wrong elsewhere"])
    assert trace(program).mistakes
    assert trace(program, {"a": -2.0}).mistakes


def test_other_points_are_run_once_for_all_drags(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Program] = []

    def elsewhere(program: Program, points: Elsewhere) -> list[Evidence]:
        asked.append(program)
        return points_elsewhere(program, points)

    monkeypatch.setattr(judge, "elsewhere", elsewhere)
    program = Program(JUDGED["right"])
    for drag in (1.5, 1.6, 1.7):
        trace(program, {"a": drag})
    assert asked == [program]
    fixed = Program(JUDGED["with a leaf of its own"])
    for drag in (7.0, 8.0, 7.0):  # it moves the kink, and is no leaf of the graph
        trace(fixed, {"t": drag})
    assert asked == [program, fixed, fixed]
