"""Pictures for tests, and queries on them."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from lxml import etree

from app.picture.drawing import page_svg, standalone_svg
from app.picture.grouping import VisibleGraph, visible
from app.picture.layout import Placement, place
from app.picture.rect import Rect
from engine.trace.build import trace
from engine.trace.traced import Trace

SVG = "{http://www.w3.org/2000/svg}"
EXAMPLE = "a = 2.0\nb = -3.0\nc = 10.0\nf = -2.0\nL = (a*b + c) * f"
NETWORK = "n = MLP(3, [4, 4, 1])\nL = n([2.0, 3.0, -1.0])"
SQUARE = "x = 3.0\ny = x * x"
SLOW = "x = Value(0.9, label='x')\nh = x * x\ny = h\n" + "y = y * h\n" * 400
"""A program whose layout exceeds Graphviz's deadline or memory limit."""


@cache
def traced(program: str) -> Trace:
    return trace(program)


def graph(program: str, **options: bool) -> VisibleGraph:
    return visible(traced(program), **options)  # type: ignore[arg-type]


def page(program: Trace, frame: int | None = None, **options: bool) -> etree._Element:
    graph = visible(program, **options)  # type: ignore[arg-type]
    return etree.fromstring(page_svg(program, place(graph), frame))


def alone(program: Trace, frame: int | None = None, **options: bool) -> etree._Element:
    graph = visible(program, **options)  # type: ignore[arg-type]
    return etree.fromstring(standalone_svg(program, place(graph), frame))


def groups(svg: etree._Element, name: str) -> list[etree._Element]:
    return [g for g in svg.iter(f"{SVG}g") if name in g.get("class", "").split()]


def by_node(svg: etree._Element) -> dict[str, etree._Element]:
    return {g.get("data-node", ""): g for g in groups(svg, "value")}


def texts(element: etree._Element) -> dict[str, str]:
    return {t.get("class", ""): t.text or "" for t in element.iter(f"{SVG}text")}


def rects(placement: Placement) -> dict[str, Rect]:
    return dict(zip((b.id for b in placement.graph.boxes), placement.geometry.boxes, strict=True))


def labelled(label: str) -> Trace:
    """EXAMPLE with one label on every Value."""
    example = traced(EXAMPLE)
    nodes = tuple(node._replace(label=label, name=label) for node in example.nodes)
    return replace(example, nodes=nodes)
