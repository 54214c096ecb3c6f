"""The gradient check beside the picture: which gradient is measured, and what is not checked."""

from __future__ import annotations

import pytest

from app.explore.gradient_check import check_rows
from engine.trace.build import trace
from tests.support.pages import get

TENSOR = "import torch\na = torch.tensor(2.0, requires_grad=True)\n"
SQUARE = "b = a*3\nc = b*b\n"
TWICE = "c.backward(retain_graph=True)\nc.backward()"


@pytest.mark.parametrize(
    ("program", "total"),
    [
        (f"a = Value(2.0)\n{SQUARE}c.backward()\nc.backward()", "108.0000"),
        (f"{TENSOR}{SQUARE}{TWICE}", "72.0000"),
    ],
)
def test_check_of_a_second_pass_says_which_gradient_agrees(program: str, total: str) -> None:
    (row,) = check_rows(trace(program), 1000) or ()
    assert (row.grad, row.nudge, row.ok) == ("36.0000", "36.0000", True)  # 18a
    assert row.verdict == (
        f"A single pass from zero gives 36.0000, which agrees; a.grad is {total} "
        "because gradients were not reset."
    )


def test_check_of_a_second_pass_at_a_kink() -> None:
    (row,) = (
        check_rows(trace("a = Value(0.0)\nb = relu(a) + a\nb.backward()\nb.backward()"), 99) or ()
    )
    assert "which agrees" not in row.verdict
    assert "1.0000 from the left, 2.0000 from the right" in row.verdict
    assert "a.grad is" in row.verdict


def test_check_of_too_many_operations_is_omitted_with_a_message() -> None:
    network = "net = MLP(8, [8, 8, 1])\nx = [0.1]*8\ny = net(x)\nL = (y - 1)**2\nL.backward()"
    page = get("/", network, lens="check")
    check = page.within(page.one("div", id="check"))
    assert check.one("p").text == "Not checked: this would take more than 60,000 operations."
    assert not check.all("table")


def test_check_of_a_small_program_is_made() -> None:
    page = get("/", "a = 2.0\nL = a*3", lens="check")
    assert "Not checked" not in page.one("div", id="check").text
