"""The network that the server draws: links, maps, biases, places, words."""

from __future__ import annotations

import math
import re
from base64 import b64decode, b64encode
from itertools import pairwise

import pytest
from lxml import etree

from app.picture.palette import LIGHT, rgb
from app.train.pictures import network_svg
from app.train.pictures.network import (
    MOST,
    THICK,
    THIN,
    network_words,
    places,
    strongest,
    thickness,
)
from app.train.presets import STARTING
from engine.numbers import signed
from engine.training.spec import TrainSpec
from tests.support.train_pictures import DIVERGING, FOUR, SINE, SVG, WIDE, shown


def network(spec: TrainSpec, step: int = 0, page: bool = False) -> etree._Element:
    text = network_svg(*shown(spec, step), page=page)
    return etree.fromstring(text.replace("<svg ", f'<svg xmlns="{SVG[1:-1]}" ') if page else text)


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


def test_nan_has_no_sign() -> None:
    plain, now = shown(STARTING, 0)
    nowhere = b64encode(bytes(len(b64decode(now["maps"])))).decode()
    lost = {**now, "parameters": ["nan"] * len(now["parameters"]), "maps": nowhere}
    svg = etree.fromstring(network_svg(plain, lost))
    cells = [g[0] for g in svg.iter(f"{SVG}g") if g.get("shape-rendering")]
    (grey,) = {rgb(cell.get("fill", "")) for cell in cells}
    assert max(grey) - min(grey) < 20
    assert grey != rgb(LIGHT.map_zero)
    assert {link.get("stroke") for link in links(svg)} == {LIGHT.mute}
    assert {dot.get("fill") for dot in svg.iter(f"{SVG}circle")} == {LIGHT.mute}


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
