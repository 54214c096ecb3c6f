"""Input features: functions of two inputs that the network sees in place of them."""

from __future__ import annotations

import math
from typing import Any

import pytest

from engine.kernel import Run
from engine.training.features import FEATURES, featured
from engine.training.fields import SpecError
from engine.training.spec import TrainSpec
from tests.support.each import for_each

X1, X2 = 0.75, -1.25
VALUES = {
    "x1": X1,
    "x2": X2,
    "x1_squared": 0.5625,
    "x2_squared": 1.5625,
    "x1_x2": -0.9375,
    "sin_x1": math.sin(X1),
    "sin_x2": math.sin(X2),
}


@for_each("name", FEATURES)
def test_the_kernel_sees_every_feature(name: str) -> None:
    """A network of weight 1 and bias 0 answers with its input."""
    spec = TrainSpec(features=(name,), layers=(1, 1), initial=(1.0, 0.0))
    assert featured(spec, (X1, X2)) == (VALUES[name],)
    assert Run(spec).grid([(X1, X2)])[0][0] == pytest.approx(VALUES[name], rel=1e-15)


def test_squares_alone_separate_a_circle_with_one_neuron() -> None:
    given: dict[str, Any] = {
        "data": "circles",
        "loss": "bce",
        "layers": (2, 1),
        "noise": 0.05,
        "steps": 200,
    }
    with_squares = TrainSpec(features=("x1_squared", "x2_squared"), **given)
    reached = [list(Run(spec).snapshots())[-1] for spec in (TrainSpec(**given), with_squares)]
    plain, squared = (state.accuracy for state in reached)
    assert plain is not None
    assert plain < 0.7
    assert squared == 1.0


@for_each(
    ("given", "layers"),
    [
        ({"features": "x1,x2,sin_x1"}, (3, 16, 16, 1)),
        ({"features": "x1_x2", "data": "plane"}, (1, 4, 1)),
        ({"features": "x1, x2"}, (2, 16, 16, 1)),
        # Hidden layers alone, where both ends say so
        ({"layers": "8,8"}, (2, 8, 8, 1)),
        ({"layers": "8-8"}, (2, 8, 8, 1)),
        ({"layers": "8"}, (2, 8, 1)),
        ({"layers": "8,8", "loss": "cross_entropy"}, (2, 8, 8, 2)),
        ({"layers": "8,8", "data": "three_spirals"}, (2, 8, 8, 3)),
        ({"layers": "8,2", "data": "plane"}, (2, 8, 2, 1)),
        ({"layers": "8,8", "features": "x1,x2,x1_x2"}, (3, 8, 8, 1)),
        ({"layers": "8,8", "data": "rows", "rows": "1,2,3,0;4,5,6,1"}, (3, 8, 8, 1)),
    ],
)
def test_the_ends_of_a_network_are_those_of_its_data(
    given: dict[str, str], layers: tuple[int, ...]
) -> None:
    spec = TrainSpec.from_query(given)
    assert spec.layers == layers
    assert TrainSpec.from_query(spec.to_query()) == spec == TrainSpec.from_json(spec.to_json())


@for_each(
    ("given", "field", "says"),
    [
        ({"layers": [8, 1]}, "layers", "write 2-1"),
        ({"layers": [2, 8]}, "layers", "end with 1 or 2"),
        ({"layers": [8, 2]}, "layers", "write 2-2"),
        ({"layers": "1"}, "layers", "give the inputs and the size of each layer"),
        ({"layers": "8,1"}, "layers", "write 2-1"),
        ({"layers": "2,8"}, "layers", "end with 1 or 2"),
        ({"layers": [8, 8]}, "layers", "write 2-8"),
        ({"layers": [0, 8]}, "layers", r"layers\[0\] is 0"),
        ({"layers": [2, 8, 1], "features": ["x1"]}, "layers", "1 feature: write 1-8-1"),
        ({"features": ["x1"], "data": "sine"}, "features", "features are of two inputs"),
        ({"features": ["x1", "x1"]}, "features", "twice"),
        ({"features": ["sin_x3"]}, "features", "did you mean sin_x"),
        ({"features": [3]}, "features", "not known"),
        ({"features": "x1"}, "features", "give a list"),
    ],
)
def test_what_does_not_fit_is_refused(given: dict[str, Any], field: str, says: str) -> None:
    with pytest.raises(SpecError, match=says) as refused:
        TrainSpec.from_json(given)
    assert refused.value.field == field


def test_plain_inputs_in_their_order_are_no_features() -> None:
    assert TrainSpec(features=("x1", "x2")) == TrainSpec()
    assert TrainSpec(features=("x2", "x1")).features == ("x2", "x1")
    assert "features" not in TrainSpec().to_json()
