"""The ledger of a Value: what its gradient received, in order, and that it sums to the gradient."""

from __future__ import annotations

import math

import pytest
from hypothesis import HealthCheck, given, settings

from engine.real import same
from engine.trace.ledger import CONTRIBUTION, SEED, WRITE, Ledger, frames_of, ledger
from engine.trace.traced import Trace
from tests.support.own_class import CLASS
from tests.support.programs import node
from tests.support.random_graphs import graphs
from tests.support.traces import EACH, trace

FAN = "a = 2.0\nb = -3.0\nc = a*b\nd = a + c\nL = c*d + a"


def of(text: str, label: str) -> Ledger:
    found = trace(text)
    return ledger(found, node(found, label))


def amounts(found: Ledger) -> list[float | None]:
    return [entry.amount for entry in found.entries]


def test_a_leaf_received_what_each_of_its_uses_gave_it() -> None:
    """L = ab(a + ab) + a, so ∂L/∂a is 1, then d's −6, then c's −10 × −3."""
    found = of(FAN, "a")
    assert found.held == 0
    assert amounts(found) == [1, -6, 30]
    assert [entry.after for entry in found.entries] == [1, -5, 25]
    assert [(entry.upstream, entry.partial) for entry in found.entries] == [
        (1, 1), (-6, 1), (-10, -3),
    ]  # fmt: skip
    assert [entry.slot for entry in found.entries] == [1, 0, 0]
    names = trace(FAN).names()
    assert [names[entry.user] for entry in found.entries] == ["L", "d", "c"]
    assert [trace(FAN).frames[entry.frame].node for entry in found.entries] == [
        entry.user for entry in found.entries
    ]


def test_the_output_receives_its_seed() -> None:
    found = of(FAN, "L")
    assert [(entry.kind, entry.amount) for entry in found.entries] == [(SEED, 1)]
    assert found.total == 1


def test_a_square_receives_twice_from_one_op() -> None:
    found = of("a = Value(3.0)\ny = a * a", "a")
    assert [(entry.kind, entry.slot, entry.amount) for entry in found.entries] == [
        (CONTRIBUTION, 0, 3), (CONTRIBUTION, 1, 3),
    ]  # fmt: skip
    assert len({entry.frame for entry in found.entries}) == 1


def test_a_second_pass_begins_with_the_gradient_that_is_held() -> None:
    """∂y/∂a = 2a = 6 for each of two passes."""
    found = of("a = Value(3.0)\ny = a * a\ny.backward()\ny.backward()", "a")
    assert found.held == 6
    assert amounts(found) == [3, 3]
    assert found.total == 12


def test_writes_of_the_program_have_no_amount() -> None:
    text = "a = Value(3.0)\ny = a * 2\ny.backward()"
    found = of(f"{CLASS}\n{text}", "a")
    (entry,) = found.entries
    assert (entry.kind, entry.amount, entry.before, entry.after) == (WRITE, None, 0, 2)
    assert entry.written is not None
    assert entry.written.right


def test_what_is_not_finite_is_kept() -> None:
    found = of("x = Value(0.0)\ny = log(x) * 0", "x")
    assert math.isnan(found.total)  # 0 × 1/0


def test_the_frames_of_a_value_make_it_use_it_and_pass_it_on() -> None:
    """Frame 0 gives the leaves, 1 makes c; then d, c·d, L, the seed; L, c·d, d and c propagate."""
    found = trace(FAN)
    assert frames_of(found, node(found, "a").id) == [0, 6, 8, 9]
    assert frames_of(found, node(found, "c").id) == [1, 7, 8, 9]
    assert frames_of(found, node(found, "L").id) == [4, 5, 6]


@EACH
def test_the_entries_of_every_value_sum_to_its_gradient(text: str) -> None:
    check(trace(text))


@given(graphs())
@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])
def test_the_entries_of_any_program_sum_to_its_gradients(text: str) -> None:
    check(trace(text))


def check(found: Trace) -> None:
    """Each entry begins where the one before ended, and the last ends at the gradient shown."""
    for value in found.nodes:
        if value.grad is None:
            continue
        kept = ledger(found, value)
        before = kept.held
        for entry in kept.entries:
            assert same(entry.before, before)
            if entry.amount is not None and found.rule == "micrograd":
                assert same(entry.after, entry.before + entry.amount)
            before = entry.after
        assert same(kept.total, value.grad), value.name


def test_a_constant_has_no_ledger() -> None:
    found = trace("a = Value(3.0)\ny = a * 2")
    with pytest.raises(AssertionError):
        ledger(found, next(value for value in found.nodes if value.kind == "constant"))
