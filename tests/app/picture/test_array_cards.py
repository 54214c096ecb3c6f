"""Arrays in the picture: closed they are boxes of their cells, and can be opened."""

from __future__ import annotations

import re
from math import prod
from xml.etree import ElementTree as ET

import pytest

from app.picture.array_grid import MOST_CELLS, array_grid
from app.picture.drawing import page_svg, standalone_svg
from app.picture.grouping import VisibleGraph, visible
from app.picture.layout import place
from engine.trace.build import trace
from engine.trace.traced import Trace
from tests.app.picture.test_grouping import boxes
from tests.engine.trace.test_arrays import PROGRAMS, arrays
from tests.support.each import for_each

PRODUCT = trace(PROGRAMS["numpy"])
LARGE = trace(
    "import numpy as np\nw = np.array([[Value(1.0) for j in range(12)] for i in range(9)])\n"
    "L = w.sum()\nL.backward()"
)


def drawn(found: Trace, graph: VisibleGraph, frame: int | None = None) -> str:
    return str(page_svg(found, place(graph), frame))


def shown(x: float) -> str:
    return f"{x:.4f}".replace("-", "−")


def cells(svg: str) -> list[str]:
    return re.findall(r'<g class="value cell[^"]*" data-node="(\w+)"', svg)


@pytest.mark.parametrize("text", PROGRAMS.values(), ids=PROGRAMS)
def test_edges_go_from_box_to_box(text: str) -> None:
    found = trace(text)
    ids = {title: group.id for title, group in arrays(found).items()}
    graph = visible(found)
    assert {box.of for box in boxes(graph, "array")} == set(ids.values())
    inner = {(edge.tail, edge.head) for edge in graph.edges}
    assert {(ids["x"], ids["h"]), (ids["w"], ids["h"]), (ids["h"], ids["h * h"])} <= inner
    assert not any(edge.merged for edge in graph.edges)
    assert graph.clusters == ()


def test_a_box_shows_the_data_and_gradients_of_its_cells_at_each_frame() -> None:
    group = arrays(PRODUCT)["w"]
    graph = visible(PRODUCT)
    for frame, pass_ in ((0, "forward"), (None, "backward")):
        svg = drawn(PRODUCT, graph, frame)
        for cell, data, grad in zip(
            group.cells, (0.5, -1.0, 2.0, 0.25), (9.0, -1.0, 18.0, -2.0), strict=True
        ):
            (body,) = re.findall(rf'<g class="value cell[^"]*" data-node="{cell}".*?</g>', svg)
            assert f'class="data" x="67" y="14">{shown(data)}<' in body
            text = shown(grad) if pass_ == "backward" else "·"
            assert f'class="grad" x="67" y="28">{text}<' in body


def test_a_cell_says_its_name_and_numbers() -> None:
    svg = drawn(PRODUCT, visible(PRODUCT))
    assert 'aria-label="w[1][0], leaf: data 2, gradient 18"' in svg


def test_cells_have_the_places_of_their_elements() -> None:
    grid = array_grid((3, 2))
    places = [(cell.x, cell.y) for cell in grid.cells]
    assert [cell.index for cell in grid.cells] == list(range(6))
    assert places[0][1] == places[1][1] < places[2][1] < places[4][1]
    assert places[0][0] == places[2][0] < places[1][0] == places[3][0]
    row = array_grid((5,))
    assert len({cell.y for cell in row.cells}) == 1
    assert len({cell.x for cell in row.cells}) == 5


@for_each(
    "shape", [(1,), (8,), (36,), (10_000,), (6, 6), (100, 1), (1, 100), (100, 100), (3, 2, 4)]
)
def test_boxes_are_never_too_large(shape: tuple[int, ...]) -> None:
    grid = array_grid(shape)
    assert len(grid.cells) <= MOST_CELLS
    assert len(grid.cells) + grid.hidden == prod(shape)
    assert grid.width < 640
    assert grid.height < 400
    assert all(cell.x >= 0 and cell.y >= 0 for cell in grid.cells)


def test_a_large_array_shows_its_shape_and_its_first_elements() -> None:
    graph = visible(LARGE)
    svg = drawn(LARGE, graph)
    assert ">9 × 12</text>" in svg
    shown = cells(svg)
    assert 0 < len(shown) <= MOST_CELLS
    assert f">… {9 * 12 - len(shown)} more elements</text>" in svg
    (box,) = boxes(graph, "array")
    assert not set(box.inside) & set(shown)
    assert {*box.inside, *shown} == set(arrays(LARGE)["w"].cells)


def test_an_open_array_shows_its_values_in_a_frame() -> None:
    h = arrays(PRODUCT)["h"]
    graph = visible(PRODUCT, frozenset({h.id}))
    assert [cluster.title for cluster in graph.clusters] == ["h"]
    assert [box.cluster for box in boxes(graph, "op") if box.cluster] == [h.id] * 6
    assert {box.of for box in boxes(graph, "value") if box.cluster == h.id} >= set(h.cells)
    assert h.id not in {box.of for box in boxes(graph, "array")}
    assert 'aria-label="h: close"' in drawn(PRODUCT, graph)


@pytest.mark.parametrize("text", PROGRAMS.values(), ids=PROGRAMS)
@pytest.mark.parametrize("grouped", [True, False])
def test_every_choice_of_open_arrays_is_drawn(text: str, grouped: bool) -> None:
    found = trace(text)
    groups = frozenset(group.id for group in found.groups)
    for opened in (None, frozenset[str](), groups, *(frozenset({group}) for group in groups)):
        graph = visible(found, opened, grouped=grouped)
        names = {box.id for box in graph.boxes}
        assert all({edge.tail, edge.head} <= names for edge in graph.edges)
        ET.fromstring(standalone_svg(found, place(graph)))  # noqa: S314  our own


def test_a_box_is_active_while_one_of_its_values_is_computed() -> None:
    h = arrays(PRODUCT)["h"]
    graph = visible(PRODUCT)
    inside = {node.id for node in PRODUCT.nodes if node.group == h.id and node.args}
    for at, frame in enumerate(PRODUCT.frames):
        svg = drawn(PRODUCT, graph, at)
        (look,) = re.findall(rf'<g class="([^"]*)" data-group="{h.id}"', svg)
        is_own = frame.node in inside and bool(frame.contributions or frame.pass_ == "forward")
        assert ("active" in look.split()) == is_own, (at, frame)


def test_the_keyboard_reaches_the_box_and_its_cells() -> None:
    svg = drawn(PRODUCT, visible(PRODUCT))
    (tag,) = re.findall(rf'<g [^>]*data-group="{arrays(PRODUCT)["w"].id}"[^>]*>', svg)
    assert 'tabindex="0" role="button"' in tag
    assert all('tabindex="0"' in tag for tag in re.findall(r'<g class="value cell[^>]*>', svg))


def test_titles_are_escaped() -> None:
    found = trace(
        "import numpy as np\nv = np.array([Value(1.0), Value(1.0)])\n"
        'L = (v * {"<b>&": 2.0}["<b>&"]).sum()\nL.backward()'
    )
    for opened in (None, frozenset(group.id for group in found.groups)):
        graph = visible(found, opened)
        for svg in (drawn(found, graph), standalone_svg(found, place(graph))):
            assert "<b>" not in svg
            assert "&lt;b&gt;&amp;" in svg
