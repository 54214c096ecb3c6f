"""Looks into a running network: evaluation of the whole set, grids, maps and points."""

from __future__ import annotations

import math

import pytest

from engine.kernel import Run
from engine.ops import ACTIVATIONS
from engine.training.samples import load
from engine.training.textbook import answer, evaluate, network
from tests.support.each import for_each
from tests.support.kernel_runs import SMALL, changed, close


def test_the_whole_set_is_evaluated_as_the_textbook_does() -> None:
    spec = changed(samples=50, test_share=0.4, batch=7, l2=0.01)
    run = Run(spec)
    run.advance(30)
    net = network(spec, run.parameters())
    for which, samples in zip(("train", "test"), load(spec), strict=True):
        loss, accuracy, outputs = evaluate(spec, net, samples)
        score = run.evaluate(which)
        penalty = 0.01 * sum(p * p for p in run.parameters()) if which == "train" else 0.0
        assert loss is not None
        assert close(score.loss, loss + penalty, 1e-12)
        assert score.accuracy == accuracy
        for mine, theirs in zip(run.predictions(which), outputs, strict=True):
            assert mine == pytest.approx(theirs, rel=1e-12)


@for_each("activation", ACTIVATIONS)
def test_grids_and_maps_are_the_networks_own_activations(activation: str) -> None:
    spec = changed(layers=(2, 5, 3, 2), loss="cross_entropy", activation=activation)
    run = Run(spec)
    run.advance(7)
    net = network(spec, run.parameters())
    points = [(x / 4 - 1, y / 3 - 1) for y in range(7) for x in range(9)]
    grid, maps = run.grid(points), run.maps(points)
    assert len(grid) == 2
    assert len(maps) == 5 + 3 + 2
    for at, point in enumerate(points):
        expected = []
        row: object = point
        for layer in net.layers:
            row = layer(row)
            expected += [value.data for value in row]  # type: ignore[attr-defined]
        assert [numbers[at] for numbers in maps] == pytest.approx(expected, rel=1e-12)
        assert [numbers[at] for numbers in grid] == pytest.approx(expected[-2:], rel=1e-12)
        assert [value.data for value in answer(net, point)] == expected[-2:]


@pytest.mark.parametrize("limit", [0.5, 1.0, 7.0])
def test_shades_are_the_same_activations_in_a_byte(limit: float) -> None:
    spec = changed(layers=(2, 5, 3, 2), loss="cross_entropy", activation="relu", samples=30)
    run = Run(spec)
    run.advance(7)
    points = [(x / 10 - 2, y / 11 - 2) for y in range(40) for x in range(50)]
    for numbers, shades in (
        (run.maps(points), run.shades(points, limit)),
        (run.grid(points), run.shades(points, limit, last=True)),
    ):
        assert len(numbers) == len(shades)
        for row, data in zip(numbers, shades, strict=True):
            expected = [min(max(math.floor(x * (127 / limit) + 128.5), 1), 255) for x in row]
            assert list(data) == expected


def test_maps_of_a_large_network_come_in_pieces() -> None:
    spec = changed(layers=(2, 128, 128, 1), init="he", steps=1)
    run = Run(spec)
    points = [(x / 20 - 1, y / 20 - 1) for y in range(40) for x in range(40)]
    maps = run.maps(points)
    assert len(maps) == 257
    one = run.maps([points[1234]])
    assert [numbers[1234] for numbers in maps] == [numbers[0] for numbers in one]
    assert list(run.grid(points)[0]) == list(maps[-1])


def test_looking_changes_nothing() -> None:
    spec = changed(zero_grad=False, batch=4, optimizer="adam", learning_rate=0.01)
    seen, blind = Run(spec), Run(spec)
    for _ in range(20):
        seen.snapshot()
        seen.evaluate()
        seen.predictions()
        seen.grid([(0.5, 0.5)])
        seen.advance(1)
    blind.advance(20)
    assert seen.parameters() == blind.parameters()
    assert seen.snapshot() == blind.snapshot()


def test_points_must_have_the_networks_inputs() -> None:
    for points in ([(1.0,)], [(1.0, 2.0, 3.0), (1.0,)]):
        with pytest.raises(ValueError, match="each point must have 2 numbers"):
            Run(SMALL).grid(points)


def test_points_may_be_changed_between_two_looks() -> None:
    run = Run(SMALL)
    points = [(0.5, 0.25)]
    first = run.grid(points)
    points[0] = (-1.0, 2.0)
    assert run.grid(points) == run.grid([(-1.0, 2.0)]) != first


@for_each("limit", [0.0, -1.0, math.nan, 1e-320])
def test_shades_need_a_limit(limit: float) -> None:
    with pytest.raises(ValueError, match="limit of shades"):
        Run(SMALL).shades([(0.0, 0.0)], limit)


def test_no_score_without_a_test_set() -> None:
    with pytest.raises(ValueError, match="no test set"):
        Run(SMALL).evaluate("test")
