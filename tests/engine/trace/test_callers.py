"""Of what a class computed, the expression in the learner's own lines that asked for it."""

from __future__ import annotations

from engine.trace.build import trace
from engine.trace.traced import Trace
from tests.support.own_class import CLASS

USE = """
def square(v):
    return v * v
a = Value(2.0)
b = Value(-3.0)
c = a*b + a
d = square(c) - 1
e = d.tanh()
e.backward()
"""


def text_at(found: Trace, span: tuple[int, int, int, int]) -> str:
    line, column, end_line, end_column = span
    assert line == end_line
    return found.program.split("\n")[line - 1][column - 1 : end_column - 1]


def test_the_expression_outside_of_the_class_is_the_caller() -> None:
    found = trace(CLASS + USE)
    callers = [(node.op, node.caller and text_at(found, node.caller)) for node in found.nodes]
    assert [it for it in callers if it[0]][:5] == [
        ("*", "a*b"),
        ("+", "a*b + a"),
        ("*", "v * v"),
        ("+", "square(c) - 1"),
        ("*", "d.tanh()"),
    ]
    assert callers[-1][1] == "d.tanh()"
    assert all(text is None for op, text in callers if not op)


def test_the_line_of_the_class_stays_the_span() -> None:
    found = trace(CLASS + USE)
    lines = found.program.split("\n")
    (product, *_) = [node for node in found.nodes if node.op == "*"]
    assert (
        lines[product.span[0] - 1].strip()
        == 'out = Value(self.data * other.data, (self, other), "*")'
    )


def test_without_a_class_there_is_no_caller() -> None:
    found = trace("def f(v):\n    return v * v\na = Value(2.0)\nL = f(a) + 1")
    assert [node.caller for node in found.nodes] == [None] * len(found.nodes)
