"""Contributions on edges: what came along each, how strong its line is, where its number goes."""

from __future__ import annotations

import json
import re
from itertools import combinations

import pytest
from lxml import etree

from app.picture.amounts import edge_amounts
from app.picture.contributions import Carried, Contributions, contributions
from app.picture.drawing import page_svg, standalone_svg
from app.picture.edge_labels import spots
from app.picture.grouping import VisibleGraph, visible
from app.picture.inline_style import WIDTHS
from app.picture.layout import place
from app.picture.rect import Rect
from app.picture.steps import folded
from engine.trace import trace_json
from engine.trace.build import trace as fresh
from engine.trace.traced import Trace
from tests.support.own_class import CLASS, OVERWRITES
from tests.support.pages import get
from tests.support.pictures import SVG, groups
from tests.support.places import ROOT
from tests.support.traces import EACH, trace

FAN = "a = 2.0\nb = -3.0\nc = a*b\nd = a + c\nL = c*d + a"
"""∂L/∂a = 1 (from L) − 6 (from d) + 30 (from c = ab, whose gradient is −4 − 6, times b = −3)."""
SQUARE = f"{CLASS}\na = Value(3.0)\ny = a * a\ny.backward()"
TANH = f"{CLASS}\na = Value(0.5)\ny = a.tanh()\ny.backward()"
SAMPLE = r"\.strengths \.s(\d) \{ height: ([\d.]+)px"


def drawn(found: Trace, graph: VisibleGraph) -> Contributions:
    return contributions(found, folded(found, {section.id for section in graph.clusters}))


def come(text: str, frame: int | None = None) -> dict[tuple[str, str], Carried | None]:
    """What has come along each edge, by the names of its ends."""
    found = trace(text)
    graph, names = visible(found), found.names()
    shown = drawn(found, graph)
    at = len(found.frames) - 1 if frame is None else frame
    return {
        (names[link.source], f"{names[link.to]}.{link.slot}"): shown.at(edge, at)
        for edge in graph.edges
        for link in edge.links
        if edge.kind == "in"
    }


def amounts(text: str, frame: int | None = None) -> dict[tuple[str, str], float | None]:
    return {key: one.amount for key, one in come(text, frame).items() if one is not None}


def test_each_edge_has_the_contribution_of_its_use() -> None:
    assert amounts(FAN) == {
        ("c*d", "L.0"): 1, ("a", "L.1"): 1, ("c", "c*d.0"): -4, ("d", "c*d.1"): -6,
        ("a", "d.0"): -6, ("c", "d.1"): -6, ("a", "c.0"): 30, ("b", "c.1"): -20,
    }  # fmt: skip


def test_a_frame_shows_what_has_come_so_far_and_what_is_new() -> None:
    assert amounts(FAN, 5) == {}  # the seed
    assert amounts(FAN, 6) == {("c*d", "L.0"): 1, ("a", "L.1"): 1}
    before, now = come(FAN, 7)["a", "L.1"], come(FAN, 7)["d", "c*d.1"]
    assert before is not None
    assert now is not None
    assert (before.is_new, now.is_new) == (False, True)


def test_a_line_is_as_wide_as_the_root_of_its_share_of_the_largest() -> None:
    """Of eight widths: √(1/30) · 8 = 1.5, √(6/30) · 8 = 3.6, √(20/30) · 8 = 6.5."""
    levels = {key: one.level for key, one in come(FAN).items() if one}
    assert levels["a", "c.0"] == "s8"
    assert levels["b", "c.1"] == "s7"
    assert levels["a", "d.0"] == "s4"
    assert levels["a", "L.1"] == "s2"
    found = trace(FAN)
    assert drawn(found, visible(found)).samples() == [("s2", "1"), ("s4", "6"), ("s8", "30")]


def test_what_is_not_finite_or_nothing_has_a_line_of_its_own() -> None:
    levels = {key: one.level for key, one in come("x = Value(0.0)\ny = log(x) * 0").items() if one}
    assert levels == {("x", "log(x).0"): "odd", ("log(x)", "y.0"): "s0"}


def test_the_two_edges_of_a_square_have_one_contribution_each() -> None:
    built_in, own = amounts("a = Value(3.0)\ny = a * a"), amounts(SQUARE)
    assert built_in == own == {("a", "y.0"): 3, ("a", "y.1"): 3}


def test_a_write_of_an_own_class_is_on_the_edge_that_it_came_along() -> None:
    """An assignment brings what it sets, whatever it throws away: y = a·2 + a."""
    text = "\na = Value(3.0)\nb = a * 2.0\ny = b + a\ny.backward()"
    assert amounts(OVERWRITES + text)["a", "y.1"] == 1
    assert amounts(OVERWRITES + text)["a", "b.0"] == 2


def test_a_closed_formula_has_one_contribution_and_an_open_one_none_inside() -> None:
    """1 − tanh(0.5)² = 0.786…"""
    found = trace(TANH)
    graph = visible(found)
    (edge,) = [edge for edge in graph.edges if edge.kind == "in"]
    carried = drawn(found, graph).at(edge, len(found.frames) - 1)
    assert carried is not None
    assert carried.amount == pytest.approx(0.7864477329659274)
    opened = visible(found, frozenset(group.id for group in found.groups))
    inside = drawn(found, opened)
    assert not any(inside.at(edge, len(found.frames) - 1) for edge in opened.edges)


def test_edges_merged_at_a_closed_group_have_a_sum_or_a_count() -> None:
    """f is a²b: to a come wu's w = 6 and, by w, a·b = 6 more; to b comes a² = 4."""
    function = "def f(u, v):\n    w = u * v\n    return w * u\n"
    text = f"{function}a = Value(2.0)\nb = Value(3.0)\nL = f(a, b) + a * b"
    found = trace(text)
    graph = visible(found, frozenset(), grouped=True)
    shown = drawn(found, graph)
    sums = {
        found.names()[edge.links[0].source]: shown.at(edge, len(found.frames) - 1)
        for edge in graph.edges
        if edge.merged and edge.head in graph.sections
    }
    assert {name: one.amount for name, one in sums.items() if one} == {"a": 12, "b": 4}
    assert {name: one.count for name, one in sums.items() if one} == {"a": 2, "b": 1}


@pytest.mark.parametrize("direction", ["LR", "TB"])
@EACH
def test_numbers_overlap_no_box_and_no_other_number(text: str, direction: str) -> None:
    found = trace(text)
    for grouped in (False, True):
        placement = place(visible(found, grouped=grouped), direction)
        taken = [spot.rect for spot in spots(placement) if spot]
        for one, other in combinations(taken, 2):
            assert not overlap(one, other)
        for rect in taken:
            assert not any(overlap(rect, box) for box in placement.geometry.boxes)


def overlap(one: Rect, other: Rect) -> bool:
    across = min(one.x + one.width, other.x + other.width) - max(one.x, other.x)
    down = min(one.y + one.height, other.y + other.height) - max(one.y, other.y)
    return across > 0 and down > 0


@EACH
def test_every_picture_can_be_drawn_with_them(text: str) -> None:
    found = trace(text)
    for grouped in (False, True):
        placement = place(visible(found, grouped=grouped))
        page = etree.fromstring(page_svg(found, placement, None, True))
        edges = len(groups(page, "edge"))
        assert all(int(label.get("data-edge", "")) < edges for label in groups(page, "amount"))
        assert etree.fromstring(standalone_svg(found, placement, None, True)) is not None


def test_every_edge_of_a_small_tall_picture_has_its_number() -> None:
    svg = etree.fromstring(page_svg(trace(FAN), place(visible(trace(FAN)), "TB"), None, True))
    numbers = [group.findtext(f"{SVG}text") for group in groups(svg, "amount")]
    assert sorted(filter(None, numbers)) == sorted(["1", "1", "−4", "−6", "−6", "−6", "30", "−20"])
    titles = [group.findtext(f"{SVG}title") for group in groups(svg, "amount")]
    assert "a receives 30.0 through c" in titles
    strengths = {look for edge in groups(svg, "made") for look in edge.get("class", "").split()[3:]}
    assert {"s2", "s4", "s8"} <= strengths


def test_the_standalone_picture_has_the_same_numbers() -> None:
    found = trace(FAN)
    placement = place(visible(found), "TB")
    page = etree.fromstring(page_svg(found, placement, 8, True))
    alone = etree.fromstring(standalone_svg(found, placement, 8, True))
    shown = [group.findtext(f"{SVG}text") for group in groups(page, "amount")]
    texts = [text.text for text in alone.iter(f"{SVG}text")]
    for number in filter(None, shown):
        assert number in texts
    assert 'stroke-width="3.45"' in etree.tostring(alone).decode()  # −6 of 30


def test_widths_in_files_are_those_of_the_page() -> None:
    sheet = (ROOT / "static/css/contributions.css").read_text("utf-8")
    for kind, pattern in (("edge", r"\.made\.s(\d) \{ --width: ([\d.]+)px"), ("sample", SAMPLE)):
        widths = {int(level): float(width) for level, width in re.findall(pattern, sheet)}
        found = {level: round(width, 2) for level, width in WIDTHS.items()}
        assert widths == found, kind


def test_positions_are_those_without_numbers() -> None:
    found = trace(FAN)
    placement = place(visible(found))
    plain, with_numbers = (
        etree.fromstring(page_svg(found, placement, 8, amounts)) for amounts in (False, True)
    )
    for name in ("value", "op"):
        assert [group.get("transform") for group in groups(plain, name)] == [
            group.get("transform") for group in groups(with_numbers, name)
        ]


def arrivals(text: str) -> list[list[object]]:
    """What the page's scripts are given for the edges, in the order of frames."""
    found = trace(text)
    known = json.loads(edge_amounts(found, place(visible(found), "TB")).json)
    return sorted((one for come in known.values() for one in come), key=lambda one: one[:2])


def test_scripts_are_given_what_each_edge_shows() -> None:
    assert arrivals(FAN) == [
        [6, 0, "s2", "1", "c*d receives 1.0 through L"],
        [6, 1, "s2", "1", "a receives 1.0 through L"],
        [7, 0, "s3", "−4", "c receives −4.0 through c*d"],
        [7, 1, "s4", "−6", "d receives −6.0 through c*d"],
        [8, 0, "s4", "−6", "a receives −6.0 through d"],
        [8, 1, "s4", "−6", "c receives −6.0 through d"],
        [9, 0, "s8", "30", "a receives 30.0 through c"],
        [9, 1, "s7", "−20", "b receives −20.0 through c"],
    ]


def test_a_dragged_leaf_renews_what_edges_show() -> None:
    """y = a·k: ∂y/∂a stays k = 3, and ∂y/∂k becomes the new a."""
    program = "a = Value(2.0)\nk = Value(3.0)\ny = a * k"
    page = get("/numbers", program, edges="contributions", a="5.5")
    known = json.loads(page.one(id="amounts-next").text)
    assert sorted(one[3] for come in known.values() for one in come) == ["3", "5.5"]
    assert page.one(id="strengths-next").text == " contribution 3, 5.5"


def test_traces_are_written_for_the_page() -> None:
    """A write names the op that it is a contribution of, and the amount."""
    found = json.loads(trace_json.write(fresh(SQUARE)))
    written = [frame["written"] for frame in found["frames"] if "written" in frame]
    y = next(node["id"] for node in found["nodes"] if node["label"] == "y")
    assert [(one.get("user"), one.get("amount")) for one in written][-2:] == [(y, 3.0), (y, 3.0)]
