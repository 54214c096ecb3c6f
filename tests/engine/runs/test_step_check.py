"""A step checked in fifty digits: what is right agrees, what is wrong does not."""

from __future__ import annotations

import math
from typing import Any

import mpmath
import pytest

from engine.kernel.run import Run
from engine.ops import OPS
from engine.runs.step_check import LossTooLarge, agreeing, check_step
from engine.training.losses import LOSSES
from engine.training.optim import OPTIMIZERS
from engine.training.samples import load
from engine.training.spec import TrainSpec
from tests.support.each import for_each

SMALL = {"layers": "2-3-1", "batch": 5, "steps": 40, "seed": 7, "learning_rate": 0.05}
ACTIVATIONS = [op.name for op in OPS.values() if op.activation]
SPECS: list[dict[str, Any]] = [
    *({"loss": name} for name in LOSSES if name != "cross_entropy"),
    {"loss": "cross_entropy", "data": "three_spirals", "layers": "2-4-3"},
    *({"activation": name} for name in ACTIVATIONS),
    *({"optimizer": name, "learning_rate": 0.01} for name in OPTIMIZERS),
    {"dropout": 0.4, "layers": "2-6-4-1"},
    {"l1": 0.01, "l2": 0.03},
    {"features": ["x1", "x2", "x1_x2"], "layers": "3-3-1"},
    {"data": "sine", "layers": "1-4-1"},
    {"batch": "all"},
]


def at(step: int, **settings: Any) -> Run:
    run = Run(TrainSpec(**{**SMALL, **settings}))
    run.seek(step)
    return run


@for_each("settings", SPECS, ids=str)
def test_the_kernel_is_right_for_every_entry_of_the_tables(settings: dict[str, Any]) -> None:
    for step in (0, 17, 40):
        found = check_step(at(step, **settings))
        assert not found.is_direction
        assert len(found.rows) == found.parameters
        assert found.digits > 12 or all(row.at_kink for row in found.rows)
        assert all(row.digits == 17 for row in found.rows if row.at_kink)


def test_the_differences_are_those_of_the_loss_written_out_with_mpmath() -> None:
    run = at(11, activation="tanh", output_activation="tanh", loss="mse", l2=0.02)
    spec, found = run.spec, check_step(run)
    training, _ = load(spec)
    mp = mpmath.MPContext()
    mp.dps = 60

    def loss(*p: Any) -> Any:
        total = mp.mpf(0)
        for i in run.batch_of(11):
            x, y = map(mp.mpf, training.inputs[i])
            hidden = [mp.tanh(p[3 * k] * x + p[3 * k + 1] * y + p[3 * k + 2]) for k in range(3)]
            out = mp.tanh(sum(w * h for w, h in zip(p[9:12], hidden, strict=True)) + p[12])
            total += (out - mp.mpf(training.targets[i][0])) ** 2
        return total / 5 + mp.mpf(0.02) * sum(w * w for w in p)

    point = [mp.mpf(x) for x in run.parameters()]
    for i, row in enumerate(found.rows):
        right = mp.diff(lambda t, i=i: loss(*point[:i], t, *point[i + 1 :]), point[i])
        assert row.difference == pytest.approx(float(right), rel=1e-15)
    assert [row.name for row in found.rows][-5:] == [
        "l0.n2.b",
        "l1.n0.w0",
        "l1.n0.w1",
        "l1.n0.w2",
        "l1.n0.b",
    ]


@for_each("settings", [{"accumulate": False}, {"zero_grad": False}], ids=str)
@for_each("layers", ["2-3-1", "2-40-40-1"])
def test_a_wrong_gradient_is_told(settings: dict[str, Any], layers: str) -> None:
    found = check_step(at(9, **settings, layers=layers))
    assert found.is_direction == (layers != "2-3-1")
    assert found.digits < 3


def test_a_large_network_is_checked_along_a_direction() -> None:
    found = check_step(at(5, layers="2-40-40-1", activation="tanh"))
    assert found.is_direction
    assert found.parameters == 2 * 40 + 40 + 40 * 40 + 40 + 40 + 1
    assert found.digits > 12


def test_at_a_kink_the_gradient_lies_between_the_slopes_on_both_sides() -> None:
    """|b| at b = 0: the slopes of the penalty are −0.1 and 0.1, and the kernel takes 0."""
    run = at(0, activation="tanh", l1=0.1)
    run.set_parameters([0.0 if i == 2 else x for i, x in enumerate(run.parameters())])
    found = check_step(run)
    bias = found.rows[2]
    assert (bias.name, bias.at_kink, bias.digits) == ("l0.n0.b", True, 17)
    assert math.isnan(bias.difference)
    assert [row.at_kink for row in found.rows].count(True) == 1
    assert found.digits > 12


def test_one_that_would_take_minutes_is_refused_with_advice() -> None:
    run = at(0, layers="2-128-128-1", activation="gelu", batch="all", samples=1000)
    with pytest.raises(LossTooLarge, match="Take a smaller batch or network"):
        check_step(run)


def test_agreeing_digits() -> None:
    assert agreeing([1.0], [1.0]) == 17
    assert agreeing([0.0], [0.0]) == 17
    assert agreeing([1.001], [1.0]) == pytest.approx(3, abs=0.01)
    assert agreeing([-1.0], [1.0]) == 0
    assert math.isnan(agreeing([math.inf], [1.0]))
