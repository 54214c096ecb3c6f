"""The picture on the page and alone: its parts, and what changes in them from frame to frame."""

from __future__ import annotations

from time import perf_counter

import pytest
from lxml import etree

from app.picture.drawing import page_svg, standalone_svg
from app.picture.grouping import visible
from app.picture.layout import place
from app.picture.palette import LIGHT
from engine.trace.build import trace
from tests.support.each import for_each
from tests.support.pictures import EXAMPLE, NETWORK, SVG, alone, groups, page, traced


def marked(svg: etree._Element, name: str) -> set[str]:
    return {g.get("data-node") or g.get("data-of") or "" for g in groups(svg, name)}


# The page's picture


def test_the_picture_of_the_page_has_the_promised_parts() -> None:
    svg = page(traced(EXAMPLE))
    assert svg.get("id") == "picture"
    assert svg.get("role") == "group"
    assert svg.get("aria-label") == "Computation graph of L"
    assert svg.get("data-direction") == "LR"
    assert len(groups(svg, "value")) == 7
    assert {g.get("data-of") for g in groups(svg, "op")} == {"v5", "v6", "v7"}
    assert len(groups(svg, "in")) == 6
    assert {g.get("data-to") for g in groups(svg, "out")} == {"v5", "v6", "v7"}
    for edge in groups(svg, "edge"):
        assert [path.get("class") for path in edge] == ["line", "head", "tail"]
    for card in groups(svg, "value"):
        assert card.get("tabindex") == "0"
        assert card.get("role") == "img"


def test_classes_of_a_forward_frame() -> None:
    svg = page(traced(EXAMPLE), 1)
    assert svg.get("data-pass") == "forward"
    assert marked(svg, "active") == {"v5"}
    assert marked(svg, "changed") == {"v5"}
    assert marked(svg, "source") == {"v1", "v2"}
    assert len(groups(svg, "flow-forward")) == 3
    assert not groups(svg, "flow-backward")


def test_classes_of_a_backward_frame() -> None:
    svg = page(traced(EXAMPLE), 7)
    assert svg.get("data-pass") == "backward"
    assert marked(svg, "active") == {"v5"}
    assert marked(svg, "changed") == {"v1", "v2"}
    assert marked(svg, "source") == {"v5"}
    assert {g.get("data-to") for g in groups(svg, "flow-backward")} == {"v5"}


def test_nothing_flows_to_a_constant() -> None:
    program = trace("a = Value(3.0)\ny = a * 2")
    svg = page(program)
    lit = [g for g in groups(svg, "flow-backward") if "in" in g.get("class", "").split()]
    assert [g.get("data-slot") for g in lit] == ["0"]


def test_an_open_group_can_be_closed() -> None:
    svg = page(traced(NETWORK), grouped=True)
    clusters = groups(svg, "cluster")
    assert len(clusters) == 3
    for cluster in clusters:
        close = groups(cluster, "close")
        assert [g.get("data-close") for g in close] == [cluster.get("data-group")]
        assert close[0].get("role") == "button"
    assert not groups(page(traced(NETWORK), frames=True), "close")


# Alone


@for_each("frame", range(8))
def test_the_standalone_picture_needs_nothing_else(frame: int) -> None:
    text = standalone_svg(traced(EXAMPLE), place(visible(traced(EXAMPLE))), frame)
    svg = etree.fromstring(text)
    assert [child.tag for child in svg][:3] == [f"{SVG}title", f"{SVG}desc", f"{SVG}rect"]
    assert svg.get("viewBox") == f"0 0 {svg.get('width')} {svg.get('height')}"
    for forbidden in ("class=", "style", "url(", "href", "data-", "marker", "context-", "var("):
        assert forbidden not in text
    assert len(text.split("xmlns")) == 2


def test_the_standalone_picture_says_what_it_shows() -> None:
    svg = alone(traced(EXAMPLE), 4)
    assert svg.findtext(f"{SVG}title") == "Computation graph of L"
    assert svg.findtext(f"{SVG}desc") == (
        "7 Values; backward pass, picture 5 of 8. L, output: data −8, gradient 1."
    )


def test_both_pictures_show_the_same_texts() -> None:
    program = traced(NETWORK)
    for grouped in (False, True):
        texts_in_page = page(program, 30, grouped=grouped).iter(f"{SVG}text")
        in_page = [t.text for t in texts_in_page if t.get("class") != "spoken"]
        by_itself = [t.text for t in alone(program, 30, grouped=grouped).iter(f"{SVG}text")]
        assert in_page == by_itself


def test_the_arrow_turns_round_when_gradient_flows() -> None:
    program = traced(EXAMPLE)
    assert standalone_svg(program, place(visible(program)), 2) != standalone_svg(
        program, place(visible(program)), 6
    )
    heads = [p.get("fill") for p in alone(program, 6).iter(f"{SVG}path")]
    assert heads.count(LIGHT.grad) == 3


# Speed


@pytest.mark.parametrize(("program", "milliseconds"), [(EXAMPLE, 5), (NETWORK, 40)])
def test_drawing_is_quick(program: str, milliseconds: float) -> None:
    subject = traced(program)
    placement = place(visible(subject))
    best = 1e9
    for _ in range(5):
        start = perf_counter()
        page_svg(subject, placement, 20)
        best = min(best, perf_counter() - start)
    assert best * 1000 < milliseconds
