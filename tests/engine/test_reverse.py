"""The reverse sweep: each algebra held to central differences, to exact numbers, to another one."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from mpmath import mp, mpf

from engine.ops import OPS
from engine.reverse import (
    ASSIGNED,
    NUMBERS,
    SIZES,
    UNKNOWN,
    Algebra,
    contributions,
    sweep,
    symbols,
)
from engine.value import Constant, Value, apply, backpropagate, partials, topological_order

RATIONAL = ("+", "-", "*", "/", "neg")
SMOOTH = (*RATIONAL, "tanh", "exp", "sin", "sigmoid", "cos")


class Dag(NamedTuple):
    """Leaves, and operations on any Values before them: names of the table and places."""

    leaves: tuple[float, ...]
    steps: tuple[tuple[str, tuple[int, ...]], ...]

    def values(self) -> list[Value]:
        found = [Value(x) for x in self.leaves]
        for name, places in self.steps:
            found.append(apply(OPS[name], *[found[at] for at in places]))
        return found


@st.composite
def dags(draw: st.DrawFn, names: Sequence[str], numbers: st.SearchStrategy[float]) -> Dag:
    leaves = draw(st.lists(numbers, min_size=1, max_size=3))
    steps: list[tuple[str, tuple[int, ...]]] = []
    for count in range(draw(st.integers(1, 9))):
        name = draw(st.sampled_from(names))
        last = len(leaves) + count - 1
        slots = [draw(st.integers(0, last)) for _ in OPS[name].params]
        slots[0] = last if count else slots[0]  # so that most Values lead to the output
        steps.append((name, tuple(slots)))
    return Dag(tuple(leaves), tuple(steps))


halves = st.integers(-6, 6).map(lambda x: x / 2)
small = st.floats(-2, 2).map(lambda x: round(x, 3))
anything = st.floats(allow_nan=True, allow_infinity=True)


def bits(x: float) -> bytes:
    return struct.pack("d", math.nan if x != x else x)


def seeded(values: Sequence[Value], seed: Any = 1.0) -> dict[Value, Any]:
    return {values[-1]: seed}


# Numbers


@given(dags(list(OPS), anything))
def test_floats_are_those_of_a_backward_pass_to_the_last_bit(dag: Dag) -> None:
    values = dag.values()
    order = topological_order(values[-1])
    found = sweep(order, partials, seeded(values), NUMBERS)
    values[-1].backward()
    assert [bits(float(found[x])) for x in order] == [bits(x.grad) for x in order]
    again = dag.values()
    for _ in backpropagate(topological_order(again[-1])):
        pass
    assert [bits(x.grad) for x in again] == [bits(x.grad) for x in values]


@given(dags(SMOOTH, small))
def test_floats_are_the_slopes_that_central_differences_measure(dag: Dag) -> None:
    values = dag.values()
    found = sweep(values, partials, seeded(values), NUMBERS)
    sizes = sweep(values, partials, seeded(values), SIZES)
    assume(all(abs(x.data) < 1e3 for x in values) and max(sizes.values()) < 1e3)

    def output(leaf: int, x: float) -> float:
        moved = (*dag.leaves[:leaf], x, *dag.leaves[leaf + 1 :])
        return dag._replace(leaves=moved).values()[-1].data

    for at, x in enumerate(dag.leaves):
        h = 1e-5
        measured = [(output(at, x + s) - output(at, x - s)) / (2 * s) for s in (h, h / 2)]
        assume(math.isclose(*measured, rel_tol=1e-4, abs_tol=1e-4))  # no pole is near
        assert found.get(values[at], 0.0) == pytest.approx(measured[1], rel=1e-3, abs=1e-3)


RULES: dict[str, Callable[..., tuple[Any, tuple[Any, ...]]]] = {
    "+": lambda a, b: (a + b, (1, 1)),
    "-": lambda a, b: (a - b, (1, -1)),
    "*": lambda a, b: (a * b, (b, a)),
    "/": lambda a, b: (a / b, (1 / b, -a / b**2)),
    "neg": lambda a: (-a, (-1,)),
}
"""Textbook results and partials, written apart from the table."""


def by_hand(dag: Dag, number: Callable[[float], Any]) -> tuple[list[Any], list[tuple[Any, ...]]]:
    data, slopes = [number(x) for x in dag.leaves], [()] * len(dag.leaves)
    for name, places in dag.steps:
        y, each = RULES[name](*[data[at] for at in places])
        data.append(y)
        slopes.append(each)
    return data, slopes


def uses(dag: Dag, slopes: Sequence[Sequence[Any]]) -> Callable[[int], Iterable[tuple[int, Any]]]:
    args: list[tuple[int, ...]] = [()] * len(dag.leaves) + [places for _, places in dag.steps]
    return lambda at: zip(args[at], slopes[at], strict=True)


@given(dags(RATIONAL, halves))
def test_fractions_are_exact_and_floats_and_fifty_digits_come_near(dag: Dag) -> None:
    try:
        data, slopes = by_hand(dag, Fraction)
    except ZeroDivisionError:
        assume(False)
    last = len(data) - 1
    order = range(len(data))
    exact = sweep(order, uses(dag, slopes), {last: Fraction(1)}, NUMBERS)
    assert all(type(x) is Fraction for x in exact.values())
    with mp.workdps(50):
        digits = by_hand(dag, mpf)[1]
        fifty = sweep(order, uses(dag, digits), {last: mpf(1)}, NUMBERS)
        sizes = sweep(order, uses(dag, digits), {last: mpf(1)}, SIZES)
        for at, x in exact.items():
            assert abs(fifty[at] - mpf(x.numerator) / x.denominator) <= mpf(10) ** -45 * sizes[at]
    values = dag.values()
    floats = sweep(values, partials, seeded(values), NUMBERS)
    for at, x in exact.items():
        if abs(float(sizes[at])) < 1e12 and all(abs(v.data) < 1e6 for v in values):
            assert float(floats[values[at]]) == pytest.approx(float(x), abs=1e-9 * float(sizes[at]))


class Interval(NamedTuple):
    """All numbers between two."""

    low: Fraction
    high: Fraction

    def __add__(self, other: Any) -> Any:
        return Interval(self.low + other.low, self.high + other.high)

    def __radd__(self, other: Any) -> Any:  # zero of NUMBERS
        return Interval(self.low + other, self.high + other)

    def __mul__(self, other: Any) -> Any:
        ends = [a * b for a in self for b in other]
        return Interval(min(ends), max(ends))


@given(dags(("+", "-", "*", "neg"), halves), st.data())
def test_intervals_hold_the_gradients_of_all_points_in_them(dag: Dag, data: st.DataObject) -> None:
    moved = [x + data.draw(st.integers(-4, 4)) / 8 for x in dag.leaves]
    slopes = by_hand(dag, Fraction)[1]
    wide = [Interval(Fraction(x) - 1, Fraction(x) + 1) for x in dag.leaves]
    one = Interval(Fraction(1), Fraction(1))
    minus = Interval(Fraction(-1), Fraction(-1))
    each: list[tuple[Any, ...]] = [()] * len(wide)
    for name, places in dag.steps:
        a, b = wide[places[0]], wide[places[-1]]
        results = {"+": a + b, "-": a + b * minus, "*": a * b, "neg": a * minus}
        rules = {"+": (one, one), "-": (one, minus), "*": (b, a), "neg": (minus,)}
        wide.append(results[name])
        each.append(rules[name])
    last = len(wide) - 1
    found = sweep(range(last + 1), uses(dag, each), {last: one}, NUMBERS)
    for leaves in (dag.leaves, tuple(moved)):
        there = dag._replace(leaves=leaves)
        slopes = by_hand(there, Fraction)[1]
        exact = sweep(range(last + 1), uses(there, slopes), {last: Fraction(1)}, NUMBERS)
        assert all(found[at].low <= x <= found[at].high for at, x in exact.items())


# Symbols


@given(dags((*RATIONAL, "tanh", "exp"), small))
def test_symbols_evaluated_are_the_numbers(dag: Dag) -> None:
    values = dag.values()
    names = {value: f"v{at}" for at, value in enumerate(values)}

    def written(value: Value) -> Iterable[tuple[Value, str]]:
        for slot, arg in enumerate(value.args):
            args = ", ".join(names[x] for x in value.args)
            yield arg, f"slope_{names[value]}[{slot}]({names[value]}, {args})"

    algebra: Algebra[str, str, str]
    algebra = symbols(lambda g, p: f"({g}*{p})", lambda g, term: f"({g} + {term})")
    found = sweep(values, written, seeded(values, "1.0"), algebra)
    numbers = sweep(values, partials, seeded(values), NUMBERS)
    known: dict[str, Any] = {name: value.data for value, name in names.items()}
    known |= {f"slope_{name}": x.op.derive for x, name in names.items() if x.op is not None}
    for value, text in found.items():
        number = eval(text, known)  # noqa: S307  # our own text
        assert bits(number + 0.0) == bits(numbers[value] + 0.0)


# What is unknown


CHAIN: dict[str, list[tuple[str, Any]]] = {
    "L": [("b", 0.0), ("c", 2.0)],
    "b": [("x", None)],
    "c": [("x", 3.0), ("y", None)],
}


def chained(node: str) -> Iterable[tuple[str, Any]]:
    return CHAIN.get(node, ())


def test_the_unknown_absorbs_unless_the_gradient_above_is_zero() -> None:
    found = sweep(["y", "x", "c", "b", "L"], chained, {"L": 1.0}, UNKNOWN)
    assert found == {"L": 1.0, "b": 0.0, "c": 2.0, "x": 6.0, "y": None}


@pytest.mark.parametrize("at", [0, 1])
def test_a_known_contribution_does_not_make_an_unknown_sum_known(at: int) -> None:
    both: list[tuple[str, Any]] = [("x", 5.0), ("x", None)][:: 1 if at else -1]
    edges: dict[str, list[tuple[str, Any]]] = {"L": both, "x": [("z", 0.0)]}
    found = sweep(["z", "x", "L"], lambda node: edges.get(node, ()), {"L": 1.0}, UNKNOWN)
    assert found == {"L": 1.0, "x": None, "z": None}


def test_zero_goes_no_further_than_infinity() -> None:
    edges = {"L": [("x", 0.0)], "x": [("z", math.inf)]}
    order = ["z", "x", "L"]
    assert sweep(order, lambda n: edges.get(n, ()), {"L": 1.0}, UNKNOWN)["z"] == 0.0
    assert math.isnan(sweep(order, lambda n: edges.get(n, ()), {"L": 1.0}, NUMBERS)["z"])


@given(dags(SMOOTH, small))
def test_where_all_is_known_and_finite_it_is_the_numbers(dag: Dag) -> None:
    values = dag.values()
    known = sweep(values, partials, seeded(values), UNKNOWN)
    numbers = sweep(values, partials, seeded(values), NUMBERS)
    assume(all(math.isfinite(x) for x in numbers.values()))
    assert known == numbers


# What is passed on, and to whom


def test_what_no_gradient_has_reached_passes_none_on() -> None:
    a, b = Value(2.0), Value(0.0)
    aside, output = b.log(), a * a
    found = sweep([a, b, aside, output], partials, {output: 1.0}, NUMBERS)
    assert found == {output: 1.0, a: 4.0}


def test_gradients_add_to_those_before_the_sweep() -> None:
    a = Value(2.0)
    b = a * 3.0
    c = b**2
    order = [a, *b.args[1:], b, *c.args[1:], c]
    grads = sweep(order, partials, {c: 1.0}, NUMBERS)
    assert grads[a] == 36.0
    assert sweep(order, partials, grads | {c: 1.0}, NUMBERS)[a] == 108.0  # as micrograd has it


def test_assigning_keeps_the_last_contribution() -> None:
    x = Value(3.0)
    square = x * x
    assert sweep([x, square], partials, {square: 1.0}, ASSIGNED)[x] == 3.0
    assert sweep([x, square], partials, {square: 1.0}, NUMBERS)[x] == 6.0


def test_a_chain_of_a_hundred_thousand_needs_no_stack() -> None:
    order = range(100_001)
    found = sweep(order, lambda at: [(at - 1, 1.0)] if at else [], {100_000: 1.0}, NUMBERS)
    assert found[0] == 1.0


def test_every_contribution_of_a_square_is_told() -> None:
    x, two = Value(3.0), Constant(2.0)
    square = x * x
    y = square * two
    grads = {y: 1.0, square: 0.0, x: 0.5}
    sent = contributions([x, two, square, y], partials, grads, {square, x})
    assert [(user, *c) for user, c in sent] == [
        (y, square, 0, 2.0, 1.0, 2.0, 0.0, 2.0),
        (square, x, 0, 3.0, 2.0, 6.0, 0.5, 6.5),
        (square, x, 1, 3.0, 2.0, 6.0, 6.5, 12.5),
    ]
    assert two not in grads


def test_contributions_and_sums_are_rounded() -> None:
    x = Value(0.1)
    y = x * x
    grads = {y: 1.0, x: 1.0}
    sent = contributions([x, y], partials, grads, {x}, rounded=lambda _, number: round(number, 1))
    assert [(c.amount, c.after) for _, c in sent] == [(0.1, 1.1), (0.1, 1.2)]


def test_an_algebra_of_one_s_own_counts_paths() -> None:
    edges = {"L": ["b", "b", "c"], "b": ["x", "x"], "c": ["x"]}
    count: Algebra[int, int, int] = Algebra(0, lambda paths, _: paths, lambda a, b: a + b)
    found = sweep(
        ["x", "c", "b", "L"], lambda n: [(arg, 1) for arg in edges.get(n, ())], {"L": 1}, count
    )
    assert found["x"] == 5
