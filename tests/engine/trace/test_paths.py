"""Paths to the output: their exact number and their products, whose sum is the gradient."""

from __future__ import annotations

import math

import pytest
from hypothesis import HealthCheck, given, settings

from app.picture.steps import folded
from engine.trace.paths import FEW, LONGEST, PathCounts, PathSum, path_sum
from engine.trace.traced import Trace
from tests.support.own_class import CLASS, OVERWRITES, method
from tests.support.programs import node
from tests.support.random_graphs import graphs
from tests.support.traces import EACH, trace

FAN = "a = 2.0\nb = -3.0\nc = a*b\nd = a + c\nL = c*d + a"


def of(text: str, label: str) -> PathSum:
    found = trace(text)
    return path_sum(found, node(found, label))


def names(found: Trace, sums: PathSum) -> list[list[str]]:
    assert sums.listed is not None
    called = found.names()
    return [[called[use.to] for use in path.uses] for path in sums.listed]


def products(sums: PathSum) -> list[float | None]:
    assert sums.listed is not None
    return [path.product for path in sums.listed]


def test_four_paths_sum_to_the_gradient() -> None:
    """L = c·d + a with c = ab and d = a + c: 1, d = c → −6, bd → −3 × −4, bc → −3 × 1 × −6."""
    sums = of(FAN, "a")
    assert sums.count == 4
    assert names(trace(FAN), sums) == [
        ["L"],
        ["d", "c*d", "L"],
        ["c", "c*d", "L"],
        ["c", "d", "c*d", "L"],
    ]
    assert products(sums) == [1, -6, 12, 18]
    assert sums.listed is not None
    assert [use.factor for use in sums.listed[3].uses] == [-3, 1, -6, 1]
    assert (sums.total, sums.derivative, sums.agrees) == (25, 25, True)


def test_a_square_is_two_paths() -> None:
    sums = of("a = Value(3.0)\ny = a * a", "a")
    assert (sums.count, products(sums), sums.total) == (2, [3, 3], 6)


def test_the_output_is_a_path_of_its_own() -> None:
    sums = of(FAN, "L")
    assert (sums.count, products(sums), sums.derivative) == (1, [1], 1)


def test_gradients_held_before_the_pass_are_not_on_any_path() -> None:
    """∂y/∂a = 2a = 6, although two passes left 12 behind."""
    sums = of("a = Value(3.0)\ny = a * a\ny.backward()\ny.backward()", "a")
    assert (sums.total, sums.derivative, sums.agrees) == (6, 6, True)


def test_without_a_pass_the_products_are_the_derivative() -> None:
    text = "a = Value(3.0)\ny = a * a * a"
    assert products(of(text, "a")) == [9, 9, 9]


def test_a_subgradient_says_that_it_is_one() -> None:
    sums = of("a = Value(0.0)\ny = relu(a)", "a")
    assert sums.listed is not None
    ((use,),) = [path.uses for path in sums.listed]
    assert (use.factor, use.at_kink) == (0, True)


def test_infinite_factors_are_shown_and_not_compared() -> None:
    sums = of("a = Value(0.0)\ny = sqrt(a) * 2", "a")
    assert products(sums) == [math.inf]
    assert sums.agrees is None


def test_the_paths_of_an_own_class_sum_to_its_true_gradient() -> None:
    """y = a·a + a: 3 + 3 + 1, although assignments leave another number."""
    text = "\na = Value(3.0)\ny = a * a + a\ny.backward()"
    for source in (CLASS, OVERWRITES):
        sums = of(source + text, "a")
        assert (sums.count, sums.derivative, sums.agrees) == (3, 7, True)
        assert sorted(x for x in products(sums) if x is not None) == [1, 3, 3]


def test_a_number_that_could_not_be_followed_leaves_the_products_open() -> None:
    own = method("def half(self):\n    return Value(float(str(self.data)) / 2, (self,), 'half')")
    sums = of(f"{own}\na = Value(3.0)\ny = a.half()\ny.backward()", "a")
    assert sums.count == 1
    assert products(sums) == [None]
    assert (sums.total, sums.agrees) == (None, None)


def test_too_many_paths_are_counted_exactly() -> None:
    """Each doubling doubles the paths: 2**200 of them."""
    text = "x = Value(1.0)\ny = x\nfor i in range(200):\n    y = (y + y) * 0.5\ny.backward()"
    sums = of(text, "x")
    assert sums.count == 2**200
    assert (sums.listed, sums.derivative) == (None, 1)


def test_few_but_endless_paths_are_not_listed() -> None:
    turns = LONGEST // 4
    text = f"x = Value(1.0)\ny = x + x\nfor i in range({turns}):\n    y = y + 1\ny.backward()"
    found = trace(f"{text}\n")
    sums = path_sum(found, node(found, "x"))
    assert (sums.count, sums.derivative) == (2, 2)
    assert sums.listed is not None
    text = text.replace(str(turns), str(LONGEST // 2))
    assert of(text, "x").listed is None


@pytest.mark.parametrize("text", [FAN, "x = Value(3.0)\ny = x * x + x"])
def test_counts_are_those_of_the_lists(text: str) -> None:
    check(trace(text))


@EACH
def test_every_program_s_paths_sum_to_its_gradients(text: str) -> None:
    check(trace(text))


@given(graphs())
@settings(deadline=None, max_examples=80, suppress_health_check=[HealthCheck.too_slow])
def test_any_program_s_paths_sum_to_its_gradients(text: str) -> None:
    check(trace(text))


def check(found: Trace) -> None:
    for closed in ({}, folded(found, ())):
        check_counted(found, PathCounts(found, closed))


def check_counted(found: Trace, counts: PathCounts) -> None:
    inner = {value for formula in counts.closed.values() for value in formula.inner}
    for value in [value for value in found.nodes if value.grad is not None][:60]:
        if value.id in inner:
            continue
        sums = path_sum(found, value, counts)
        if sums.listed is None:
            assert sums.count > FEW
        else:
            assert len(sums.listed) == sums.count
            assert sums.agrees is not False, (value.name, sums.total, sums.derivative)
            ends = {path.uses[-1].to if path.uses else value.id for path in sums.listed}
            assert ends == {found.output}
            assert len({path.uses for path in sums.listed}) == sums.count


def test_a_closed_formula_is_one_use() -> None:
    """∂y/∂a of y = tanh(2a)·a + a at 0.5: 1 + tanh 1 + 0.5 · 2 · (1 − tanh² 1)."""
    text = "\na = Value(0.5)\nb = a * 2.0\nc = b.tanh()\ny = c * a + a\ny.backward()"
    found = trace(CLASS + text)
    closed = folded(found, ())
    sums = path_sum(found, node(found, "a"), PathCounts(found, closed))
    assert sums.count == 3
    assert names(found, sums) == [["y"], ["c*a", "y"], ["b", "c", "c*a", "y"]]
    assert sums.listed is not None
    assert [use.slot for use in sums.listed[2].uses] == [0, -1, 0, 0]
    tanh = math.tanh(1.0)
    expected = [1, tanh, 2 * (1 - tanh**2) * 0.5]
    assert products(sums) == pytest.approx(expected, rel=1e-12)
    assert sums.derivative == pytest.approx(sum(expected), rel=1e-12)
    assert sums.agrees
    assert path_sum(found, node(found, "a")).count == 4  # 2x goes into the quotient twice


def test_cancellation_inside_a_formula_is_no_disagreement() -> None:
    """At 9 the partials of numerator and denominator cancel to 0 in all digits but a few."""
    found = trace(f"{CLASS}\na = Value(9.0)\ny = a.tanh()\ny.backward()")
    sums = path_sum(found, node(found, "a"), PathCounts(found, folded(found, ())))
    assert (sums.count, sums.agrees) == (1, True)
