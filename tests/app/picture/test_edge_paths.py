"""Lines and arrows: they end at their boxes, and no two lie on each other."""

from __future__ import annotations

import re
from itertools import pairwise
from math import hypot

import pytest

from app.picture.dot import LARGE
from app.picture.edge_paths import ARROW_LENGTH, Curve, Point, curve_through, part_twins, route
from app.picture.layout import place
from tests.support.pictures import EXAMPLE, SQUARE, graph, rects


def numbers(path: str) -> list[float]:
    return [float(number) for number in re.findall(r"-?\d+(?:\.\d+)?", path)]


def test_arrows_point_at_the_boxes_they_belong_to() -> None:
    placement = place(graph(EXAMPLE))
    at = rects(placement)
    for edge, found in zip(placement.graph.edges, placement.geometry.routes, strict=True):
        for path, name in ((found.head, edge.head), (found.tail, edge.tail)):
            x, y = numbers(path)[:2]
            box = at[name]
            assert box.x - 2 <= x <= box.x + box.width + 2
            assert box.y - 2 <= y <= box.y + box.height + 2


def test_both_edges_of_a_square_can_be_seen() -> None:
    placement = place(graph(SQUARE))
    routes = [
        route
        for edge, route in zip(placement.graph.edges, placement.geometry.routes, strict=True)
        if edge.kind == "in"
    ]
    assert len(routes) == 2
    a, b = (route.middle for route in routes)
    assert abs(a[0] - b[0]) + abs(a[1] - b[1]) > 4
    assert routes[0].tail != routes[1].tail


def test_twins_are_parted_in_large_graphs_too() -> None:
    program = "x = Value(0.5)\ny = x*x\n" + "y = y*y\n" * 150
    placement = place(graph(program))
    assert len(placement.graph.boxes) > LARGE
    lines = [route.line for route in placement.geometry.routes]
    assert len(set(lines)) == len(lines)


def straight(start: Point, end: Point) -> Curve:
    (x, y), (dx, dy) = start, (end[0] - start[0], end[1] - start[1])
    return curve_through([start, (x + dx / 3, y + dy / 3), (x + 2 * dx / 3, y + 2 * dy / 3), end])


@pytest.mark.parametrize("end", [(100.0, 0.0), (0.0, 100.0), (-60.0, 80.0)])
def test_the_arrows_of_a_straight_line_point_along_it(end: Point) -> None:
    found = route(straight((0.0, 0.0), end))
    assert found.middle == pytest.approx((end[0] / 2, end[1] / 2))
    for path, tip, back in ((found.head, end, (0, 0)), (found.tail, (0, 0), end)):
        x, y, *corners = numbers(path)
        assert (x, y) == pytest.approx(tip)
        base = (corners[0] + corners[2]) / 2, (corners[1] + corners[3]) / 2
        assert hypot(base[0] - x, base[1] - y) == pytest.approx(ARROW_LENGTH, abs=0.1)
        toward = (base[0] - x) * (back[0] - x) + (base[1] - y) * (back[1] - y)
        assert toward == pytest.approx(ARROW_LENGTH * 100, rel=0.02)


def test_a_line_ends_under_its_arrows() -> None:
    line = numbers(route(straight((0.0, 0.0), (100.0, 0.0))).line)
    ends = sorted((line[0], line[-2]))
    assert 1 < ends[0] < ARROW_LENGTH
    assert 100 - ARROW_LENGTH < ends[1] < 99


def test_a_line_shorter_than_an_arrow_is_drawn_too() -> None:
    for end in ((1.0, 0.0), (0.0, 0.0)):
        found = route(straight((0.0, 0.0), end))
        assert all(abs(x) < 2 * ARROW_LENGTH for x in numbers(found.line + found.head + found.tail))


def test_a_spline_of_many_pieces_hangs_together() -> None:
    curve = curve_through([(float(i), float(i * i)) for i in range(10)])
    assert len(curve) == 3
    assert all(one[3] == following[0] for one, following in pairwise(curve))


def test_only_twins_are_bowed() -> None:
    one, other = straight((0.0, 0.0), (50.0, 0.0)), straight((0.0, 0.0), (50.0, 9.0))
    curves = [one, other, list(one)]
    part_twins(curves)
    assert curves[1] == other
    up, down = curves[0][0], curves[2][0]
    assert (up[0], up[3]) == (down[0], down[3]) == ((0.0, 0.0), (50.0, 0.0))
    assert up[1][1] == -down[1][1] != 0
