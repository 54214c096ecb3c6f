"""Built-in functions that read texts and go through items: as CPython's."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from engine.trace.build import trace
from tests.support.each import for_each
from tests.support.programs import finished, printed, refusal


@for_each("text", ["inf", "+inf", "-inf", "nan", "1.5", " 2_0 ", "-0.0", "1e400"])
def test_floats_are_read_from_text(text: str) -> None:
    read = finished(f"best = float('{text}')").globals["best"]
    assert repr(float(read)) == repr(float(text))


@for_each("text", ["", "x", "1,5", "0x1", "1__0"])
def test_what_is_no_float_raises_as_in_python(text: str) -> None:
    with pytest.raises(ValueError, match="could not convert") as right:
        float(text)
    assert refusal(f"a = float('{text}')").message == f"ValueError: {right.value}"


def test_a_strict_zip_takes_lists_of_one_length() -> None:
    assert printed("print(list(zip([1], [2], strict=True)))") == ["[(1, 2)]"]
    assert printed("print(list(zip([1], [2, 3], strict=False)))") == ["[(1, 2)]"]
    with pytest.raises(ValueError, match="longer") as right:
        list(zip([1], [2, 3], strict=True))
    assert refusal("list(zip([1], [2, 3], strict=True))").message == f"ValueError: {right.value}"


CHOICES = (
    "max(a, b)", "max([a, b])", "min(b, a, 3)", "max(a, math.nan)", "type(max(a, b))",
    "max(a, b) is a", "max(a, b) is b", "min(max(a, b), b) is b", "max(a, b) is not a",
    "max(a, b, key=abs)", "max([], default=a)", "max(0, a)", "max(True, a)", "min('x', 'ab')",
    "max([a, 1], [b, 0])", "sorted({max(a, b), a})",
)  # fmt: skip
PAIRS = [(1, 2.0), (2.0, 1), (2, 2.0), (-0.0, 0.0), (0.0, -0.0), (True, 1.0), (-4, 7)]


@for_each("text", CHOICES)
def test_the_choice_of_a_number_is_that_of_python(text: str) -> None:
    for a, b in PAIRS:
        right = eval(text, {"a": a, "b": b, "math": math})  # noqa: S307  # the list above
        assert printed(f"a, b = {a}, {b}\nprint({text})") == [str(right)], (a, b)


LEAVES = "abcd"
CHOICE = st.sampled_from(["max", "min"])
GRAPHS = st.recursive(
    st.sampled_from([*LEAVES, "2"]),
    lambda inner: (
        st.builds("({} {} {})".format, inner, st.sampled_from("+-*"), inner)
        | st.builds("{}({})".format, CHOICE, st.lists(inner, min_size=2, max_size=3).map(", ".join))
        | st.builds(
            "{}([{}])".format, CHOICE, st.lists(inner, min_size=1, max_size=3).map(", ".join)
        )
    ),
    max_leaves=8,
)


@given(GRAPHS, st.lists(st.integers(-9, 9) | st.sampled_from([0.5, -2.25]), min_size=4, max_size=4))
def test_gradients_of_max_and_min_are_the_slopes(text: str, numbers: list[float]) -> None:
    at = {name: Fraction(x) for name, x in zip(LEAVES, numbers, strict=True)}
    start = "\n".join(f"{name} = {x}" for name, x in zip(LEAVES, numbers, strict=True))
    found = trace(f"{start}\ny = 0 + {text}")
    data = {node.id: node.data for node in found.nodes}
    choices = [node for node in found.nodes if node.op in ("max", "min")]
    assume(all(data[node.args[0]] != data[node.args[1]] for node in choices))  # at ties is a kink
    grads = {node.label: node.grad for node in found.nodes if node.kind == "leaf"}
    h = Fraction(1, 10**9)
    for name in LEAVES:
        low, high = (value(text, {**at, name: at[name] + move}) for move in (-h, h))
        slope = float((high - low) / (2 * h))
        assert math.isclose(grads.get(name) or 0, slope, rel_tol=1e-6, abs_tol=1e-5), (text, at)


def value(text: str, at: dict[str, Fraction]) -> Fraction:
    return Fraction(eval(text, {}, at))  # noqa: S307  # an expression of those above


def test_the_constants_of_a_chain_of_choices_have_no_name() -> None:
    found = trace("a, b = 3, 4\ny = max(b, a, 5)")
    shown = [(node.label, node.data) for node in found.nodes if node.op is None]
    assert shown == [("a", 3), ("b", 4), ("", 5)]


def test_the_smaller_number_is_drawn_with_gradient_0() -> None:
    found = trace("x, y, z, w = 3, -4, 2, -1\nf = 2*(x*y + max(z, w))")
    shown = {node.label: node.grad for node in found.nodes if node.label}
    assert shown == {"x": -8, "y": 6, "z": 2, "w": 0, "f": 1}
    (chosen,) = (node for node in found.nodes if node.op == "max")
    assert (chosen.args, chosen.data) == (("v3", "v4"), 2)


@for_each(("x", "slope"), [(3, 1), (-3, 0), (0, 0.5), (1.5, 1), (-0.5, 0)])
def test_relu_written_with_max_has_its_slope(x: float, slope: float) -> None:
    text = f"def relu(t):\n    return max(0, t)\nx = {x}\ny = 4 * relu(x)"
    assert [node.grad for node in trace(text).nodes if node.label == "x"] == [4 * slope]


def test_a_choice_that_the_output_does_not_depend_on_is_not_drawn() -> None:
    found = trace("a = 2\nb = 3\nlongest = max(a, b)\ny = a * b")
    assert [node.op for node in found.nodes] == [None, None, "*"]
