"""Where boxes lie: no overlap, the same every time, on time, from any thread."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import combinations
from time import perf_counter

import pytest

from app import layout
from app.grouping import Graph, visible
from app.layout import LayoutError, LayoutTimeout, Placement, Rect, dot_source, place
from engine.trace import trace

EXAMPLE = "a = 2.0\nb = -3.0\nc = 10.0\ne = a*b\nd = e + c\nf = -2.0\nL = d * f"
NETWORK = "n = MLP(3, [4, 4, 1])\nL = n([2.0, 3.0, -1.0])"
SQUARE = "x = 3.0\ny = x * x"
SLOW = "x = Value(0.9, label='x')\nh = x * x\ny = h\n" + "y = y * h\n" * 400


@pytest.fixture(autouse=True)
def _empty_cache() -> Iterator[None]:
    layout._cache.clear()
    yield
    layout._cache.clear()


def graph(program: str, **options: bool) -> Graph:
    return visible(trace(program), **options)  # type: ignore[arg-type]


def rects(placement: Placement) -> dict[str, Rect]:
    return dict(zip((b.id for b in placement.graph.boxes), placement.geometry.boxes, strict=True))


def overlap(a: Rect, b: Rect) -> bool:
    apart_x = a.x + a.width <= b.x or b.x + b.width <= a.x
    apart_y = a.y + a.height <= b.y or b.y + b.height <= a.y
    return not (apart_x or apart_y)


def numbers(path: str) -> list[float]:
    return [float(number) for number in re.findall(r"-?\d+(?:\.\d+)?", path)]


@pytest.mark.parametrize("direction", ["LR", "TB"])
@pytest.mark.parametrize("program", [EXAMPLE, NETWORK, SQUARE])
def test_boxes_keep_their_size_and_do_not_overlap(program: str, direction: str) -> None:
    placement = place(graph(program), direction)
    for box, rect in zip(placement.graph.boxes, placement.geometry.boxes, strict=True):
        assert (rect.width, rect.height) == (box.width, box.height)
        assert rect.x >= 0
        assert rect.y >= 0
        assert rect.x + rect.width <= placement.geometry.width
        assert rect.y + rect.height <= placement.geometry.height
    assert not [pair for pair in combinations(placement.geometry.boxes, 2) if overlap(*pair)]


@pytest.mark.parametrize(("direction", "axis"), [("LR", "x"), ("TB", "y")])
def test_the_graph_runs_in_the_direction_asked_for(direction: str, axis: str) -> None:
    placement = place(graph(EXAMPLE), direction)
    at = rects(placement)
    for edge in placement.graph.edges:
        assert getattr(at[edge.tail], axis) < getattr(at[edge.head], axis)


def test_an_unknown_direction_is_an_error() -> None:
    with pytest.raises(ValueError, match="LR or TB"):
        place(graph(EXAMPLE), "up")


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


def test_the_same_graph_gets_the_same_geometry() -> None:
    first = place(graph(NETWORK)).geometry
    layout._cache.clear()
    assert place(graph(NETWORK)).geometry == first


def test_numbers_change_nothing_and_need_no_layout(monkeypatch: pytest.MonkeyPatch) -> None:
    program = trace(EXAMPLE)
    before = place(visible(program)).geometry

    def no_layout(*_: object) -> bytes:
        raise AssertionError("laid out again")

    monkeypatch.setattr(layout._graphviz, "render", no_layout)
    changed = trace(EXAMPLE, {"a": -1e300, "b": 0.1})
    assert changed.nodes != program.nodes
    assert place(visible(changed)).geometry is before


def test_another_structure_is_another_layout() -> None:
    one, other = place(graph("a = 1.0\ny = a + a")), place(graph("a = 1.0\nb = 1.0\ny = a + b"))
    assert one.geometry != other.geometry
    assert place(one.graph, "TB").geometry != one.geometry


def test_the_cache_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(layout, "CACHE_ENTRIES", 3)
    for terms in range(2, 8):
        place(graph("x = 1.0\ny = " + " + ".join(["x"] * terms)))
    assert len(layout._cache) == 3
    monkeypatch.setattr(layout, "CACHE_ITEMS", 20)
    place(graph(EXAMPLE))
    assert len(layout._cache) == 1


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
    assert len(placement.graph.boxes) > layout.LARGE
    lines = [route.line for route in placement.geometry.routes]
    assert len(set(lines)) == len(lines)


def test_arrows_point_at_the_boxes_they_belong_to() -> None:
    placement = place(graph(EXAMPLE))
    at = rects(placement)
    for edge, route in zip(placement.graph.edges, placement.geometry.routes, strict=True):
        for path, name in ((route.head, edge.head), (route.tail, edge.tail)):
            x, y = numbers(path)[:2]
            box = at[name]
            assert box.x - 2 <= x <= box.x + box.width + 2
            assert box.y - 2 <= y <= box.y + box.height + 2


def test_open_groups_lie_around_their_members() -> None:
    placement = place(graph(NETWORK, grouped=True))
    frames = dict(
        zip((c.id for c in placement.graph.clusters), placement.geometry.clusters, strict=True)
    )
    assert frames
    for box, rect in zip(placement.graph.boxes, placement.geometry.boxes, strict=True):
        for name, frame in frames.items():
            if name == box.cluster:
                assert frame.x < rect.x
                assert rect.x + rect.width < frame.x + frame.width
                assert frame.y < rect.y - 15  # room for the title
                assert rect.y + rect.height < frame.y + frame.height


def test_no_text_of_a_visitor_reaches_graphviz() -> None:
    label = 'URL=javascript:alert(1) <TABLE> "x"'
    source = dot_source(graph(f"secret = Value(1.0, label={label!r})\ny = secret * secret"), "LR")
    assert "secret" not in source
    assert "alert" not in source


def test_an_often_used_leaf_is_quick() -> None:
    program = "x = Value(0.9)\ny = x\n" + "y = y * x\n" * 300
    start = perf_counter()
    placement = place(graph(program))
    assert len(placement.graph.boxes) >= 900
    assert perf_counter() - start < 2.0


def test_a_slow_layout_ends_on_time_and_the_next_one_works() -> None:
    slow = graph(SLOW)
    start = perf_counter()
    with pytest.raises(LayoutTimeout):
        place(slow, deadline=0.3)
    assert 0.2 < perf_counter() - start < 1.5
    assert place(graph(EXAMPLE)).geometry.width > 0


def test_nobody_waits_for_ever_behind_a_slow_layout() -> None:
    slow = graph(SLOW)
    with ThreadPoolExecutor(3) as pool:
        start = perf_counter()
        futures = [pool.submit(place, slow, "LR", 0.4) for _ in range(3)]
        for future in futures:
            with pytest.raises(LayoutTimeout):
                future.result()
        assert perf_counter() - start < 4


def test_a_layout_that_needs_too_much_memory_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(layout, "MEMORY", 3 * 2**20)
    monkeypatch.setattr(layout._graphviz, "_instance", None)
    with pytest.raises(LayoutError):
        place(graph(SLOW), deadline=20)
    monkeypatch.undo()
    layout._graphviz._instance = None
    assert place(graph(EXAMPLE)).geometry.width > 0


def test_eight_threads_get_right_answers() -> None:
    graphs = [graph("x = 1.0\ny = " + " + ".join(["x"] * terms)) for terms in range(2, 10)]
    alone = [place(one).geometry for one in graphs]

    def work(number: int) -> bool:
        layout._cache.clear()
        return place(graphs[number % 8]).geometry == alone[number % 8]

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(work, range(160)))


def test_an_interpreter_that_used_it_ends_quietly() -> None:
    code = "from app.layout import warm_up; warm_up()"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr == ""


def test_it_works_where_no_cache_can_be_written() -> None:
    code = "from app.layout import warm_up; warm_up()"
    environment = {"PATH": "", "HOME": "/nonexistent", "XDG_CACHE_HOME": "/dev/null/none"}
    done = subprocess.run([sys.executable, "-c", code], env=environment, check=True)
    assert done.returncode == 0
