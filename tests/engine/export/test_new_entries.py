"""New entries of the tables reach every export without a change in one."""

from __future__ import annotations

import ast
from dataclasses import replace
from pathlib import Path

import pytest

from engine.export.exports import export
from engine.ops import OPS, Op
from engine.training.fields import Name
from engine.training.losses import LOSSES, Loss
from engine.training.optim import OPTIMIZERS, SCHEDULES, OptimizerRule, Schedule
from engine.training.spec import FIELDS, Setting, TrainSpec
from engine.value import Constant, Value, apply
from tests.oracles.records import Oracle
from tests.support.export_runs import SPEC, close, losses
from tests.support.exported_programs import printed


@pytest.fixture
def new_entries(monkeypatch: pytest.MonkeyPatch) -> TrainSpec:
    """A run with an activation, a loss, an optimizer and a schedule that no export has heard of."""
    bent = Op(
        "bent_line", ("x",), "(sqrt(x ** 2 + 1) - 1) / 2 + x + sigmoid(x) / 9",
        ("x / (2 * sqrt(x ** 2 + 1)) + 1 + sigmoid(x) * (1 - sigmoid(x)) / 9",),
        forward_says="", backward_says=("",), samples=((1.0,),), activation=True,
    )  # fmt: skip
    clipped = Op(
        "clipped", ("a", "b"), "a if a < b and a > -b else max(min(a, b), -b)",
        ("1 if a < b and a > -b else 0", "0 if a < b and a > -b else 1 if a > 0 else -1"),
        forward_says="", backward_says=("", ""), samples=((1.0, 2.0),),
    )  # fmt: skip
    monkeypatch.setitem(OPS, "bent_line", bent)
    monkeypatch.setitem(OPS, "clipped", clipped)

    def sample(o: list[Value], t: list[Value]) -> Value:
        error = apply(clipped, o[0] - t[0], Constant(1.5))
        return error * error + apply(OPS["max"], t[0], o[0]).abs() + apply(clipped, t[0], o[0])

    loss = Loss("own", "", "", sample, mean=True)  # type: ignore[arg-type]
    rule = OptimizerRule(
        "own", "", "", "loss = loss + g ** 2\np = p - rate * g / (sqrt(loss) + i) * sqrt(2 - i)",
        rate=0.1, state=("loss",), scalars=(("i", 1.0),), before="i = 0.5 * i + cos(pi) / 100",
    )  # fmt: skip
    schedule = Schedule("own", "", "", "max(end, rate / (1 + step)) if step > 3 else rate")
    for field, table, entry in (
        ("loss", LOSSES, loss),
        ("optimizer", OPTIMIZERS, rule),
        ("schedule", SCHEDULES, schedule),
    ):
        monkeypatch.setitem(table, "own", entry)
        monkeypatch.setitem(FIELDS, field, Setting(Name(("own",)), ""))
    monkeypatch.setitem(FIELDS, "activation", Setting(Name(("bent_line",)), ""))
    return replace(
        SPEC, activation="bent_line", loss="own", optimizer="own", schedule="own", batch=4,
        schedule_end=0.02,
    )  # fmt: skip


def test_new_entries_reach_micrograd(new_entries: TrainSpec, place: Path) -> None:
    text = export(new_entries, "micrograd")
    assert close(printed(text, place), losses(new_entries))
    left = replace(new_entries, accumulate=False)
    assert close(printed(export(left, "micrograd"), place), losses(left))


def test_new_entries_reach_pytorch(new_entries: TrainSpec, oracle: Oracle) -> None:
    lines = oracle("exports.printed", export(new_entries, "pytorch"))
    assert close([float(line) for line in lines], losses(new_entries))


def test_new_entries_are_written_as_functions_of_pytorch(new_entries: TrainSpec) -> None:
    text = export(new_entries, "pytorch")
    tree = ast.parse(text)
    classes = {node.name for node in tree.body if isinstance(node, ast.ClassDef)}
    assert classes == {"Network", "BentLineFunction", "ClippedFunction"}
    assert "loss_ = [torch.zeros_like(p) for p in model.parameters()]" in text
