"""The pictures of training that the server draws: network, loss, boundary, and data sets."""

from __future__ import annotations

import math
import re
import struct
import zlib
from dataclasses import replace
from functools import cache
from itertools import pairwise
from time import perf_counter
from typing import Any

import pytest
from lxml import etree

from app.picture.palette import DARK, LIGHT, Palette, rgb
from app.train.form import STARTING
from app.train.live_run import LiveRun
from app.train.pictures import loss_svg, network_svg
from app.train.pictures.boundary import HEIGHT, WIDTH, boundary_png
from app.train.pictures.chart import loss_words, ticks
from app.train.pictures.network import (
    MOST,
    THICK,
    THIN,
    network_words,
    places,
    strongest,
    thickness,
)
from app.train.pictures.raster import Raster
from app.train.state import setup, state
from app.train.thumbnails import thumbnail
from engine.numbers import signed
from engine.training.datasets import DATASETS
from engine.training.spec import TrainSpec

SVG = "{http://www.w3.org/2000/svg}"
SINE = TrainSpec(
    data="sine", samples=30, test_share=0.2, layers=(1, 5, 1), activation="tanh", loss="mse",
    optimizer="adam", learning_rate=0.05, steps=200, l2=0.0,
)  # fmt: skip
SPIRALS = TrainSpec(
    data="three_spirals", samples=60, layers=(2, 8, 3), activation="tanh", loss="cross_entropy",
    optimizer="adam", learning_rate=0.05, steps=200,
)  # fmt: skip
FOUR = TrainSpec(
    data="four_points", layers=(3, 2, 1), loss="sum_squares", learning_rate=0.01, steps=9
)
WIDE = TrainSpec(samples=10, layers=(2, 40, 3, 1), steps=2)
DIVERGING = TrainSpec(
    samples=10, layers=(2, 3, 1), activation="linear", loss="mse", learning_rate=500.0,
    schedule="constant", steps=200,
)  # fmt: skip


@cache
def shown(spec: TrainSpec, step: int) -> tuple[dict[str, Any], dict[str, Any]]:
    return setup(spec), state(LiveRun(spec), step, losses=True)


def network(spec: TrainSpec, step: int = 0, page: bool = False) -> etree._Element:
    text = network_svg(*shown(spec, step), page=page)
    return etree.fromstring(text.replace("<svg ", f'<svg xmlns="{SVG[1:-1]}" ') if page else text)


def chart(
    losses: list[Any], test_losses: list[Any] | None = None, steps: int = 10, page: bool = False
) -> str:
    return loss_svg({"steps": steps}, losses, test_losses or [], page)


# PNG


Pixels = list[list[tuple[int, int, int]]]


def decoded(png: bytes) -> Pixels:
    """The pixels of a PNG as `Raster` writes it; checks every chunk."""
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    chunks, at = {}, 8
    while at < len(png):
        (length,) = struct.unpack(">I", png[at : at + 4])
        name, content = png[at + 4 : at + 8], png[at + 8 : at + 8 + length]
        (check,) = struct.unpack(">I", png[at + 8 + length : at + 12 + length])
        assert check == zlib.crc32(name + content)
        chunks[name], at = content, at + 12 + length
    assert list(chunks) == [b"IHDR", b"IDAT", b"IEND"]
    width, height, *how = struct.unpack(">IIBBBBB", chunks[b"IHDR"])
    assert how == [8, 2, 0, 0, 0]
    rows, stride = zlib.decompress(chunks[b"IDAT"]), 3 * width + 1
    assert len(rows) == height * stride
    lines = [rows[y * stride : (y + 1) * stride] for y in range(height)]
    assert all(line[0] == 0 for line in lines)
    return [[(line[x], line[x + 1], line[x + 2]) for x in range(1, stride, 3)] for line in lines]


def near(one: tuple[int, int, int], other: tuple[int, int, int], by: int = 12) -> bool:
    return all(abs(a - b) <= by for a, b in zip(one, other, strict=True))


def test_raster_blends_cells_and_keeps_their_colours() -> None:
    raster = Raster(8, 4, (9, 9, 9))
    red, blue = bytes((200, 0, 0)), bytes((0, 0, 200))
    raster.cells([red + blue, red + blue])
    rows = decoded(raster.png())
    assert rows[0] == rows[3]
    assert rows[0][0] == (200, 0, 0)
    assert rows[0][7] == (0, 0, 200)
    assert [pixel[0] for pixel in rows[0]] == sorted((p[0] for p in rows[0]), reverse=True)


def test_raster_draws_within_its_edges() -> None:
    raster = Raster(20, 20, (0, 0, 0))
    raster.disc((-1, -1), 5, (255, 255, 255))
    raster.line([(-50, 10), (50, 10)], 3, (0, 255, 0))
    rows = decoded(raster.png())
    assert rows[0][0] == (255, 255, 255)
    assert rows[10][0] == rows[10][19] == (0, 255, 0)
    assert rows[15][10] == (0, 0, 0)


def test_line_is_no_darker_where_its_parts_meet() -> None:
    raster = Raster(20, 9, (0, 0, 0))
    raster.line([(2, 4), (10, 4), (17, 4)], 2.4, (100, 100, 100))
    row = decoded(raster.png())[5]
    assert len({row[x] for x in range(4, 16)}) == 1


# The boundary


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


def test_samples_for_testing_are_hollow() -> None:
    plain, now = shown(STARTING, 400)
    tested = [sample for sample in plain["samples"] if sample["test"]]
    assert tested
    one = {**plain, "samples": tested[:1]}
    x, y = spot(plain, *tested[0]["x"])
    assert decoded(boundary_png(one, now))[y][x] == rgb(LIGHT.panel)


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


# The network


def links(svg: etree._Element) -> list[etree._Element]:
    return [p for p in svg.iter(f"{SVG}path") if p.get("stroke-width") and "C" in p.get("d", "")]


def test_every_weight_is_a_link_by_its_sign_and_size() -> None:
    _, now = shown(STARTING, 100)
    found = links(network(STARTING, 100))
    weights = _weights(STARTING, now["parameters"])
    assert len(found) == len(weights) == 2 * 6 + 6 * 4 + 4
    for link, weight in zip(found, weights, strict=True):
        assert link.get("stroke") == (LIGHT.pos if weight >= 0 else LIGHT.neg)
        assert float(link.get("stroke-width", "")) == pytest.approx(thickness(weight), abs=0.01)
        assert link.findtext(f"{SVG}title", "").endswith(f"weight {signed(weight)}")


def _weights(spec: TrainSpec, parameters: list[float]) -> list[float]:
    found, start = [], 0
    for nin, nout in pairwise(spec.layers):
        for _ in range(nout):
            found += parameters[start : start + nin]
            start += nin + 1
    return found


def test_thickness_grows_and_has_an_end() -> None:
    sizes = [thickness(w) for w in (0.0, 0.1, -1.0, 10.0, -1e300, math.inf)]
    assert sizes == sorted(sizes)
    assert sizes[0] == THIN
    assert sizes[-1] == THIN + THICK


def test_neurons_have_maps_and_biases() -> None:
    svg = network(STARTING, 100)
    maps = [g for g in svg.iter(f"{SVG}g") if g.get("shape-rendering")]
    assert len(maps) == 2 + 6 + 4 + 1
    assert all(len(g) > 3 for g in maps)
    assert len(list(svg.iter(f"{SVG}circle"))) == 6 + 4 + 1


def test_map_covers_what_is_not_zero() -> None:
    plain, now = shown(STARTING, 100)
    (first, *_) = [g for g in network(STARTING, 100).iter(f"{SVG}g") if g.get("shape-rendering")]
    runs = re.findall(r"M(\d+) (\d+)h(\d+)v1h-\3z", "".join(p.get("d", "") for p in first))
    cells = {(int(x) + i, int(y)) for x, y, n in runs for i in range(int(n))}
    side = plain["map"]
    assert len(cells) == sum(int(n) for _, _, n in runs) > 0.8 * side * side
    assert all(0 <= x < side and 0 <= y < side for x, y in cells)
    assert now["step"] == 100


def test_one_input_has_curves_for_maps() -> None:
    svg = network(SINE, 200)
    lines = [p for p in svg.iter(f"{SVG}path") if p.get("stroke") == LIGHT.data]
    assert len(lines) == 1 + 5 + 1


def test_neurons_of_more_inputs_have_stripes() -> None:
    svg = network(FOUR, 9)
    texts = {t.text or "" for t in svg.iter(f"{SVG}text")}
    assert {"x₁", "x₂", "x₃"} <= texts
    scaled = [g for g in svg.iter(f"{SVG}g") if "scale" in g.get("transform", "")]
    assert len(scaled) == 3 + 2 + 1


def test_neurons_without_maps_show_their_bias() -> None:
    plain, now = shown(FOUR, 9)
    svg = network_svg(plain, {**now, "maps": None})
    assert len(re.findall(r">[+−]\d+\.\d\d</text>", svg)) == 2 + 1


def test_of_a_wide_layer_the_first_neurons_are_drawn() -> None:
    svg = network(WIDE)
    assert "+ 24 more" in [t.text for t in svg.iter(f"{SVG}text")]
    assert len(links(svg)) == 2 * MOST + MOST * 3 + 3
    largest = TrainSpec(samples=4, layers=(2, 128, 90, 60, 4, 4, 4, 4, 1), steps=1)
    assert len(network_svg(*shown(largest, 0))) < 700_000


@pytest.mark.parametrize("layers", [(2, 1), (1, 1, 1), (2, 16, 16, 1), (16, 128, *(9,) * 6, 2)])
def test_boxes_stay_in_the_picture_and_apart(layers: tuple[int, ...]) -> None:
    columns = places(layers)
    for column in columns:
        for above, below in pairwise(column):
            assert above.y + above.height < below.y
        for box in column:
            assert 0 < box.x < 720 - box.width
            assert 40 < box.y < 560 - box.height
    for one, other in pairwise(columns):
        assert one[0].x + one[0].width < other[0].x


def test_places_depend_on_nothing_but_the_layers() -> None:
    before, after = (network(STARTING, step) for step in (0, 400))
    lines = [[p.get("d") for p in links(svg)] for svg in (before, after)]
    assert lines[0] == lines[1]


def test_network_that_diverged_is_still_drawn() -> None:
    svg = network(DIVERGING, 200)
    assert {p.get("stroke") for p in links(svg)} == {LIGHT.mute}


def test_network_alone_needs_nothing_else_and_on_a_page_no_colours() -> None:
    alone = network_svg(*shown(STARTING, 7))
    for forbidden in ("class=", "style", "url(", "href", "data-", "var("):
        assert forbidden not in alone
    on_page = network_svg(*shown(STARTING, 7), page=True)
    for forbidden in ("style", "url(", "#", "fill=", "stroke=", "xmlns"):
        assert forbidden not in on_page.replace('fill="none"', "")
    assert network(STARTING, 7, page=True).get("role") == "img"
    assert network(STARTING, 7, page=True).get("aria-label") == (
        "Network 2 → 6 → 4 → 1 of 51 parameters, tanh."
    )


def test_network_in_words() -> None:
    plain, now = shown(FOUR, 9)
    assert network_words(plain) == (
        "Network 3 → 2 → 1 of 11 parameters, relu, linear. In each neuron each stripe is a sample."
    )
    assert re.fullmatch(
        r"The largest weight is −?\d\.\d{3,4}, from (input|layer 1, neuron) \d to layer \d, .*\.",
        strongest(plain, now),
    )


# The loss


def curves(text: str) -> dict[str, str]:
    """The path of each curve of a chart on a page."""
    return dict(re.findall(r'class="curve (\w+)" d="([^"]*)"', text))


def test_chart_has_a_curve_of_training_of_testing_and_of_the_run_beside() -> None:
    text = loss_svg({"steps": 4}, [4, 2, 1], [5, 4, 3], True, [4, 1, 0.5])
    assert list(curves(text)) == ["beside", "test", "train"]
    assert all(line.count("L") == 2 for line in curves(text).values())
    assert list(curves(chart([1, 2], page=True))) == ["train"]
    assert 'stroke-dasharray="5 3"' in chart([4, 2], [5, 4])


def test_chart_falls_from_left_to_right() -> None:
    points = re.findall(r"([\d.]+) ([\d.]+)", curves(chart([3.0, 2.0, 0.0], page=True))["train"])
    xs, ys = zip(*[(float(x), float(y)) for x, y in points], strict=True)
    assert list(xs) == sorted(xs)
    assert list(ys) == sorted(ys)


def test_chart_is_broken_where_there_is_no_number() -> None:
    line = curves(chart([3.0, "nan", 2.0, 1.0, "inf"], page=True))["train"]
    assert line.count("M") == 2
    assert "nan" not in line
    assert "inf" not in line


@pytest.mark.parametrize("losses", [[], [1.5], ["nan"], ["nan", "inf"], [0.0, 0.0], [1e300, 1.0]])
def test_chart_of_few_or_odd_losses(losses: list[Any]) -> None:
    etree.fromstring(chart(losses))
    etree.fromstring(chart(losses, page=True))


def test_chart_of_a_long_run_is_small_and_keeps_its_peaks() -> None:
    losses = [1.0] * 100_000
    losses[43_210] = 50.0
    text = chart(losses, steps=100_000, page=True)
    assert len(text) < 30_000
    highest = min(float(y) for y in re.findall(r"[\d.]+ ([\d.]+)", curves(text)["train"]))
    assert highest < 20


def test_chart_alone_needs_nothing_else() -> None:
    text = chart([3.0, 2.0], [4.0, 3.0])
    for forbidden in ("class=", "style", "url(", "href", "var("):
        assert forbidden not in text
    svg = etree.fromstring(text)
    assert svg.findtext(f"{SVG}desc") == "loss 3.000 → 2.000 after 1 step; test loss 3.000"


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (0.0, 1.0, [0.0, 0.5, 1.0]),
        (0.0, 400.0, [0, 100, 200, 300, 400]),
        (0.0, 7.0, [0, 2, 4, 6]),
        (0.0, 1.3e-4, [0, 5e-5, 1e-4]),
        (3.0, 3.0, [3.0]),
    ],
)
def test_ticks_are_round(low: float, high: float, expected: list[float]) -> None:
    assert ticks(low, high) == pytest.approx(expected)


def test_loss_in_words() -> None:
    assert loss_words([]) == "No step yet"
    assert loss_words([1.5]) == "Loss 1.500 before the first step"
    assert loss_words([1.18, 0.0123]) == "loss 1.180 → 0.0123 after 1 step"
    assert loss_words([1.0, 0.5, 0.25], [2.0, 1.0, 0.5]) == (
        "loss 1.000 → 0.2500 after 2 steps; test loss 0.5000"
    )


# Data sets


@pytest.mark.parametrize("name", DATASETS)
def test_thumbnail_shows_the_points_of_a_data_set(name: str) -> None:
    text = thumbnail(name)
    svg = etree.fromstring(text)
    assert svg.get("aria-hidden") == "true"
    assert "style" not in text
    for place in re.findall(r"M([\d.]+) ([\d.]+)h0", text):
        assert 0 < float(place[0]) < 48
        assert 0 < float(place[1]) < 32
    classes = DATASETS[name].classes
    if classes:
        found = {p.get("class") for p in svg}
        assert found == {f"c{i}" for i in range(classes)}
