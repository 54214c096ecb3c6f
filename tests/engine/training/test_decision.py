"""The threshold between two classes, in every path that counts correct answers."""

from __future__ import annotations

import math

import pytest

from engine.nn import LINEAR
from engine.ops import ACTIVATIONS, OPS
from engine.runs.run import train
from engine.training.decision import chosen, reach, threshold_of
from engine.training.losses import LOSSES
from engine.training.spec import TrainSpec
from engine.training.textbook import textbook
from tests.support.each import for_each

RANGES = {
    "tanh": (-1, 1), "sigmoid": (0, 1), "relu": (0, math.inf), "softplus": (0, math.inf),
    "leaky_relu": (-math.inf, math.inf), LINEAR: (-math.inf, math.inf),
    "silu": (-0.27846, math.inf), "gelu": (-0.16997, math.inf),
}  # fmt: skip
"""Ranges of the activations from their definitions; the minima of silu and gelu to five digits."""


@for_each("name", [*ACTIVATIONS, LINEAR])
def test_the_range_of_an_activation(name: str) -> None:
    low, high = reach(name)
    assert (low, high) == pytest.approx(RANGES.get(name, (low, high)), abs=1e-5)
    assert name == LINEAR or all(low <= OPS[name].compute(x) <= high for x in (-9.0, 0.3, 9.0))


@for_each("loss", LOSSES)
def test_a_sigmoid_separates_at_a_half_and_a_linear_output_at_0(loss: str) -> None:
    assert threshold_of(loss, "sigmoid") == 0.5
    assert threshold_of(loss, "tanh") == threshold_of(loss, LINEAR) == 0
    assert (chosen([0.01], 0.5), chosen([0.9], 0.5), chosen([0.1, 0.3, 0.3])) == (0, 1, 1)


@for_each("loss", ["sum_squares", "mse", "hinge", "bce"])
def test_a_separator_of_outputs_near_0_and_near_1_is_right_everywhere(loss: str) -> None:
    """σ(±4.6) is 0.99 and 0.01: the classes are apart, although every output is positive."""
    spec = TrainSpec(
        data="rows", rows=((-1.0, 0.0), (1.0, 1.0)), layers=(1, 1), output_activation="sigmoid",
        loss=loss, l2=0.0, learning_rate=0.0, initial=(4.6, 0.0), steps=1,
    )  # fmt: skip
    if not spec.classifies:
        spec = TrainSpec(**{**spec.to_json(), "rows": ((-1.0, -1.0), (1.0, 1.0))})
    assert [state.accuracy for run in (textbook, train) for state in run(spec)] == [1.0] * 4
