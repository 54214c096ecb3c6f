"""What backward must remember, and checkpointing: enough is kept, and no more than is said."""

from __future__ import annotations

import math

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from engine.ops import OPS
from engine.trace.build import trace
from engine.trace.checkpoints import Checkpointing, Checkpoints, lengths
from engine.trace.memory import memory, variables
from engine.trace.slopes import by_chain_rule
from engine.trace.traced import Trace
from tests.oracles.records import Oracle
from tests.support.each import for_each
from tests.support.random_graphs import fixed, graphs
from tests.support.traces import EACH
from tests.support.traces import trace as known

CHAIN = "x = Value(0.1)\nfor i in range(16):\n    x = tanh(x)"


def kept(text: str) -> tuple[set[str], int]:
    """The names of the kept numbers, and how many numbers there are."""
    found = trace(text)
    names, said = found.names(), memory(found)
    return {names[one] for one in said.kept}, len(said.numbers)


@for_each(
    ("text", "names", "count"),
    [
        ("a=2.0; b=-3.0; c=6.5; o=tanh(a*b+c)", {"a", "b", "o"}, 6),
        ("a=2.0; b=3.0; L=exp(a)*b + a", {"exp(a)", "b"}, 5),
        ("a=2.0; b=3.0; L=a + b - a", set(), 4),
        ("a=2.0; L=a*a", {"a"}, 2),
        ("a=2.0; L=3*a", set(), 2),  # the partial is the constant 3
        ("a=2.0; L=a**2", {"a"}, 2),  # 2 a
        ("a=2.0; L=a**1", set(), 2),
        ("a=2.0; b=3.0; L=a/b", {"b", "L"}, 3),  # 1/b and −y/b
        ("a=2.0; L=relu(a) + abs(a)", {"a", "relu(a)"}, 4),
    ],
)
def test_rules_keep_what_their_partials_read(text: str, names: set[str], count: int) -> None:
    assert kept(text) == (names, count)


def test_kept_numbers_that_were_computed_are_told_from_leaves() -> None:
    found = trace("a=2.0; b=-3.0; c=6.5; o=tanh(a*b+c)")
    names = found.names()
    assert [names[one] for one in memory(found).computed] == ["o"]
    readings = {names[r.node]: [names[one] for one in r.keeps] for r in memory(found).readings}
    assert readings == {"a*b": ["a", "b"], "a*b+c": [], "o": ["o"]}


def test_numbers_kept_are_the_tensors_that_torch_saves(oracle: Oracle) -> None:
    """Except for a quotient, of which PyTorch saves the dividend instead of the result."""
    for text in fixed(200):
        if "/" not in text:
            found = trace(text)
            named = {node.id: node.label for node in found.nodes}
            kept = {named[one] for one in memory(found).kept}
            assert kept == set(oracle("torch_graphs.saved", text)), text


@EACH
def test_a_partial_depends_on_nothing_but_what_its_rule_reads(text: str) -> None:
    found = known(text)
    by_id = {node.id: node for node in found.nodes}
    for reading in memory(found).readings[:40]:
        node, op = by_id[reading.node], OPS[by_id[reading.node].op or ""]
        rule = reading.rule
        numbers = {"y": node.data} | {
            name: by_id[arg].data for name, arg in zip(op.params, node.args, strict=True)
        }
        fixed = {
            name: by_id[arg].data
            for name, arg in zip(op.params, node.args, strict=True)
            if arg not in variables(found)
        }
        read = {name: numbers[name] for name in rule.reads} | fixed
        for slot, _ in rule.partials:
            due = op.derive[slot](*numbers.values())
            ours = op.derive[slot](*[read.get(name, math.nan) for name in numbers])
            assert ours == due or due != due


# Checkpointing


def backward(of: Trace, plan: Checkpointing, ops: list[str]) -> tuple[dict[str, float], int]:
    """The gradients and the largest number of computed numbers, from what a plan keeps alone."""
    by_id = {node.id: node for node in of.nodes}
    constants = {node.id: node.data for node in of.nodes if node.id not in variables(of)}
    leaves = {node.id for node in of.nodes if not node.args}
    there = {one: by_id[one].data for one in plan.between}
    grads, peak, again = {of.drawn: 1.0}, 0, list(plan.again)
    parts = [ops[at : at + plan.every] for at in range(0, len(ops), plan.every)]
    for at in reversed(range(len(parts))):
        while again and again[0] in parts[at]:
            node = by_id[again.pop(0)]
            assert node.id not in there
            args = [(constants | there)[arg] for arg in node.args]
            there[node.id] = OPS[node.op or ""].compute(*args)
        reads = {one for of_ in parts[at] for one in read_by(of, of_)}
        held = set(there) - leaves - {one for one in parts[at] if one not in plan.between} | (
            reads - leaves
        )
        peak = max(peak, len(held))
        for one in reversed(parts[at]):
            node, op = by_id[one], OPS[by_id[one].op or ""]
            numbers = {"y": there.get(one, math.nan)}
            numbers |= {
                name: (constants | there).get(arg, math.nan)
                for name, arg in zip(op.params, node.args, strict=True)
            }
            for slot, arg in enumerate(node.args):
                if arg not in constants:
                    partial = op.derive[slot](*numbers.values())
                    grads[arg] = grads.get(arg, 0.0) + grads[one] * partial
        later = needed(of, plan, parts[:at])
        there = {key: x for key, x in there.items() if key in later}
    assert not again
    return grads, peak


def read_by(of: Trace, op: str) -> tuple[str, ...]:
    return next(reading.keeps for reading in memory(of).readings if reading.node == op)


def needed(of: Trace, plan: Checkpointing, parts: list[list[str]]) -> set[str]:
    """What the segments `parts` read, or compute again from."""
    inside = {one for part in parts for one in part}
    args = {node.id: node.args for node in of.nodes}
    found = {one for op in inside for one in read_by(of, op)}
    return found | {arg for one in plan.again if one in inside for arg in args[one]}


@given(graphs(passes=0), st.integers(1, 10))
def test_backward_pass_runs_on_what_is_kept_and_needs_no_more(text: str, every: int) -> None:
    found = trace(text)
    points = Checkpoints(found)
    assume(points.ops)
    plan = points.simulate(every)
    ours, peak = backward(found, plan, points.ops)
    assert peak == plan.peak
    for key, due in by_chain_rule(found).items():
        if math.isfinite(due) and key in points.numbers:
            assert ours[key] == pytest.approx(due, rel=1e-12)


def test_segments_of_one_op_are_the_plain_pass_and_a_single_one_does_all_again() -> None:
    points = Checkpoints(trace(CHAIN))
    plain, whole = points.simulate(1), points.simulate(16)
    assert (plain.peak, plain.again, plain.segments) == (16, (), 16)
    assert (whole.peak, len(whole.again), whole.segments) == (16, 15, 1)
    assert len(whole.between) == 2  # the leaf and the output


def test_chain_of_equal_ops_takes_the_boundaries_and_one_segment() -> None:
    """n/k boundaries, and k − 1 numbers inside of a segment; n − n/k ops are done again."""
    points = Checkpoints(trace(CHAIN))
    for every in (2, 4, 8):
        plan = points.simulate(every)
        assert plan.peak == 16 // every + every - 1
        assert len(plan.again) == 16 - 16 // every
    assert points.root == 4
    assert min(points.simulate(k).peak for k in range(1, 17)) == points.simulate(4).peak


@EACH
def test_plain_pass_keeps_what_the_rules_read_and_does_nothing_again(text: str) -> None:
    found = known(text)
    if found.output is None:
        return
    plain, said = Checkpoints(found).simulate(1), memory(found)
    assert plain.between == said.kept
    assert (plain.peak, plain.again) == (len(said.computed), ())


@given(st.integers(1, 5000), st.integers(3, 60))
def test_lengths_hold_both_ends_and_the_root(count: int, most: int) -> None:
    found = lengths(count, most, math.isqrt(count))
    assert found == sorted(set(found))
    assert {1, math.isqrt(count), count} <= set(found)
    assert len(found) <= most + 1
