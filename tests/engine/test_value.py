"""Values: micrograd's interface, how gradients add up, no recursion, small nodes."""

from __future__ import annotations

import gc
import math
import operator
import struct
import tracemalloc
from collections.abc import Callable
from textwrap import dedent
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.ops import OPS, Op
from engine.value import Constant, Value, apply, backpropagate, number, topological_order
from tests.oracles.records import Oracle
from tests.support import micrograd
from tests.support.each import for_each


def bits(x: float) -> bytes:
    """A float to the last bit; all nans are one."""
    return struct.pack("d", math.nan if x != x else x)


# micrograd's published example


def readme() -> tuple[Value, Value, Value]:
    """The expression with which micrograd introduces itself; its README prints the numbers."""
    a = Value(-4.0)
    b = Value(2.0)
    c = a + b
    d = a * b + b**3
    c += c + 1
    c += 1 + c + (-a)
    d += d * 2 + (b + a).relu()
    d += 3 * d + (b - a).relu()
    e = c - d
    f = e**2
    g = f / 2.0
    g += 10.0 / f
    return a, b, g


def test_the_published_example_of_micrograd() -> None:
    a, b, g = readme()
    g.backward()
    assert f"{g.data:.4f}" == "24.7041"
    assert f"{a.grad:.4f}" == "138.8338"
    assert f"{b.grad:.4f}" == "645.5773"


# The interface


def test_a_leaf() -> None:
    x = Value(2, label="x")
    assert (x.data, x.grad, x.label, x.op, x.args) == (2.0, 0.0, "x", None, ())
    assert isinstance(x.data, float)
    assert x._op == ""
    assert x._prev == set()
    assert repr(x) == "Value(data=2.0)"


def test_an_operation_remembers_what_it_was_made_from() -> None:
    a, b = Value(2.0), Value(-3.0)
    y = a * b
    assert y.data == -6.0
    assert y.op is OPS["*"]
    assert y.args == (a, b)
    assert y._op == "*"
    assert y._prev == {a, b}


def test_prev_is_a_set_and_args_keep_repeats() -> None:
    a = Value(3.0)
    y = a + a
    assert y._prev == {a}
    assert y.args == (a, a)


SIGNS: list[tuple[str, Callable[[object, object], object]]] = [
    ("+", lambda a, b: a + b),  # type: ignore[operator]
    ("-", lambda a, b: a - b),  # type: ignore[operator]
    ("*", lambda a, b: a * b),  # type: ignore[operator]
    ("/", lambda a, b: a / b),  # type: ignore[operator]
    ("**", lambda a, b: a**b),  # type: ignore[operator]
]


@for_each(("name", "sign"), SIGNS)
def test_signs_take_values_and_numbers_on_either_side(
    name: str, sign: Callable[[object, object], Value]
) -> None:
    right = OPS[name].compute(2.0, 3.0)
    assert sign(Value(2.0), Value(3.0)).data == right
    assert sign(Value(2.0), 3).data == right
    assert sign(2, Value(3.0)).data == right
    x, y = Value(2.0), Value(3.0)
    sign(x, 3.0).backward()
    sign(2.0, y).backward()
    assert (x.grad, y.grad) == tuple(derive(right, 2.0, 3.0) for derive in OPS[name].derive)


@for_each(("name", "sign"), SIGNS)
def test_a_text_is_no_number(name: str, sign: Callable[[object, object], object]) -> None:
    for a, b in [(Value(1.0), "2"), ("2", Value(1.0)), (Value(1.0), None), (None, Value(1.0))]:
        with pytest.raises(TypeError):
            sign(a, b)


def test_minus_and_abs() -> None:
    assert (-Value(2.0)).data == -2.0
    assert abs(Value(-2.0)).data == 2.0
    assert Value(-2.0).abs().data == 2.0


@for_each("op", [op for op in OPS.values() if op.is_word], ids=lambda op: op.name)
def test_every_named_operation_is_a_method(op: Op) -> None:
    for point in op.samples:
        first, *rest = point
        out = getattr(Value(first), op.name)(*rest)
        assert out.data == op.compute(*point)
        assert out.op is op


def test_a_number_inside_an_expression_is_a_constant() -> None:
    y = 2 * Value(3.0)
    assert type(y.args[0]) is Constant
    assert type(y.args[1]) is Value


def test_comparisons_are_those_of_the_numbers() -> None:
    a, b = Value(1.0), Value(2.0)
    assert a < b
    assert a <= b
    assert b > a
    assert b >= 2
    assert a < 1.5
    assert not a > b


def test_two_values_are_never_one() -> None:
    assert Value(1.0) != Value(1.0)
    assert len({Value(1.0), Value(1.0)}) == 2


def test_number() -> None:
    assert number(Value(2.0)) == 2.0
    assert number(3) == 3


# How gradients add up


def test_a_value_used_twice_collects_both_contributions() -> None:
    a = Value(3.0)
    (a + a).backward()
    assert a.grad == 2.0
    x = Value(5.0)
    (x * x).backward()
    assert x.grad == 10.0


def test_a_second_backward_call_adds_to_everything_but_the_output() -> None:
    """By hand: c enters the second pass with 4, has 8 after it, and gives that on."""
    a, b = Value(2.0), Value(-3.0)
    c = a * b
    y = c * 4.0
    y.backward()
    assert (a.grad, b.grad, c.grad, y.grad) == (-12.0, 8.0, 4.0, 1.0)
    y.backward()
    assert (a.grad, b.grad, c.grad, y.grad) == (-36.0, 24.0, 8.0, 1.0)


@given(st.data())
def test_passes_from_anywhere_in_a_graph_give_micrograds_gradients(data: st.DataObject) -> None:
    """The same calls on both classes, in an order drawn at random."""
    signs = [operator.add, operator.sub, operator.mul]
    start = data.draw(st.lists(st.integers(-8, 8).map(lambda n: n / 4), min_size=1, max_size=3))
    ours, theirs = [Value(x) for x in start], [micrograd.Value(x) for x in start]
    for sign in data.draw(st.lists(st.sampled_from(signs), min_size=1, max_size=8)):
        i, j = (data.draw(st.integers(0, len(ours) - 1)) for _ in range(2))
        ours.append(sign(ours[i], ours[j]))
        theirs.append(sign(theirs[i], theirs[j]))
    for i in data.draw(st.lists(st.integers(0, len(ours) - 1), min_size=1, max_size=4)):
        ours[i].backward()
        theirs[i].backward()
    assert [x.data for x in ours] == [x.data for x in theirs]
    assert [x.grad for x in ours] == pytest.approx([x.grad for x in theirs], rel=1e-12)


@pytest.mark.parametrize("given_", [(2.0, (), ""), (2.0, (), "", "a")])
def test_a_value_is_made_with_the_arguments_of_the_lecture(given_: tuple[Any, ...]) -> None:
    x = Value(*given_)
    assert (x.data, x.args, x._op, x.label) == (2.0, (), "", "".join(given_[3:]))
    assert repr(x) == "Value(data=2.0)"


@pytest.mark.parametrize("given_", [(2.0, (Value(1.0),), "+"), (2.0, (), "+")])
def test_children_come_from_operations_alone(given_: tuple[Any, ...]) -> None:
    with pytest.raises(ValueError, match="operation"):
        Value(*given_)


def test_there_is_no_unary_plus_as_in_micrograd() -> None:
    with pytest.raises(TypeError, match=r"bad operand type for unary \+: 'Value'"):
        +Value(2.0)  # type: ignore[operator]


def test_gradients_of_two_graphs_add_up_on_a_shared_leaf() -> None:
    a = Value(3.0)
    (a * 2).backward()
    (a * 2).backward()
    assert a.grad == 4.0


def test_backward_of_a_leaf() -> None:
    a = Value(3.0)
    a.backward()
    assert a.grad == 1.0


def test_value_without_a_path_to_the_output_keeps_its_gradient() -> None:
    a, b = Value(1.0), Value(2.0)
    a.exp()
    b.exp().backward()
    assert a.grad == 0.0


def test_one_step_back_is_the_chain_rule_of_one_operation() -> None:
    a, b = Value(2.0), Value(-3.0)
    y = a * b
    y.grad = 10.0
    y._backward()
    y._backward()
    assert (a.grad, b.grad) == (-60.0, 40.0)
    a._backward()
    assert (a.grad, b.grad) == (-60.0, 40.0)


def test_each_contribution_is_the_gradient_times_the_partial() -> None:
    a, b = Value(2.0), Value(-3.0)
    y = a * b + a
    found = [(v, c) for v, given in backpropagate(topological_order(y)) for c in given]
    for value, c in found:
        assert c.upstream == value.grad
        assert c.amount == c.upstream * c.partial
        assert c.after == c.before + c.amount
        assert value.args[c.slot] is c.to
    assert [(c.slot, c.amount) for _, c in found if c.to is a] == [(1, 1.0), (0, -3.0)]
    assert a.grad == -2.0


# Random graphs

plans = st.lists(
    st.tuples(st.sampled_from(list(OPS)), st.integers(0, 99), st.integers(0, 99)),
    min_size=1,
    max_size=30,
)


def build(plan: list[tuple[str, int, int]], leaves: list[float]) -> tuple[list[Value], Value]:
    """The leaves and the last Value of a graph in which anything may be used again."""
    values = [Value(x) for x in leaves]
    for name, i, j in plan:
        op = OPS[name]
        args = [values[k % len(values)] for k in (i, j)[: len(op.params)]]
        values.append(apply(op, *args))
    return values[: len(leaves)], values[-1]


numbers = st.lists(st.floats(-4, 4), min_size=1, max_size=4)


@given(plans, numbers)
def test_the_order_has_everything_once_after_its_args(
    plan: list[tuple[str, int, int]], leaves: list[float]
) -> None:
    _, output = build(plan, leaves)
    order = topological_order(output)
    place = {value: i for i, value in enumerate(order)}
    assert len(place) == len(order)
    assert order[-1] is output
    for value in order:
        assert all(place[arg] < place[value] for arg in value.args)


@given(plans, numbers)
def test_the_slow_motion_agrees_with_backward_to_the_last_bit(
    plan: list[tuple[str, int, int]], leaves: list[float]
) -> None:
    fast, output = build(plan, leaves)
    slow, shown = build(plan, leaves)
    for _ in range(2):
        output.backward()
        for _ in backpropagate(topological_order(shown)):
            pass
        assert [bits(x.grad) for x in fast] == [bits(x.grad) for x in slow]


@given(plans, numbers)
def test_contributions_sum_to_the_gradients(
    plan: list[tuple[str, int, int]], leaves: list[float]
) -> None:
    _, output = build(plan, leaves)
    order = topological_order(output)
    received = dict.fromkeys(order, 0.0)
    received[output] = 1.0
    for _, given_ in backpropagate(order):
        for c in given_:
            assert bits(c.before) == bits(received[c.to])
            received[c.to] += c.amount
            assert bits(c.after) == bits(received[c.to])
    assert [bits(x) for x in received.values()] == [bits(v.grad) for v in order]


# No recursion, little memory


def test_a_chain_of_a_million_additions() -> None:
    gc.collect()
    gc.disable()
    try:
        x = Value(1.0)
        y = x
        for _ in range(1_000_000):
            y = y + x
        y.backward()
        assert y.data == 1_000_001.0
        assert x.grad == 1_000_001.0
        del y
    finally:
        gc.enable()


def test_a_graph_with_more_paths_than_atoms_is_walked_once() -> None:
    x = Value(1.0)
    y = x
    for _ in range(60):
        y = y + y
    y.backward()
    assert x.grad == 2.0**60
    assert len(topological_order(y)) == 61


def test_a_node_takes_at_most_200_bytes() -> None:
    x = Value(0.5)
    kept: list[Value] = [x] * 20_000
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        for i in range(20_000):
            kept[i] = kept[i - 1] * x
        used = tracemalloc.get_traced_memory()[0] - before
    finally:
        tracemalloc.stop()
    assert used / 20_000 <= 200


OF_PYTORCH = """
    import torch
    a, b = (torch.tensor(x, dtype=torch.float64, requires_grad=True) for x in (-4.0, 2.0))
    c = a + b
    d = a * b + b**3
    c = c + c + 1
    c = c + 1 + c + (-a)
    d = d + d * 2 + (b + a).relu()
    d = d + 3 * d + (b - a).relu()
    f = (c - d) ** 2
    g = f / 2.0 + 10.0 / f
    g.backward()
    print(g.item(), a.grad.item(), b.grad.item())
"""


def test_pytorch_gives_the_same_gradients(oracle: Oracle) -> None:
    (line,) = oracle("exports.printed", dedent(OF_PYTORCH))
    a, b, g = readme()
    g.backward()
    assert [g.data, a.grad, b.grad] == pytest.approx([float(x) for x in line.split()], rel=1e-12)
