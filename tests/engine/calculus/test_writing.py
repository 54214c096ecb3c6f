"""Gradients as programs: their numbers here and under CPython, and what they consist of."""

from __future__ import annotations

import math
from itertools import islice
from typing import Any

import mpmath
import pytest
from hypothesis import given, settings

from engine.calculus.backward import NotDifferentiable
from engine.calculus.writing import DerivativeProgram, successive, written
from engine.op import Op
from engine.ops import OPS
from engine.program import Limits
from engine.trace.slopes import by_chain_rule
from engine.trace.traced import Trace
from tests.support.each import for_each
from tests.support.programs import DEFINITIONS
from tests.support.random_graphs import graphs
from tests.support.references import OPERATIONS
from tests.support.traces import trace

CONSTANT = "whatever the leaves of this graph are."
OWN = ("sigmoid", "relu", "leaky_relu", "softplus", "silu", "gelu")
"""Words of the language that Python does not have."""


def called(op: Op) -> str:
    """The operation as a program writes it."""
    if op.name == "neg":
        return "-a"
    if op.name == "mod":
        return "a % b"
    args = ("a", "b")[: len(op.params)]
    return f"{op.called}({', '.join(args)})" if op.is_word else f"a {op.name} b"


def program(op: Op, point: tuple[float, ...]) -> str:
    lines = [f"{name} = {x!r}" for name, x in zip("ab", point, strict=False)]
    return "\n".join(["import math", *lines, f"y = {called(op)}"])


def repeated(shown: Trace, leaf: str, order: int, limits: Limits) -> list[DerivativeProgram]:
    """The derivatives up to `order`; fewer if one is constant."""
    return list(islice(successive(shown, leaf, limits), order))


def in_python(found: DerivativeProgram) -> float:
    """The output of a program in CPython, with textbook definitions of the words it lacks."""
    names: dict[str, Any] = {name: DEFINITIONS[name] for name in OWN}
    exec(found.text, names)  # noqa: S102  the program under test
    return float(names[found.name])


def is_near(found: float, right: float) -> bool:
    return math.isclose(found, right, rel_tol=1e-9, abs_tol=1e-9)


@for_each("op", OPS.values(), ids=OPS)
def test_derivatives_of_every_operation_up_to_the_third(op: Op) -> None:
    for point in op.samples:
        shown = trace(program(op, point))
        for slot, leaf in enumerate(("v1", "v2")[: len(point)]):
            found = repeated(shown, leaf, 3, Limits())
            for order, one in enumerate(found, 1):
                orders = tuple(order if i == slot else 0 for i in range(len(point)))
                with mpmath.workdps(30):
                    right = float(mpmath.diff(OPERATIONS[op.name], point, orders))
                assert is_near(one.number, right), one
                if one.text:
                    assert is_near(trace(one.text).nodes[-1].data, right), one.text
                    assert is_near(in_python(one), right), one.text


@settings(max_examples=60, deadline=None)
@given(graphs(passes=1))
def test_random_programs_give_the_gradients_of_the_page(text: str) -> None:
    shown = trace(text)
    right = by_chain_rule(shown)
    for node in shown.nodes:
        if node.args or node.kind == "constant":
            continue
        try:
            found = written(shown, node.id)
        except NotDifferentiable:
            numbers = [*right.values(), *(one.data for one in shown.nodes)]
            assert not all(map(math.isfinite, numbers))
            continue
        assert is_near(found.number, right.get(node.id, 0.0)), (text, node.id, found, right)
        if found.text:
            there = trace(found.text)
            assert there.nodes[-1].label == found.name
            assert is_near(there.nodes[-1].data, found.number)


def test_cube_is_differentiated_until_nothing_is_left() -> None:
    first, second, third = repeated(trace("x = 2.0\ny = x**3"), "v1", 5, Limits())
    assert first.text.endswith("x = 2.0\nd_x = 3 * x ** 2\n")
    assert second.text.endswith("x = 2.0\nd2_x = 2 * x * 3\n")
    assert [one.number for one in (first, second, third)] == [12.0, 12.0, 6.0]
    assert third.text == ""
    assert (
        third.says
        == "The derivative of d2_x with respect to x is 6, whatever the leaves of this graph are."
    )


def test_partials_are_expressions_of_forward_values() -> None:
    shown = trace("x = Value(0.5)\nw = Value(2.0)\nt = (x * w).tanh()\nL = t * x\nL.backward()")
    found = written(shown, "v1")
    assert found.text.splitlines()[-3:] == [
        "t = math.tanh(x * w)", "d_t1 = (1 - t ** 2) * x", "d_x = t + w * d_t1",
    ]  # fmt: skip
    assert found.number == shown.nodes[0].grad


def test_lines_without_use_are_dropped() -> None:
    shown = trace("a = 2.0\nb = -3.0\nc = 10.0\nf = -2.0\nL = (a*b + c) * f")
    assert written(shown, "v1").text.splitlines()[2:] == ["b = -3.0", "f = -2.0", "d_a = b * f"]
    assert written(shown, "v4").text.splitlines()[-1] == "d_f = 1 * (a * b + c)"


def test_leaf_that_is_gone_has_the_derivative_0() -> None:
    found = repeated(trace("a = 2.0\nb = -3.0\nL = a * b"), "v1", 3, Limits())
    assert [one.number for one in found] == [-3.0, 0.0]
    assert found[1].says == "d_a does not depend on a any more, so its derivative is 0."


def test_names_of_the_program_stay_and_never_collide() -> None:
    text = "d_x = Value(2.0)\nx = Value(3.0)\nd = d_x * x * x\nd.backward()"
    found = written(trace(text), "v2")
    assert found.name == "d2_x"
    assert trace(found.text).nodes[-1].data == 12.0


def test_sums_of_many_terms_are_written_in_parts() -> None:
    text = "x = Value(1.5)\ny = " + " + ".join(["x * x"] * 40) + "\ny.backward()"
    found = written(trace(text), "v1")
    assert found.number == 120.0
    assert trace(found.text).nodes[-1].data == 120.0
    assert max(map(len, found.text.splitlines())) < 120


@for_each(
    ("text", "says"),
    [
        ("x = Value(0.0)\ny = sqrt(x)",
         "The derivative of y with respect to x is not a finite number here."),
        ("x = Value(0.0)\ny = log(x) * 0", "log(x) is not a finite number."),
        ("import numpy as np\nx = Value(2.0)\ny = x * int(x.data)", ""),
        ("x = Value(2.0)\ny = relu(x)",
         "The derivative of y with respect to x is 1 here; it changes only in jumps."),
        ("L = Value(2.0)", f"The derivative of L with respect to L is 1, {CONSTANT}"),
    ],
)  # fmt: skip
def test_derivatives_that_are_no_program_say_why(text: str, says: str) -> None:
    try:
        found = written(trace(text), "v1").says
    except NotDifferentiable as error:
        found = str(error)
    assert found == (says or f"The derivative of y with respect to x is 2, {CONSTANT}")


def test_program_that_is_too_large_is_not_differentiated_again() -> None:
    text = "x = Value(0.5)\ny = x\n" + "y = (y * x).tanh()\n" * 20
    limits = Limits(program_bytes=1_500)
    with pytest.raises(NotDifferentiable, match=r"The program of d_x has .* bytes"):
        repeated(trace(text), "v1", 3, limits)


@pytest.mark.usefixtures("sandboxed")
def test_a_derivative_whose_program_stops_ends_the_orders() -> None:
    """The logarithm of a Value at 0 is −inf; that of the plain number in the program is refused."""
    with pytest.raises(
        NotDifferentiable, match=r"d_c stops at these numbers: .*expected a positive input"
    ):
        repeated(trace("b = 0.0\nc = 2.0\nL = c/log(b) - c**0"), "v2", 2, Limits())
