"""The arithmetic of a write: its factors give the contribution that it brings."""

from __future__ import annotations

import re

import pytest

from engine.trace.build import trace
from tests.support.own_class import CLASS

pytestmark = pytest.mark.usefixtures("natively")

NUMBER = re.compile(r"[−(]*\d[\d.e−+]*\)?$")


def said(program: str) -> list[tuple[str, float]]:
    """What is said of each write, and the contribution that it brings."""
    frames = trace(program).frames
    return [(f.written.arithmetic, f.written.amount or 0.0) for f in frames if f.written]


def number(text: str) -> float:
    return float(text.strip("()").replace("−", "-"))


def test_factors_have_the_words_of_the_line() -> None:
    found = dict(said(f"{CLASS}\na = Value(2.0)\nb = Value(-3.0)\nL = a * b\nL.backward()"))
    assert found == {
        "": 0.0,
        "other.data −3.0000 × out.grad 1.0000 = −3.0000": -3.0,
        "self.data 2.0000 × out.grad 1.0000 = 2.0000": 2.0,
    }


def test_factors_multiply_to_the_contribution() -> None:
    use = "a = Value(0.37)\nb = Value(-1.91)\nc = (a * b + a).tanh()\nL = c * c * b\nL.backward()"
    found = [(text, amount) for text, amount in said(f"{CLASS}\n{use}") if text]
    assert any("(1 - t ** 2)" in text for text, _ in found)
    for text, amount in found:
        left, right = text.split(" = ")
        product = 1.0
        for factor in left.split(" × "):
            product *= number(factor.rsplit(" ", 1)[-1])
        assert number(right) == pytest.approx(amount, rel=1e-3)
        assert product == pytest.approx(number(right), rel=1e-4, abs=5e-5)


def test_a_literal_is_its_own_number() -> None:
    own = CLASS.replace("self.grad += out.grad", "self.grad += 1.0 * out.grad", 1)
    found = [text for text, _ in said(f"{own}\na = Value(2.0)\nL = a + 0.5\nL.backward()")]
    assert "1.0 × out.grad 1.0000 = 1.0000" in found


@pytest.mark.parametrize("line", ["self.grad += out.grad", "self.grad += helper(out)"])
def test_what_is_no_product_has_none(line: str) -> None:
    own = CLASS.replace("self.grad += out.grad", line, 1)
    program = (
        f"def helper(o):\n    return o.grad * 1.0\n{own}\na = Value(2.0)\nL = a + 1\nL.backward()"
    )
    assert [text for text, _ in said(program) if "helper" in text or text == "out.grad"] == []
