"""The sentence on a leaf gives the derivative of the output, whatever gradients are held."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support import node
from tests.support.pages import get
from tests.support.places import ROOT

SCRIPT = Path(__file__).with_name("sentence.mjs")
EXPLORE = ROOT / "static/js/explore"

TENSOR = "import torch\na = torch.tensor(2.0, requires_grad=True)\n"
NET = "net = MLP(8, [8, 8, 1])\nx = [0.1]*8\ny = net(x)\nL = (y - 1)**2\n"


def sentence(program: str) -> str:
    """What the page says of the program's first leaf, at the last frame."""
    return said_from(program)[0]


def said_from(program: str) -> tuple[str, int]:
    """The sentence, and the first frame that has it."""
    text = json.dumps(get("/", program).trace)
    said, first = json.loads(
        node.run(SCRIPT, EXPLORE / "trace.js", EXPLORE / "leaves.js", text=text)
    )
    return said, first


@pytest.mark.parametrize(
    ("program", "said"),
    [
        (f"{TENSOR}a.backward()\na.backward()", "If a grows by 0.01, a grows by about 0.01."),
        # c = 9a², dc/da = 18a = 36
        (
            "a = Value(2.0)\nb = a*3\nc = b*b\nc.backward()\nc.backward()",
            "If a grows by 0.01, c grows by about 0.36.",
        ),
        # db/da is 5 in the last pass; 2 more in a.grad
        (
            "a = Value(3.0)\nb = a * 2\nb.backward()\nb = a * 5\nb.backward()",
            "If a grows by 0.01, b grows by about 0.05.",
        ),
        # in 32 bits: dy/dx = 0.3 + 2x = 0.5
        (
            f"{TENSOR.replace('2.0', '0.1')}b = a*0.3 + a*a\nb.backward()",
            "If a grows by 0.001, b grows by about 0.0005.",
        ),
        ("x = 0.0\ny = relu(x)", ""),
        ("x = 0.0\ny = relu(x)*2 + 3*x", ""),
        ("x = 0.0\ny = sqrt(x)", ""),
        ("a = Value(1.0)\nb = Value(2.0)\nc = a*b\na.data = 5\nc.backward()", ""),
    ],
)
def test_sentence_gives_the_derivative_or_nothing(program: str, said: str) -> None:
    assert sentence(program) == said


def test_it_waits_for_the_backward_pass() -> None:
    """Frames: the given numbers, c, b, L; then L, b, c backward. Of `a`, half comes through b."""
    said, first = said_from("a = 2.0\nc = a * 3\nb = c + a\nL = b * b")
    assert said == "If a grows by 0.01, L grows by about 0.64."  # 2b * 4, b = 8
    assert first == 7


def test_a_second_pass_leaves_the_sentence_as_it_is_where_the_check_is_omitted() -> None:
    once, twice = (NET + "L.backward()\n" * passes for passes in (1, 2))
    assert not get("/", twice).all("tr", class_="why")
    assert sentence(once).startswith("If ")
    assert sentence(twice) == sentence(once)
