"""The output that is drawn, results that are not, and notes to the reader."""

from __future__ import annotations

import re

import pytest

from engine.program import Program
from engine.trace.build import trace
from tests.support.each import for_each
from tests.support.programs import node, printed


@for_each(
    ("text", "label", "x"),
    [
        ("a = 2\nb = a * 3\nc = a + 1", "c", 3.0),
        ("a = Value(2.0)\nb = a * 3\nb.backward()\nc = a + 1", "b", 6.0),
        ("a = Value(2.0)\nb = a * 3\nc = a + 1\nb.backward()\nc.backward()", "c", 3.0),
        ("a = Value(2.0)\nb = a * 3\nn = 2 + 3", "b", 6.0),
        ("a = 2\nb = 3", "b", 3.0),
        ("a = Value(2.0)", "a", 2.0),
        ("a = Value(2.0)\nc = a * 3\na + 1\nL = c", "c", 6.0),
        ("a = Value(2.0)\nc = a * 3\na + 1\nc", "c", 6.0),
        ("a = 2.0\nc = a * 3\na + 1\nL = c", "c", 6.0),
        ("a = Value(2.0)\nc = a * 3\nn = 2 * 3\nm = n", "c", 6.0),
        ("a = Value(2.0)\nc = a * 3\nm = a", "c", 6.0),
    ],
)
def test_the_output_is_what_backward_is_called_on_else_the_last_computed(
    text: str, label: str, x: float
) -> None:
    run = Program(text).run()
    assert run.output is not None
    assert (run.output.label, run.output.data) == (label, x)


def test_training_shows_the_numbers_of_the_last_backward_pass() -> None:
    text = (
        "w = Value(1.0)\nfor k in range(3):\n    loss = (w - 3) ** 2\n    w.grad = 0\n"
        "    loss.backward()\n    w.data -= 0.25 * w.grad"
    )
    found = trace(text)  # w: 1, 2, 2.5, 2.75; the last pass saw 2.5
    assert node(found, "w").data == 2.5
    assert node(found, "w").grad == -1.0
    assert node(found, "loss").data == 0.25


def test_two_backward_calls_add_up_on_leaves() -> None:
    text = "a = Value(3.0)\nb = a * 2\nb.backward()\nb.backward()\nprint(a.grad, b.grad)"
    found = trace(text)
    assert found.printed == ("4.0 1.0",)
    assert node(found, "a").grad == 4.0


def test_notes() -> None:
    text = (
        "import torch\na = torch.tensor(0.1)\nunused = torch.tensor(1.0)\nb = a * 2\n"
        "draw_dot(b)\nimport matplotlib.pyplot as plt\nplt.plot([1])"
    )
    notes = {note.message: note.span for note in trace(text).notes}
    assert notes == {
        "torch.tensor holds 32-bit numbers: 0.1 becomes 0.10000000149011612.": (2, 5, 2, 22),
        "b does not depend on unused: its gradient is 0.": (3, 10, 3, 27),
    }


SHORT_NAMES = """
class Node:
    def __init__(self, d, parts=()):
        self.d = d
        self.g = 0.0
        self.parts = parts
        self.back = lambda: None
    def __mul__(self, other):
        out = Node(self.d * other.d, (self, other))
        def back():
            self.g += other.d * out.g
            other.g += self.d * out.g
        out.back = back
        return out
a, b = Node(2.0), Node(3.0)
unused, other = Node(5.0), Node(7.0)
y = a * b
y.g = 1.0
y.back()
"""


@pytest.mark.parametrize(("number", "gradient"), [("d", "g"), ("data", "grad")])
def test_leaves_without_influence_are_told_whatever_their_class_calls_its_number(
    number: str, gradient: str
) -> None:
    text = re.sub(r"\b(self|other|out|y)\.g\b", rf"\1.{gradient}", SHORT_NAMES)
    text = re.sub(r"\b(self|other|out)\.d\b", rf"\1.{number}", text)
    (note,) = trace(text).notes
    assert note.message == "y does not depend on unused and other: their gradients are 0."


def test_a_class_with_its_own_way_to_write_values() -> None:
    text = (
        "class V(Value):\n"
        '    def __repr__(self):\n        return f"V<{self.data:.2f}|{self.grad}>"\n'
        "a = V(2.0)\nb = a * 3\nb.backward()\nprint(a, [a], f'{a}', b)\na"
    )
    shown = "V<2.00|3.0>"
    assert printed(text) == [f"{shown} [{shown}] {shown} Value(data=6.0)", shown]


def test_the_last_expression_is_printed_as_a_notebook_does() -> None:
    assert printed("a = Value(2.0)\na") == ["Value(data=2.0)"]
    assert printed("a = 'x'\n1 + 1\na") == ["'x'"]
    assert printed("a = Value(2.0)\na\nb = a") == []
    assert printed("[1.0, 'x', (2,)]") == ["[1.0, 'x', (2,)]"]


def unseen(text: str) -> list[str]:
    return [note.message for note in trace(text).notes if "end the program" in note.message]


def test_a_result_that_is_not_drawn_is_told() -> None:
    text = "a = Value(2.0)\nb = Value(3.0)\nc = a * b\nd = a + b"
    (note,) = trace(text).notes
    assert note.message == "d does not depend on c; to see c, end the program with c.backward()."
    assert note.span == (3, 5, 3, 10)


def test_a_plain_number_that_is_not_drawn_is_seen_as_the_last_line() -> None:
    (message,) = unseen("a = 2.0\nc = a * 3\nd = a + 3")
    assert message == "d does not depend on c; to see c, end the program with c."
    assert node(trace("a = 2.0\nc = a * 3\nd = a + 3\nc"), "c").kind == "output"


@for_each(
    "text",
    [
        "a = Value(2.0)\nc = a * 3\nd = a + 3\nd.backward()",
        "a = Value(2.0)\nc = a * 3\nd = c + 3",
        "a = Value(2.0)\nn = 2 * 3\nd = a + 3",
        "def f(x):\n    c = x * 2\n    return x + 1\na = Value(2.0)\nd = f(a)",
    ],
)
def test_where_all_results_are_drawn_there_is_no_such_note(text: str) -> None:
    assert unseen(text) == []


def test_three_results_that_are_not_drawn_are_told() -> None:
    lines = [f"c{i} = a * {i}" for i in range(5)]
    assert len(unseen("\n".join(["a = Value(2.0)", *lines, "d = a + 1"]))) == 3
