"""The verdict on passes of built-in Values: in the words of the catalogue, and on these alone."""

from __future__ import annotations

import pytest

from engine.trace.build import trace
from engine.verdict.kinds import KINDS
from engine.verdict.model import Mistake
from tests.support.each import for_each

LOOP = "for i in range(3):\n    L = (w*3 - 6)**2\n    L.backward()\n    w.data -= 0.01 * w.grad\n"
TENSOR = "import torch\nw = torch.tensor(1.0, requires_grad=True)\n"


def mistakes(text: str) -> tuple[Mistake, ...]:
    verdict = trace(text).verdict
    return verdict.mistakes if verdict else ()


def test_a_loop_that_sets_no_gradient_to_zero_adds_to_those_that_were_used() -> None:
    """w: 1, 1.18, 1.5076; the derivative is 18*w - 36: -18, -14.76, -8.8632."""
    (found,) = mistakes(f"w = Value(1.0)\n{LOOP}")
    assert (found.kind, found.span[0], found.subject) == ("not_zeroed", 4, "w")
    assert found.ends == pytest.approx(-18 - 14.76 - 8.8632)
    assert found.true == pytest.approx(-8.8632)
    assert found.message == (
        "Line 4 adds to the gradients of the pass before: "
        "w.grad ends at -41.6232, it should be -8.8632."
    )
    assert found.cure == KINDS["not_zeroed"].cure


def test_two_losses_on_top_of_a_spent_gradient_keep_each_other() -> None:
    """Only what the first update used is too much: of the second turn both losses are due."""
    text = (
        "w = Value(1.0)\nfor i in range(2):\n    a = w*2\n    a.backward()\n"
        "    b = w*5\n    b.backward()\n    w.data -= 0.1 * w.grad\n"
    )
    (found,) = mistakes(text)
    assert (found.kind, found.ends, found.true) == ("not_zeroed", 14.0, 7.0)


def test_a_second_pass_over_the_same_graph_passes_on_what_the_first_left() -> None:
    """As micrograd does: c = 2a*3, and 2a holds 3 from the first pass, so that a gets 6 + 12."""
    (found,) = mistakes("a = Value(1.0)\nb = a*2\nc = b*3\nc.backward()\nc.backward()")
    assert (found.kind, found.span[0], found.subject) == ("second_pass", 5, "a")
    assert (found.ends, found.true) == (18.0, 12.0)
    assert found.why.startswith("b still held its gradient of the first pass")


ZEROED = f"w = Value(1.0)\n{LOOP}    w.grad = 0"
TWO_LOSSES = """\
w = Value(1.0)
for i in range(3):
    w.grad = 0.0
    a = (w*2 - 1)**2
    a.backward()
    b = w*w*0.1
    b.backward()
    w.data -= 0.1 * w.grad
"""
ONCE = "w = Value(1.0)\na = w*2\na.backward()\nb = w*5\nb.backward()\nprint(w.grad)"
INPUT_KEPT = """\
w = Value(1.0)
x = Value(2.0)
for i in range(3):
    w.grad = 0
    L = (w*x - 6)**2
    L.backward()
    w.data -= 0.01 * w.grad
"""
DECAYED = """\
w = Value(1.0)
for i in range(3):
    w.grad = 0.5 * w.grad
    L = (w*3 - 6)**2
    L.backward()
    w.data -= 0.01 * w.grad
"""
NOTHING_BETWEEN = "a = Value(1.0)\nc = a*2\nc.backward()\nc.backward()"
RETAINED = f"{TENSOR}b = w*2\nc = b*3\nc.backward(retain_graph=True)\nc.backward()"
TENSORS = f"{TENSOR}for i in range(2):\n    a = (w*2 - 1)**2\n    a.backward()\n"


@for_each(
    "text",
    [ZEROED, TWO_LOSSES, ONCE, INPUT_KEPT, DECAYED, NOTHING_BETWEEN, RETAINED, TENSORS],
    ids=lambda text: text,
)
def test_gradients_that_are_meant_to_add_up_are_not_accused(text: str) -> None:
    assert mistakes(text) == ()
