"""One step as frames: the order, the numbers of sample, batch and update, and the arithmetic."""

from __future__ import annotations

import ast
import re
from dataclasses import replace
from typing import Any

import pytest

from app.train.frames import frames
from app.train.live_run import LiveRun
from engine.numbers import brief
from engine.training.optim import OPTIMIZERS
from engine.training.segments import segment_at
from engine.training.spec import TrainSpec
from engine.training.textbook import textbook
from tests.support.each import for_each
from tests.support.learning import MINIBATCH, THREE, found, refused
from tests.support.specs import changes

RICH = replace(MINIBATCH, layers=(2, 3, 2, 1), l2=0.01)


def by_name(spec: TrainSpec, step: int, sample: int | None = None) -> dict[str, dict[str, Any]]:
    """The frames of a step, by their names in order."""
    return {frame["name"]: frame for frame in frames(LiveRun(spec), step, sample)["frames"]}


def test_frames_go_forward_and_back_and_update() -> None:
    forward = ["input", "forward-1", "forward-2", "forward-3", "loss"]
    backward = ["backward-3", "backward-2", "backward-1"]
    update = ["update-1", "update-2", "update-3"]
    assert list(by_name(RICH, 3)) == [*forward, *backward, *update]
    assert list(by_name(RICH, RICH.steps)) == [*forward, *backward]


@for_each("optimizer", ["sgd", "momentum", "adam", "adamw"])
def test_update_is_that_of_the_textbook(optimizer: str) -> None:
    spec = replace(RICH, optimizer=optimizer, steps=4)
    _, _, before, after, _ = textbook(spec)
    rows = [row for i in (1, 2, 3) for row in by_name(spec, 2)[f"update-{i}"]["table"]["rows"]]
    chosen = [*range(3), *range(9, 13), *range(17, 20)]  # the first neuron of each layer
    for place, row in zip(chosen, rows, strict=True):
        numbers = [before.parameters[place], before.gradient[place], after.parameters[place]]
        assert [row[1], row[2], row[-1]] == [brief(x) for x in numbers]


@pytest.mark.parametrize("optimizer", [name for name, one in OPTIMIZERS.items() if one.state])
def test_last_update_of_an_optimizer_is_its_own(optimizer: str) -> None:
    """Another one, whose state may have the same names, begins afresh after it."""
    spec = replace(RICH, optimizer=optimizer, steps=5)
    for other in OPTIMIZERS.keys() - {optimizer}:
        changed = replace(spec, at=changes(f"3:optimizer={other}"))
        assert by_name(changed, 2) == by_name(spec, 2)


def test_sample_and_batch_are_told_apart() -> None:
    batch = segment_at(RICH, 5).batch(5)
    inside = by_name(RICH, 5, batch[1])
    assert "one of the 4 samples in the batch" in inside["input"]["sentence"]
    outside = next(i for i in range(RICH.train_samples) if i not in batch)
    absent = by_name(RICH, 5, outside)
    assert "not in the batch" in absent["input"]["sentence"]
    assert {row[3] for row in absent["backward-1"]["table"]["rows"]} == {"–"}
    test = by_name(RICH, 5, RICH.train_samples)
    assert "test set" in test["input"]["sentence"]
    state = list(textbook(RICH))[5]
    for shown in (inside, absent, test):
        batchwise = [row[4] for row in shown["backward-1"]["table"]["rows"]]
        assert batchwise == [brief(x) for x in state.gradient[:3]]


def test_features_take_the_place_of_inputs() -> None:
    spec = replace(RICH, layers=(2, 3, 1), features=("x2", "x1_squared"))
    named = by_name(spec, 2)
    assert [row[0] for row in named["update-1"]["table"]["rows"]] == ["x₂", "x₁²", "bias"]
    x = LiveRun(spec).kernel.training.inputs[segment_at(spec, 2).batch(2)[0]]
    assert named["input"]["numbers"][0]["texts"] == [brief(x[1]), brief(x[0] * x[0])]


def test_weight_set_by_hand_is_no_update() -> None:
    run = LiveRun(RICH, ((4, 0, 2.5),))
    named = {frame["name"]: frame for frame in frames(run, 3, None)["frames"]}
    row = named["update-1"]["table"]["rows"][0]
    assert row[-1] == "2.500 (by hand)"
    assert named["update-1"]["lines"][1:] == ["changed by hand after this update"]


SIGNS = str.maketrans({"−": "-", "·": "*"})


@pytest.mark.parametrize("spec", [RICH, THREE], ids=["adam", "three"])
def test_shown_numbers_give_the_shown_results(spec: TrainSpec) -> None:
    """Python computes with the numbers as shown, and gets the result as shown."""
    checked = 0
    for frame in by_name(spec, 3).values():
        for line in frame["lines"]:
            parts = ["", *str(line).translate(SIGNS).replace(" ^ ", "**").split(" = ")]
            left, right = parts[-2:]
            if re.search("[a-df-zα-ω∂ℓ′…:]", left + right):
                continue
            shown = float(right)
            tree = ast.parse(left.strip(" =").replace("e-0", "e-"), mode="eval")
            assert _value(tree.body) == pytest.approx(shown, abs=6e-5, rel=6e-5)
            checked += 1
    assert checked > 5


def _value(node: ast.expr) -> float:
    if isinstance(node, ast.Constant):
        return float(node.value)  # type: ignore[arg-type]
    if isinstance(node, ast.UnaryOp):
        return -_value(node.operand)
    assert isinstance(node, ast.BinOp)
    left, right = _value(node.left), _value(node.right)
    if isinstance(node.op, ast.Div):
        return left / right
    if isinstance(node.op, ast.Pow):
        return float(left**right)
    if isinstance(node.op, ast.Mult):
        return left * right
    return left + right if isinstance(node.op, ast.Add) else left - right


def test_address_chooses_step_sample_and_neurons() -> None:
    shown = found("/frames", RICH, step=3, sample=2, neuron="1,2")
    assert (shown["step"], shown["sample"], shown["neurons"]) == (3, 2, [1, 1, 0])
    assert refused("/frames", data="moons", sample="9999")["field"] == "sample"
    assert refused("/frames", data="moons", neuron="a")["field"] == "neuron"
