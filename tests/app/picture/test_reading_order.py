"""Order: the first arg above the second, neurons as in their layer."""

from __future__ import annotations

import pytest

from app.picture.edge_paths import Point
from app.picture.layout import place
from app.picture.reading_order import flaws, is_mirrored, traded_places
from engine.trace.build import trace
from tests.support.pictures import EXAMPLE, NETWORK, graph, rects


def test_first_args_lie_above_second_ones() -> None:
    for program in (EXAMPLE, "b = 1.0\na = 2.0\ny = a / b", "x = 2.0\ny = (x*3 + 1) * (x - 4)"):
        at = rects(place(graph(program)))
        for node in trace(program).nodes:
            if len(node.args) == 2 and all(arg in at for arg in node.args):
                assert at[node.args[0]].y < at[node.args[1]].y


def test_neurons_of_a_layer_stand_in_order() -> None:
    placement = place(graph(NETWORK, grouped=True))
    titles = {
        placement.graph.sections[name].title: rect.y
        for name, rect in rects(placement).items()
        if name in placement.graph.sections
    }
    rows = [titles[f"Neuron l0.n{index}"] for index in range(4)]
    assert rows == sorted(rows)


SUM = "a = 1.0\nb = 2.0\ny = a + b"
UPRIGHT = {"v1": (0.0, 0.0), "v2": (0.0, 90.0), "v3.op": (90.0, 45.0), "v3": (180.0, 45.0)}
"""Where the boxes of SUM may lie, y downwards."""


def swapped(places: dict[str, Point]) -> dict[str, Point]:
    return places | {"v1": places["v2"], "v2": places["v1"]}


def centres(places: dict[str, Point]) -> list[Point]:
    return [places[box.id] for box in graph(SUM).boxes]


def turned(places: dict[str, Point]) -> dict[str, Point]:
    """The same from top to bottom."""
    return {name: (y, x) for name, (x, y) in places.items()}


def test_args_in_the_wrong_order_are_a_flaw() -> None:
    for places, direction in ((UPRIGHT, "LR"), (turned(UPRIGHT), "TB")):
        assert flaws(graph(SUM), centres(places), direction) == 0
        assert flaws(graph(SUM), centres(swapped(places)), direction) == 1


def test_a_crossing_is_two_flaws() -> None:
    program = graph("a = 1.0\nb = 2.0\nx = -a\ny = -b\nz = x + y")
    places = {box.id: (0.0, 0.0) for box in program.boxes}
    places |= {"v1": (0, 0), "v2": (0, 90), "v3.op": (90, 0), "v4.op": (90, 90), "v3": (180, 0)}
    places |= {"v4": (180, 90), "v5.op": (270, 45), "v5": (360, 45)}
    assert flaws(program, [places[box.id] for box in program.boxes], "LR") == 0
    places |= {"v3.op": (90, 90), "v4.op": (90, 0)}
    assert flaws(program, [places[box.id] for box in program.boxes], "LR") == 4


def test_a_mirror_image_is_recognised() -> None:
    up = {name: (x, -y) for name, (x, y) in UPRIGHT.items()}  # as Graphviz has it
    assert not is_mirrored(graph(SUM), centres(up), "LR")
    assert is_mirrored(graph(SUM), centres(swapped(up)), "LR")
    down = turned(UPRIGHT)
    assert not is_mirrored(graph(SUM), centres(down), "TB")
    assert is_mirrored(graph(SUM), centres(swapped(down)), "TB")


@pytest.mark.parametrize("direction", ["LR", "TB"])
def test_equals_trade_places_and_take_their_lines_along(direction: str) -> None:
    subject = graph(SUM)
    names = [box.id for box in subject.boxes]
    upright = UPRIGHT if direction == "LR" else turned(UPRIGHT)
    for places in (upright, swapped(upright)):
        boxes, lines = traded_places(subject, centres(places), direction)
        got = {name: centres(places)[at] for name, at in zip(names, boxes, strict=True)}
        assert got == upright
        for edge, line in zip(subject.edges, lines, strict=True):
            assert names[boxes[names.index(edge.tail)]] == subject.edges[line].tail
