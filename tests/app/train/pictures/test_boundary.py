"""The decision boundary that the server draws: shades, samples, curves."""

from __future__ import annotations

import math
from base64 import b64decode, b64encode
from collections import Counter
from dataclasses import replace
from time import perf_counter
from typing import Any

import pytest

from app.picture.palette import DARK, LIGHT, Palette, rgb
from app.train.pictures.boundary import HEIGHT, WIDTH, boundary_png
from app.train.presets import STARTING
from engine.training.spec import TrainSpec
from tests.support.train_pictures import DIVERGING, FOUR, SINE, SPIRALS, decoded, shown


def near(one: tuple[int, int, int], other: tuple[int, int, int], by: int = 12) -> bool:
    return all(abs(a - b) <= by for a, b in zip(one, other, strict=True))


def spot(plain: dict[str, Any], x: float, y: float) -> tuple[int, int]:
    """The pixel at a place."""
    left, right, low, high = plain["bounds"]
    return int((x - left) / (right - left) * WIDTH), int((high - y) / (high - low) * HEIGHT)


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
def test_boundary_is_shaded_by_the_answer_and_has_its_points(palette: Palette) -> None:
    plain, now = shown(STARTING, 400)
    rows = decoded(boundary_png(plain, now, dark=palette is DARK))
    assert (len(rows[0]), len(rows)) == (WIDTH, HEIGHT)
    assert near(rows[5][5], rgb(palette.map_neg))
    assert near(rows[-5][-5], rgb(palette.map_pos))
    for sample in plain["samples"][:5]:
        x, y = spot(plain, *sample["x"])
        assert rows[y][x] == rgb(palette.classes[int(sample["y"])])


@pytest.mark.parametrize("spec", [STARTING, SPIRALS], ids=["one output", "three classes"])
def test_nan_has_the_colour_of_no_number(spec: TrainSpec) -> None:
    plain, now = shown(spec, 0)
    nowhere = {**now, "grid": b64encode(bytes(len(b64decode(now["grid"])))).decode()}
    rows = decoded(boundary_png({**plain, "samples": []}, nowhere))
    (colour,) = {pixel for row in rows for pixel in row}
    assert max(colour) - min(colour) < 20  # grey
    assert colour != rgb(LIGHT.map_zero)


def test_samples_for_testing_are_hollow() -> None:
    plain, now = shown(STARTING, 400)
    tested = [sample for sample in plain["samples"] if sample["test"]]
    assert tested
    one = {**plain, "samples": tested[:1]}
    x, y = spot(plain, *tested[0]["x"])
    assert decoded(boundary_png(one, now))[y][x] == rgb(LIGHT.panel)


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
def test_targets_of_a_regression_have_the_colours_of_the_scale(palette: Palette) -> None:
    plain, now = shown(TrainSpec(data="plane"), 0)
    ends = {1.0: palette.map_pos, 0.0: palette.map_zero, -1.0: palette.map_neg}
    for share, colour in ends.items():
        sample = {"x": [0.1, 0.1], "y": share * plain["limit"], "test": False}
        x, y = spot(plain, 0.1, 0.1)
        rows = decoded(boundary_png({**plain, "samples": [sample]}, now, dark=palette is DARK))
        assert rows[y][x] == rgb(colour)


@pytest.mark.parametrize(("spec", "classes"), [(STARTING, 2), (SPIRALS, 3)])
def test_a_flat_picture_has_a_colour_for_each_class(spec: TrainSpec, classes: int) -> None:
    plain, now = shown(spec, 100)
    rows = decoded(boundary_png({**plain, "samples": []}, now, flat=True))
    most = Counter(pixel for row in rows for pixel in row).most_common(classes + 1)
    assert sum(count for _, count in most[:classes]) > 0.9 * WIDTH * HEIGHT  # but for the borders
    assert most[classes - 1][1] > 10 * most[classes][1]


def test_test_samples_are_left_out() -> None:
    plain, now = shown(STARTING, 100)
    trained = {**plain, "samples": [each for each in plain["samples"] if not each["test"]]}
    assert boundary_png(plain, now, tests=False) == boundary_png(trained, now)
    assert boundary_png(plain, now) != boundary_png(trained, now)


def test_classes_have_colours_of_their_own() -> None:
    plain, now = shown(SPIRALS, 200)
    rows = decoded(boundary_png({**plain, "samples": []}, now))
    strong = [rgb(colour) for colour in LIGHT.classes[:3]]
    found = [min(range(3), key=lambda i: math.dist(strong[i], p)) for row in rows for p in row]
    assert all(found.count(i) > 1_000 for i in range(3))


def test_one_input_is_a_curve_through_its_samples() -> None:
    plain, now = shown(SINE, 200)
    rows = decoded(boundary_png({**plain, "samples": []}, now))
    xs, ys = now["curve"]
    for x, y in list(zip(xs, ys, strict=True))[5:-5:10]:
        column, row = spot(plain, x, y)
        assert near(rows[row][column], rgb(LIGHT.data), 90)
    assert sum(p != rgb(LIGHT.map_zero) for row in rows for p in row) < WIDTH * 40


def test_a_network_of_three_inputs_has_no_picture() -> None:
    assert len({p for row in decoded(boundary_png(*shown(FOUR, 9))) for p in row}) == 1


def test_numbers_that_are_not_finite_are_drawn_as_far_as_they_can_be() -> None:
    plain, now = shown(DIVERGING, 200)
    assert now["loss"] == "nan"
    assert decoded(boundary_png(plain, now))
    curve = replace(SINE, learning_rate=10_000.0, optimizer="sgd", activation="linear")
    plain, now = shown(curve, 200)
    assert "nan" in now["curve"][1]
    assert decoded(boundary_png(plain, now))


def test_boundary_is_quick() -> None:
    plain, now = shown(STARTING, 400)
    best = 1e9
    for _ in range(5):
        start = perf_counter()
        boundary_png(plain, now)
        best = min(best, perf_counter() - start)
    assert best < 0.4
