"""Random expressions over right classes are never accused."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.verdict.fixes import verdict_on

pytestmark = pytest.mark.usefixtures("natively")

CLOSURES = """
import math
class V:
    def __init__(self, data, kids=()):
        self.data, self.grad, self.kids, self.back = data, 0.0, kids, lambda: None
    def __add__(self, other):
        out = V(self.data + other.data, (self, other))
        def back():
            self.grad += out.grad
            other.grad += out.grad
        out.back = back
        return out
    def __mul__(self, other):
        out = V(self.data * other.data, (self, other))
        def back():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad
        out.back = back
        return out
    def tanh(self):
        out = V(math.tanh(self.data), (self,))
        def back():
            self.grad += (1 - out.data ** 2) * out.grad
        out.back = back
        return out
    def backward(self):
        order, seen = [], set()
        def walk(v):
            if v not in seen:
                seen.add(v)
                for kid in v.kids:
                    walk(kid)
                order.append(v)
        walk(self)
        self.grad = 1.0
        for v in reversed(order):
            v.back()
"""
RECURSIVE = """
import math
class V:
    def __init__(self, data, *edges):
        self.data, self.grad, self.edges = data, 0.0, edges
    def __add__(self, other):
        return V(self.data + other.data, (self, 1.0), (other, 1.0))
    def __mul__(self, other):
        return V(self.data * other.data, (self, other.data), (other, self.data))
    def tanh(self):
        t = math.tanh(self.data)
        return V(t, (self, 1 - t * t))
    def backward(self, upstream=1.0):
        self.grad += upstream
        for kid, partial in self.edges:
            kid.backward(upstream * partial)
"""
STEPS = st.lists(
    st.tuples(st.sampled_from("+*t"), st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=7
)
NUMBERS = st.sampled_from([-1.5, -1.0, -0.25, 0.5, 1.0, 2.0])


def program(numbers: list[float], steps: list[tuple[str, int, int]]) -> str:
    """Leaves with these numbers, and one result after another from what there is."""
    lines = [f"x{i} = V({number})" for i, number in enumerate(numbers)]
    for sign, left, right in steps:
        count = len(lines)
        a, b = f"x{left % count}", f"x{right % count}"
        lines.append(f"x{count} = " + (f"{a}.tanh()" if sign == "t" else f"{a} {sign} {b}"))
    return "\n".join([*lines, f"x{len(lines) - 1}.backward()"])


@pytest.mark.parametrize("style", [CLOSURES, RECURSIVE])
@settings(max_examples=40, deadline=None)
@given(numbers=st.lists(NUMBERS, min_size=2, max_size=3), steps=STEPS)
def test_a_right_class_is_never_accused(
    style: str, numbers: list[float], steps: list[tuple[str, int, int]]
) -> None:
    verdict, found = verdict_on(style + program(numbers, steps))
    assert found == ()
    assert verdict is not None
    assert verdict.right == verdict.checked > 0
