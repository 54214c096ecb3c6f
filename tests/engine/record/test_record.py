"""The record of a run: what was drawn and written is told exactly, and bounded."""

from __future__ import annotations

import ast
import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.program import Program
from engine.record.codec import real, safe
from engine.record.decode import decoded
from engine.record.encode import UnencodedRun, encoded
from engine.record.model import RecordedRun, RunNumber, Scope, TensorNumber, Write
from engine.record.session import RecordingSession, Wanted
from engine.record.source import Limits, ProgramError, Source
from tests.support.bugs import bugs
from tests.support.corpus import entries
from tests.support.each import for_each
from tests.support.own_class import CLASS

LONG = {"network_adam_and_scheduler"}  # a third of the time of all; shorter networks are there
TEXTS = {
    **{entry.name: entry.text for entry in entries()[::12] if entry.name not in LONG},
    **{bug.name: bug.text for bug in bugs()[::40]},
}


@given(st.floats() | st.integers(-(2**2000), 2**2000))
def test_numbers_survive_json_to_the_last_bit(x: float) -> None:
    text = json.dumps(safe(x), allow_nan=False)
    found = real(json.loads(text))
    assert type(found) is type(x)
    assert repr(found) == repr(x)


class Recorded:
    """A run with what its recorder held, and the record of it."""

    def __init__(self, text: str) -> None:
        source = Source(text, Limits())
        self.live = RecordingSession(source, Limits(), Wanted(judged=True)).live()
        self.record = self._encoded(self.live)
        self.run = decoded(self.record, source, Limits())

    def _encoded(self, run: UnencodedRun) -> str:
        record = encoded(run)
        if run.stage is not None:  # its histories are taken apart after this
            order = run.stage.backward.order
            at = {id(value): i for i, value in enumerate(order)}
            self.args = [[at[id(arg)] for arg in x.args if id(arg) in at] for x in order]
        return record


@for_each("text", TEXTS.values(), ids=TEXTS)
def test_the_record_tells_what_the_run_computed(text: str) -> None:
    try:
        seen = Recorded(text)
    except ProgramError:
        return
    live, run = seen.live, seen.run
    assert run.printed == live.printed
    assert run.notes == live.notes
    assert [chart.to_json() for chart in run.charts] == [c.to_json() for c in live.charts]
    assert [(s.id, s.kind, s.title, s.node) for s in run.scenes] == [
        (s.id, s.kind, s.title, s.node) for s in live.scenes
    ]
    assert (run.stage is None) == (live.stage is None)
    if run.stage is None or live.stage is None:
        return
    order: list[RunNumber] = run.stage.backward.order
    places = {id(value): i for i, value in enumerate(order)}
    assert [[places[id(arg)] for arg in x.args] for x in order] == seen.args
    for x, value in zip(order, live.stage.backward.order, strict=True):
        assert repr(x.data) == repr(value.data)
        assert repr(x.grad) == repr(value.grad)
        assert (x.op, x.label, x.serial) == (value.op, value.label, value.serial)
        assert _is_same_place(x.node, value.origin.node)
        assert _titles(x.scope) == _titles(value.origin.scope)
        assert x.is_leaf == (value.origin.leaf is not None)
    assert run.stage.backward.held == live.stage.backward.held
    assert _writes(run.stage.steps) == _writes(live.stage.steps)


def _is_same_place(one: ast.AST, other: ast.AST) -> bool:
    """Whether two nodes are one, or stand where the text imports a library's code."""
    return one is other or (
        type(one) is type(other) and getattr(one, "lineno", 0) == getattr(other, "lineno", 0)
    )


def _titles(scope: Scope | None) -> list[str]:
    found = []
    while scope is not None:
        found.append(scope.title)
        scope = scope.parent
    return found


def _writes(steps: Any) -> list[Any] | None:
    if steps is None:
        return None
    return [(s.node, s.before, s.after) if isinstance(s, Write) else s.node for s in steps]


# What the verdict reads


PASS = (
    CLASS
    + """
a = Value(2.0)
b = Value(-3.0)
L = a * b + a
L.backward()
"""
)


@pytest.fixture(scope="module")
def run() -> RecordedRun:
    return Program(PASS).run(is_judged=True)


def test_objects_are_told_with_what_they_hold(run: RecordedRun) -> None:
    assert run.stage is not None
    assert run.stage.held is not None
    by_label = {x.label: o for x, o in run.stage.held.items()}
    total, product = by_label["L"], next(o for o in run.stage.held.values() if o.op == "*")
    assert (total.kind, total.op) == ("Value", "+")
    assert set(total.parts) == {product, by_label["a"]}
    assert [getattr(node, "name", "") for node in product.functions] == ["_backward"]
    assert product.functions[0] is not total.functions[0]
    assert [o.number.data for o in (total, product) if o.number] == [-4.0, -6.0]


def test_writes_are_told_with_their_calls_and_history(run: RecordedRun) -> None:
    """∂L/∂b = a: the factor that was written is the product of a's number and 1."""
    assert run.stage is not None
    assert run.witness is not None
    steps, witness = run.stage.steps, run.witness
    assert steps is not None
    to_b = next(step for step in steps if step.of.label == "b")
    at = next(at for at, step in witness.log.items() if step.node is to_b.node)
    assert isinstance(to_b, Write)
    assert (to_b.before, to_b.after) == (0.0, 2.0)
    total = witness.sources[at]
    factor = total.args[1]
    assert (total.op and total.op.name, factor.op and factor.op.name) == ("+", "*")
    assert [getattr(arg, "label", arg) for arg in factor.args] == ["a", 1.0]
    calls = witness.writes[at]
    assert [call.name for call in calls] == ["_backward", "backward"]
    assert calls[0].variables["other"].number is to_b.of
    assert calls[1].variables["self"].number is run.output


def test_of_earlier_passes_only_what_the_verdict_needs_is_kept() -> None:
    lines = ["for turn in range({}):", "    L = a * b + a", "    L.backward()"]
    text = CLASS + "\na = Value(2.0)\nb = Value(-3.0)\n" + "\n".join(lines)
    few, many = (Program(text.format(n)).run(is_judged=True) for n in (10, 200))
    assert few.witness is not None
    assert many.witness is not None
    assert len(many.witness.log) == len(few.witness.log)
    assert min(many.witness.log) == min(few.witness.log) == 0
    assert max(many.witness.log) > 19 * max(few.witness.log)


# Kinds of numbers


def test_tensors_keep_their_precision_and_rule() -> None:
    run = Program("import torch\nx = torch.tensor(0.1, requires_grad=True)\nL = x * 3").run()
    assert isinstance(run.output, TensorNumber)
    assert (run.output.single, run.output.rule) == (True, "pytorch")
    assert run.output.rounded(0.1) != 0.1


def test_numbers_that_json_has_not_are_told() -> None:
    run = Program("x = Value(1e308)\ny = x * 10\nL = y - y").run()
    assert run.stage is not None
    data = {x.label: x.data for x in run.stage.backward.order}
    assert data["y"] == math.inf
    assert math.isnan(data["L"])


def test_leaves_that_are_not_used_are_told_with_their_gradients() -> None:
    run = Program("a = Value(1.0)\nb = Value(2.0)\nL = a * 2\nL.backward()").run()
    assert [(leaf.label, leaf.has_gradient) for leaf in run.unused] == [("b", False)]


def test_a_number_may_come_from_under_hundreds_of_calls() -> None:
    run = Program("def f(n):\n    return 0 if n == 0 else 1 + f(n - 1)\nL = f(900)").run()
    assert run.output is not None
    assert run.output.data == 900
    number, sums, calls = run.output, 1, 0
    while inner := [x for x in number.args if x.op is not None]:
        (number,), sums = inner, sums + 1
    scope = number.scope
    while scope is not None:
        calls, scope = calls + 1, scope.parent
    assert sums == calls == 900
