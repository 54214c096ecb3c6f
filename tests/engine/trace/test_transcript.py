"""The trace in words: every frame says its numbers in full, and the sums in it are right."""

from __future__ import annotations

import re

import pytest

from engine.numbers import full
from engine.trace.build import trace
from engine.trace.traced import Trace
from engine.trace.transcript import transcript
from tests.support.places import DATA

NUMBER = r"(-?(?:\d+(?:\.\d+)?(?:e[-+]?\d+)?|inf)|nan)"
TEXTS = {
    "product": "a = 2.0\nb = -3.0\ne = a*b\nL = (e + 10.0) * a",
    "not finite": "x = Value(0.0)\ny = log(x)\nz = y * 0",
    "one leaf": "a = Value(1.0)",
    "network": "n = MLP(2, [2, 1])\nL = n([1.0, 2.0])",
    "twice": "a = Value(0.1)\nfor k in range(2):\n    b = a * 0.3 + a\n    b.backward()",
    "micrograd": (DATA / "tutorials/micrograd_readme.py").read_text("utf-8"),
    "softmax": (DATA / "tutorials/softmax_nll.py").read_text("utf-8"),
}
EACH = pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)


def lines(text: str) -> tuple[Trace, list[str]]:
    """A trace and what is said of it."""
    found = trace(text)
    return found, [line.text for line in transcript(found)]


def test_a_whole_transcript() -> None:
    _, said = lines("a = 2.0\nb = -3.0\ne = a * b\nL = e + a")
    assert said == [
        "Given: a = 2.0, b = -3.0.",
        "Forward: e = a × b = 2.0 × (-3.0) = -6.0.",
        "Forward: L = e + a = -6.0 + 2.0 = -4.0.",
        "Backward starts at the output: the derivative of L with respect to itself is 1.0.",
        "Backward through e + a: e receives 1.0 × 1.0 = 1.0; a receives 1.0 × 1.0 = 1.0.",
        (
            "Backward through a × b: a receives 1.0 × -3.0 = -3.0, in total 1.0 + -3.0 = -2.0; "
            "b receives 1.0 × 2.0 = 2.0."
        ),
    ]


@EACH
def test_every_frame_has_its_sentence(text: str) -> None:
    found = trace(text)
    told = transcript(found)
    assert [line.frame for line in told] == list(range(len(found.frames)))
    assert [line.pass_ for line in told] == [frame.pass_ for frame in found.frames]
    assert all(line.text.endswith(".") for line in told)


@EACH
def test_every_product_and_every_sum_is_right_to_the_last_digit(text: str) -> None:
    _, said = lines(text)
    products = 0
    for line in said:
        for a, b, c in re.findall(f"receives {NUMBER} × {NUMBER} = {NUMBER}", line):
            assert repr(float(a) * float(b)) == repr(float(c))
            products += 1
        for a, b, c in re.findall(rf"in total {NUMBER} \+ {NUMBER} = {NUMBER}", line):
            assert repr(float(a) + float(b)) == repr(float(c))
    assert products == sum(line.count("receives") for line in said)


@EACH
def test_all_numbers_have_full_precision(text: str) -> None:
    found, said = lines(text)
    for frame, line in zip(found.frames, said, strict=True):
        if frame.given:
            told = [n.data for n in found.nodes if n.id in frame.given]
        elif frame.pass_ == "forward":
            told = [frame.data]
        else:
            told = [x for c in frame.contributions for x in (c.upstream, c.partial, c.amount)]
        assert all(full(x) in line for x in told)


@EACH
def test_first_frame_gives_all_leaves_and_constants(text: str) -> None:
    found, said = lines(text)
    given = [n for n in found.nodes if not n.op]
    assert said[0].count(" = ") == sum(bool(n.label) for n in given)
    assert said[0].count("the constant") == sum(not n.label for n in given)


def test_gradients_from_before_are_in_the_sum() -> None:
    _, said = lines(TEXTS["twice"])
    assert "in total 1.3 + 1.0 = 2.3" in said[-2] + said[-1]


def test_the_seed_is_in_the_sum_too() -> None:
    made = "a = torch.tensor(2.0, requires_grad=True)"
    _, said = lines(f"{made}\na.grad = torch.tensor(5.0)\na.backward()")
    assert said[-1].startswith(
        "Backward starts at the output: the derivative of a with respect to itself is 1.0, "
        "in total 5.0 + 1.0 = 6.0."
    )


def test_no_constant_receives_a_gradient() -> None:
    _, said = lines("a = Value(-2.0)\ny = a**(1 + 1) * 3 + 4")
    assert [line.count("receives") for line in said[-4:]] == [1, 1, 1, 0]
    assert not [line for line in said if "nan" in line]


def test_an_operation_on_constants_alone_gives_nothing() -> None:
    _, said = lines("x = Value(2.0)\ny = x * (3 + 4)")
    assert said[-1] == "Backward through 3 + 4: constants only."


def test_no_product_with_numbers_that_do_not_give_the_result() -> None:
    _, said = lines("a = Value(1.0)\nb = Value(2.0)\nc = a*b\na.data = 5\nc.backward()")
    assert said[1].startswith("Forward: c = a × b is 2.0, which does not follow")
