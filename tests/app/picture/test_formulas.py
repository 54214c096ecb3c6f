"""Formulas of objects in the picture: closed they look like an operation, and can be opened."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

import pytest

from app.picture.drawing import page_svg, standalone_svg
from app.picture.grouping import VisibleGraph, visible
from app.picture.layout import place
from engine.trace.build import trace
from engine.trace.traced import Trace
from tests.app.picture.test_grouping import boxes, check
from tests.support.own_class import CLASS
from tests.support.programs import node

TANH = trace(f"{CLASS}n = Value(0.5)\nm = Value(0.25)\no = (n + m).tanh()\nL = o * n\nL.backward()")
LOOP = trace(
    f"{CLASS}y = Value(0.5)\nfor k in range(3):\n    y = y.tanh() * 2\nz = y + 1\nz.backward()"
)
CUT = trace(f"{CLASS}a = Value(2.75)\nh = a.rounded()\nL = h * 3\nL.backward()")


def formula(found: Trace) -> str:
    return next(group.id for group in found.groups if group.kind == "formula")


def drawn(found: Trace, graph: VisibleGraph) -> str:
    return str(page_svg(found, place(graph), 0))


def test_a_closed_formula_is_an_operation_between_its_args_and_its_result() -> None:
    graph = visible(TANH)
    check(TANH, graph)
    assert not graph.grouped
    (pill,) = boxes(graph, "formula")
    o, added = node(TANH, "o"), next(n for n in TANH.nodes if n.op == "+" and n.grad is not None)
    assert [edge.tail for edge in graph.edges if edge.head == pill.id] == [added.id]
    assert [(edge.head, edge.kind) for edge in graph.edges if edge.tail == pill.id] == [
        (o.id, "out")
    ]
    assert len(boxes(graph, "op")) == 2  # + and *
    assert len(boxes(graph, "value")) == 5  # n, m, n + m, o, L; no constants of the formula
    assert graph.clusters == ()


def test_one_arrow_without_a_count_stands_for_all_uses_of_an_arg() -> None:
    graph = visible(TANH)
    (pill,) = boxes(graph, "formula")
    (edge,) = [edge for edge in graph.edges if edge.head == pill.id]
    assert len(edge.links) == 2  # 2*x stands twice in the formula
    assert not edge.merged
    assert 'class="badge"' not in drawn(TANH, graph)


def test_an_open_formula_shows_its_operations_in_a_frame() -> None:
    graph = visible(TANH, frozenset({formula(TANH)}))
    check(TANH, graph)
    assert [cluster.title for cluster in graph.clusters] == ["tanh"]
    assert len(boxes(graph, "op")) == 2 + 7
    inside = {box.of for box in graph.boxes if box.cluster == formula(TANH)}
    assert node(TANH, "o").id in inside
    assert node(TANH, "n").id not in inside


def test_each_formula_opens_by_itself() -> None:
    one, two, three = [group.id for group in LOOP.groups if group.kind == "formula"]
    assert [box.of for box in boxes(visible(LOOP), "formula")] == [one, two, three]
    graph = visible(LOOP, frozenset({two}))
    check(LOOP, graph)
    assert [box.of for box in boxes(graph, "formula")] == [one, three]
    assert [cluster.id for cluster in graph.clusters] == [two]


@pytest.mark.parametrize("grouped", [True, False])
def test_groups_around_formulas(grouped: bool) -> None:
    groups = frozenset(group.id for group in LOOP.groups)
    for opened in (None, frozenset[str](), groups):
        graph = visible(LOOP, opened, grouped=grouped)
        check(LOOP, graph)
        place(graph)
    assert {cluster.id for cluster in graph.clusters} == (
        groups if grouped else {g.id for g in LOOP.groups if g.kind == "formula"}
    )


def test_in_a_grouped_picture_formulas_are_closed_at_first() -> None:
    graph = visible(LOOP, None, grouped=True)
    check(LOOP, graph)
    assert all(graph.sections[group].kind != "formula" for group in graph.open)


def test_a_number_that_could_not_be_followed_is_an_operation_that_does_not_open() -> None:
    for opened in (None, frozenset({formula(CUT)})):
        graph = visible(CUT, opened)
        check(CUT, graph)
        (pill,) = boxes(graph, "formula")
        assert pill.inside == ()
        assert [edge.tail for edge in graph.edges if edge.head == pill.id] == [node(CUT, "a").id]
    svg = drawn(CUT, graph)
    assert ">int</text>" in svg
    assert 'class="more"' not in svg
    assert "data-group" not in svg


def test_the_keyboard_reaches_a_formula_and_its_close_button() -> None:
    closed = drawn(TANH, visible(TANH))
    (tag,) = re.findall(r'<g class="op word formula"[^>]*>', closed)
    assert 'tabindex="0" role="button"' in tag
    assert f'data-group="{formula(TANH)}"' in tag
    assert f'data-of="{node(TANH, "o").id}"' in tag
    opened = drawn(TANH, visible(TANH, frozenset({formula(TANH)})))
    (tag,) = re.findall(r'<g class="close"[^>]*>', opened)
    assert f'data-close="{formula(TANH)}"' in tag
    assert 'aria-label="tanh: close"' in tag


def test_the_pill_lights_up_in_every_frame_of_its_formula() -> None:
    placement = place(visible(TANH))
    (pill,) = boxes(placement.graph, "formula")
    for at, frame in enumerate(TANH.frames):
        is_own = frame.pass_ == "forward" and frame.node in (*pill.inside, pill.shown)
        svg = str(page_svg(TANH, placement, at))
        assert ('class="op word formula active"' in svg) == is_own


@pytest.mark.parametrize("found", [TANH, LOOP, CUT])
def test_files_are_well_formed(found: Trace) -> None:
    for opened in (None, frozenset(group.id for group in found.groups)):
        svg = standalone_svg(found, place(visible(found, opened)))
        ET.fromstring(svg)  # noqa: S314  our own


def test_titles_are_escaped() -> None:
    text = CLASS.replace('"tanh"', '"<b>&amp;"')
    found = trace(f"{text}a = Value(0.5)\no = a.tanh()\no.backward()")
    for opened in (None, frozenset({formula(found)})):
        graph = visible(found, opened)
        assert "<b>" not in drawn(found, graph)
        assert "&lt;b&gt;&amp;amp;" in drawn(found, graph)


def test_trained_leaves_are_titled_by_their_names_and_not_by_the_update() -> None:
    text = (
        f"{CLASS}w = [Value(0.1, label=f'w{{i}}') for i in range(9)]\n"
        "for step in range(2):\n    L = Value(0.0)\n"
        "    for x in range(2):\n        for p in w:\n            L = L + p * x\n"
        "    L.backward()\n    for p in w:\n        p.data -= 0.1 * p.grad\n"
    )
    sections = visible(trace(text), grouped=True).sections.values()
    assert [s.title for s in sections if s.kind == "leaves"] == ["w0 … w8"]
