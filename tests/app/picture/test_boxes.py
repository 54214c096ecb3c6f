"""Large graphs as boxes: when, of which titles, with which results."""

from __future__ import annotations

import pytest

from app.explore.caption import caption
from app.picture.direction import fit, larger, most_across, presented
from app.picture.grouping import VisibleGraph, visible
from app.picture.large import enlarged, is_large
from app.picture.layout import place
from engine.trace.build import trace
from tests.support.own_class import CLASS

LIMIT = 40
NETWORK = "n = MLP(3, [4, 4, 1])\no = n([2.0, 3.0, -1.0])"
SAMPLES = (
    "n = MLP(2, [3, 1])\nxs = [[1.0, 2.0], [3.0, 4.0]]\n"
    "loss = sum(n(x)**2 for x in xs) + n([5.0, 6.0])"
)
TURNS = "x = Value(0.5)\nfor k in range(30):\n    x = x * x\n    x = x + 1\nL = x * x"
ROW = "x = Value(0.5)\n" + "x = -x\n" * 45


def drawn(program: str, grouped: bool | None = None, limit: int = 1000) -> VisibleGraph:
    return visible(trace(program), grouped=grouped, over=LIMIT, limit=limit)


def titles(graph: VisibleGraph, kind: str) -> list[str]:
    return [section.title for section in graph.sections.values() if section.kind == kind]


@pytest.mark.parametrize(
    ("program", "boxed"),
    [(NETWORK, True), (TURNS, True), ("a = 2.0\nL = a*a", False)],
)
def test_large_graph_is_drawn_as_boxes(program: str, boxed: bool) -> None:
    assert drawn(program).grouped is boxed
    assert drawn(program, grouped=True).grouped
    assert not drawn(program, grouped=False).grouped


def test_graph_that_cannot_be_drawn_value_by_value_is_boxes_even_if_refused() -> None:
    assert drawn(NETWORK, grouped=False, limit=50).grouped


def test_values_inside_closed_formulas_do_not_make_a_graph_large() -> None:
    """Two objects of a class of the program's own, one of which took sixty operations."""
    program = (
        "class V:\n    def __init__(self, d):\n        self.data = d\n        self.grad = 0.0\n"
        "    def far(self):\n        t = self.data\n        for _ in range(60):\n"
        "            t = t * 1.01 + 0.1\n        return V(t)\na = V(2.0)\nL = a.far()"
    )
    found = trace(program)
    assert len(found.nodes) > LIMIT
    assert not visible(found, over=LIMIT).grouped


def test_network_is_titled_by_its_sample() -> None:
    assert titles(drawn(SAMPLES, True), "mlp") == ["MLP xs[0]", "MLP xs[1]", "MLP [5, 6]"]


def test_loop_is_titled_by_its_line_and_turns_by_their_number() -> None:
    graph = drawn(TURNS)
    assert titles(graph, "loop") == ["for k in range(30)"]
    assert titles(graph, "iteration")[:2] == ["turn 1, line 2", "turn 2, line 2"]


def test_closed_layer_shows_all_its_results_in_order() -> None:
    found = trace(NETWORK)
    layers = [box for box in visible(found, frozenset(), grouped=True).boxes if box.inside]
    names = {node.id: node.name for node in found.nodes}
    shown = [[names[node] for node in box.outputs or [box.shown]] for box in layers]
    assert shown == [
        ["l0.n0", "l0.n1", "l0.n2", "l0.n3"],
        ["l1.n0", "l1.n1", "l1.n2", "l1.n3"],
        ["o"],
    ]


@pytest.mark.parametrize(
    ("program", "opened", "words"),
    [
        (NETWORK, None, "117 Values as 3 layers"),
        (NETWORK, "Neuron l1.n1", "117 Values as 3 layers, 1 neuron open"),
        ("a = 2.0\nL = a*a", None, "2 Values, 1 operation"),
        (f"{CLASS}\nx = Value(2.0)\nL = x.tanh() * x", None, "3 Values, 2 operations"),
    ],
)
def test_caption_says_as_what_values_are_drawn(
    program: str, opened: str | None, words: str
) -> None:
    found, graph = trace(program), drawn(program)
    if opened:
        (one,) = [key for key, s in graph.sections.items() if s.title == opened]
        graph = visible(found, graph.open | {one}, over=LIMIT)
    assert caption(found, graph, 1000) == words


def test_caption_counts_the_turns_of_the_only_loop() -> None:
    assert caption(trace(TURNS), drawn(TURNS), 1000) == "92 Values as 30 turns"


@pytest.mark.parametrize(
    ("program", "direction"),
    [("a=2;b=-3;c=a*b;d=a+c;L=c*d+a", "TB"), ("a = 2.0\nb = 3.0\nL = a*b", "LR")],
)
def test_direction_is_the_one_in_which_the_picture_is_larger(program: str, direction: str) -> None:
    graph = drawn(program)
    chosen = larger(lambda way: place(graph, way), len(graph.boxes))
    assert chosen.direction == direction
    scales = {way: fit(place(graph, way).geometry) for way in ("LR", "TB")}
    assert scales[direction] >= min(1, max(scales.values()))
    assert scales["LR"] <= most_across(place(graph, "TB"))


def test_presented_cards_are_large_and_as_many_as_before() -> None:
    found = trace("a = 2.0\nb = exp(a)\nL = b * a")
    graph = drawn("a = 2.0\nb = exp(a)\nL = b * a")
    large = enlarged(found, graph)
    assert is_large(large)
    assert not is_large(graph)
    assert [box.id for box in large.boxes] == [box.id for box in graph.boxes]
    for box, before in zip(large.boxes, graph.boxes, strict=True):
        assert box.width >= before.width
        assert box.height >= before.height
    many = drawn("x = 1.0\nfor i in range(30):\n    x = x * 1.5")
    assert enlarged(trace("x = 1.0\nfor i in range(30):\n    x = x * 1.5"), many) is many


def test_presented_picture_takes_the_room_that_its_window_has() -> None:
    program = "a=1;b=2;c=3;d=4;e=a*b+c*d;f=e+5.0;L=tanh(f)"
    graph = enlarged(trace(program), drawn(program))
    chosen = {}
    for screen in ((1024, 768), (1920, 1080), (768, 1024)):
        above, beside = presented(screen)
        chosen[screen] = larger(lambda way: place(graph, way), len(graph.boxes), above, beside)
        rooms = {"LR": above, "TB": beside}
        scales = {way: fit(place(graph, way).geometry, rooms[way]) for way in rooms}
        assert scales[chosen[screen].direction] * 1.1 >= max(scales.values())
    assert chosen[1024, 768].direction == "TB"
    assert chosen[1920, 1080].direction == "LR"
    assert presented((768, 1024))[0] == presented((768, 1024))[1]  # no room for words beside it
