"""Leaves moved: the output is the program's own with other numbers, the prediction is linear."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.trace.build import trace
from engine.trace.nudge import GRID, HALF, curve, movable, surface

TEXT = "a = Value(2.0)\nb = Value(-3.0)\nL = tanh(a * b / 4) + a * a"


def test_output_is_that_of_the_program_run_with_the_moved_leaf() -> None:
    found = trace(TEXT)
    along = curve(found, found.nodes[0], 1.0)
    assert len(along.samples) == 2 * HALF + 1
    for sample in along.samples[::16]:
        moved = trace(TEXT, {"a": sample.x})
        assert sample.output == next(n.data for n in moved.nodes if n.label == "L")


def test_prediction_is_the_gradient_times_the_move() -> None:
    found = trace(TEXT)
    along = curve(found, found.nodes[0], 0.1)
    y = math.tanh(-1.5)
    assert along.grad == pytest.approx((1 - y * y) * -3 / 4 + 4, rel=1e-12)
    for sample in along.samples:
        assert sample.predicted == along.grad * sample.h
    assert along.samples[HALF].h == 0.0


@given(st.floats(0.01, 10), st.floats(-3, 3))
def test_rest_of_a_square_is_the_square_of_the_move(reach: float, x: float) -> None:
    """(x + h)² − x² − 2xh = h²: the prediction is off by that."""
    found = trace(f"a = Value({x!r})\ny = a * a")
    along = curve(found, found.nodes[0], reach)
    for s in along.samples:
        assert s.output - along.here - s.predicted == pytest.approx(s.h**2, rel=1e-6, abs=1e-11)


def test_surface_has_the_output_at_its_points_and_the_tangent_along_the_gradient() -> None:
    text = "a = Value(1.0)\nb = Value(2.0)\nL = a * b + b"
    found = trace(text)
    land = surface(found, found.nodes[:2], 0.5)
    assert land.grads == (2.0, 2.0)  # b, a + 1
    for i, row in enumerate(land.heights):
        for j, z in enumerate(row):
            a, b = (0.5 * (2 * k / GRID - 1) for k in (j, i))
            assert z == pytest.approx((1 + a) * (2 + b) + 2 + b, rel=1e-12)
    size = math.hypot(2, 2)
    for s in land.samples:
        assert s.predicted == pytest.approx(size * s.h, rel=1e-12, abs=1e-15)
        a = b = s.h / math.sqrt(2)
        assert s.output == pytest.approx((1 + a) * (2 + b) + 2 + b, rel=1e-12)


def test_only_leaves_that_the_output_is_followed_from_can_be_moved() -> None:
    found = trace("a = Value(2.0)\nb = Value(3.0)\nL = a * b")
    assert [leaf.id for leaf in movable(found)] == ["v1", "v2"]
    assert movable(trace("print(1)")) == []
