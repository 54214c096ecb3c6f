"""The loss as a landscape: its directions and its losses against definitions."""

from __future__ import annotations

import math
import random

import pytest

from engine.kernel import Run
from engine.runs.landscape import TooLargeError, cells_of, chosen_plane, landscape, main_plane
from engine.training.samples import load
from engine.training.spec import TrainSpec
from engine.training.textbook import evaluate, network

SPEC = TrainSpec(data="four_points", layers=(3, 2, 1), activation="tanh", steps=30)


def loss_at(spec: TrainSpec, parameters: list[float]) -> float:
    """The loss of the scalar engine."""
    found, _, _ = evaluate(spec, network(spec, parameters), load(spec)[0])
    assert found is not None
    return found


def test_losses_are_those_of_the_scalar_engine() -> None:
    found = landscape(Run(SPEC))
    for row, column in ((0, 0), (7, 30), (len(found.ys) - 1, 12)):
        point = found.plane.at(found.xs[column], found.ys[row])
        assert math.isclose(found.losses[row][column], loss_at(SPEC, point), rel_tol=1e-12)


def test_the_path_is_the_runs_own() -> None:
    run, found = Run(SPEC), landscape(Run(SPEC))
    assert found.path[0].step == 0
    assert found.path[-1].step == SPEC.steps
    for place in found.path:
        run.seek(place.step)
        assert math.isclose(place.loss, run.evaluate().loss, rel_tol=1e-13)
        assert found.xs[0] < place.x < found.xs[-1]
        assert found.ys[0] < place.y < found.ys[-1]


def test_a_run_is_left_as_it_was() -> None:
    run = Run(SPEC)
    run.seek(11)
    before = run.parameters()
    run.losses_at([[0.5] * len(before), [0.1] * len(before)])
    assert run.parameters() == before
    run.advance(3)
    other = Run(SPEC)
    other.seek(14)
    assert run.parameters() == other.parameters()


def test_main_directions_are_those_of_the_greatest_extent() -> None:
    """States in a plane of known axes, 3 : 1, in ten dimensions."""
    rng = random.Random(5)
    u = [1 / math.sqrt(10)] * 10
    v = [(-1) ** i / math.sqrt(10) for i in range(10)]
    states = [[0.0] * 10]
    for _ in range(30):
        a, b = 3 * rng.gauss(0, 1), rng.gauss(0, 1)
        states.insert(0, [a * p + b * q for p, q in zip(u, v, strict=True)])
    plane = main_plane(states)
    assert plane.share == pytest.approx(1.0, abs=1e-9)
    assert abs(sum(a * b for a, b in zip(plane.u, u, strict=True))) > 0.98
    for first, second, expected in (
        (plane.u, plane.u, 1),
        (plane.v, plane.v, 1),
        (plane.u, plane.v, 0),
    ):
        inner = sum(a * b for a, b in zip(first, second, strict=True))
        assert inner == pytest.approx(expected, abs=1e-9)
    x, y = plane.place(states[3])
    assert plane.at(x, y) == pytest.approx(states[3], abs=1e-9)


def test_a_path_that_does_not_move_still_has_a_plane() -> None:
    found = landscape(Run(TrainSpec(data="four_points", layers=(3, 1), learning_rate=0.0, steps=3)))
    assert all(map(math.isfinite, (x for row in found.losses for x in row)))


def test_chosen_parameters_are_the_axes() -> None:
    run = Run(SPEC)
    found = landscape(run, (1, 4), step=10)
    run.seek(10)
    at = run.parameters()
    at[1], at[4] = found.xs[5], found.ys[9]
    assert found.plane.at(found.xs[5], found.ys[9]) == at
    assert math.isclose(found.losses[9][5], loss_at(SPEC, at), rel_tol=1e-12)
    with pytest.raises(ValueError, match="different"):
        chosen_plane(at, 1, 1)


def test_a_landscape_is_coarser_for_large_runs_and_refused_for_huge_ones() -> None:
    assert cells_of(SPEC) == 40
    large = TrainSpec(data="moons", samples=1_000, layers=(2, 64, 64, 1))
    assert 6 <= cells_of(large) < 40
    with pytest.raises(TooLargeError, match="fewer samples"):
        cells_of(TrainSpec(data="moons", samples=100_000, layers=(2, 128, 128, 1)))
