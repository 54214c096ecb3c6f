"""Where boxes lie: no overlap, the same every time, on time, from any thread."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import combinations
from time import monotonic

import pytest

from app.picture import graphviz_wasm, layout
from app.picture.dot import structure
from app.picture.graphviz_wasm import (
    Graphviz,
    GraphvizBusy,
    GraphvizError,
    GraphvizStarved,
    GraphvizTimeout,
)
from app.picture.grouping import visible
from app.picture.layout import Geometry, LayoutBusy, LayoutError, LayoutTimeout, place
from app.picture.rect import Rect
from engine.caches import Cache
from engine.trace.build import trace
from tests.support.each import for_each
from tests.support.pictures import EXAMPLE, NETWORK, SLOW, SQUARE, graph, rects


@pytest.fixture(autouse=True)
def _empty_cache() -> Iterator[None]:
    layout._cache.clear()
    layout._failures.clear()
    yield
    layout._cache.clear()
    layout._failures.clear()


def overlap(a: Rect, b: Rect) -> bool:
    apart_x = a.x + a.width <= b.x or b.x + b.width <= a.x
    apart_y = a.y + a.height <= b.y or b.y + b.height <= a.y
    return not (apart_x or apart_y)


@for_each("direction", ["LR", "TB"])
@for_each("program", [EXAMPLE, NETWORK, SQUARE])
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
def test_graph_runs_in_the_requested_direction(direction: str, axis: str) -> None:
    placement = place(graph(EXAMPLE), direction)
    at = rects(placement)
    for edge in placement.graph.edges:
        assert getattr(at[edge.tail], axis) < getattr(at[edge.head], axis)


def test_an_unknown_direction_is_an_error() -> None:
    with pytest.raises(ValueError, match="LR or TB"):
        place(graph(EXAMPLE), "up")


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


def test_a_leaf_used_300_times_is_laid_out_in_time() -> None:
    """Drawn as one card with 300 edges it would take Graphviz minutes."""
    program = "x = Value(0.9)\ny = x\n" + "y = y * x\n" * 300
    placement = place(graph(program), deadline=20.0)
    assert len(placement.graph.boxes) >= 900


def test_a_slow_layout_ends_and_the_next_one_works() -> None:
    with pytest.raises(LayoutTimeout):
        place(graph(SLOW), deadline=0.3)
    assert place(graph(EXAMPLE)).geometry.width > 0


def test_requests_behind_a_slow_layout_end_too() -> None:
    slow = graph(SLOW)
    with ThreadPoolExecutor(3) as pool:
        for future in [pool.submit(place, slow, "LR", 0.4) for _ in range(3)]:
            with pytest.raises((LayoutTimeout, LayoutBusy)):
                future.result()


def use(monkeypatch: pytest.MonkeyPatch, graphviz: object) -> None:
    """Let `graphviz` place small and large graphs."""
    for name in ("_graphviz", "_reserve"):
        monkeypatch.setattr(layout, name, graphviz)


class Refusing:
    """A Graphviz that raises `error`, whatever it is asked, and counts how often it was."""

    def __init__(self, error: type[Exception]) -> None:
        self.error, self.asked = error, 0

    def render(self, source: str, deadline: float) -> bytes:
        self.asked += 1
        raise self.error(f"{len(source)} characters, {deadline:g} s")


@pytest.fixture
def timing_out(monkeypatch: pytest.MonkeyPatch) -> Refusing:
    refusing = Refusing(GraphvizTimeout)
    use(monkeypatch, refusing)
    return refusing


def gives_up(program: str, direction: str = "LR", deadline: float = 2.0) -> bool:
    with pytest.raises(LayoutTimeout):
        place(graph(program), direction, deadline)
    return True


def test_timed_out_layout_costs_its_deadline_once(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(LayoutTimeout):
        place(graph(SLOW), deadline=0.3)
    unused = Refusing(AssertionError)
    use(monkeypatch, unused)
    for deadline in (0.3, 0.2):
        with pytest.raises(LayoutTimeout, match=r"within 0\.3 s"):
            place(graph(SLOW), deadline=deadline)
    assert unused.asked == 0


def test_only_the_same_structure_with_no_more_time_is_refused(timing_out: Refusing) -> None:
    for asked, direction, deadline in (
        (1, "LR", 2.0), (1, "LR", 2.0), (1, "LR", 1.0), (2, "TB", 2.0), (3, "LR", 3.0),
        (3, "LR", 2.5), (3, "TB", 2.0),
    ):  # fmt: skip
        assert gives_up(EXAMPLE, direction, deadline)
        assert timing_out.asked == asked
    assert gives_up(SQUARE)
    assert timing_out.asked == 4


def test_timed_out_layout_is_retried_later(
    timing_out: Refusing, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert gives_up(EXAMPLE)
    now = monotonic()
    for later, asked in ((layout.FORGIVEN - 60, 1), (layout.FORGIVEN + 1, 2)):
        monkeypatch.setattr(layout, "monotonic", lambda later=later: now + later)
        assert gives_up(EXAMPLE)
        assert timing_out.asked == asked
    monkeypatch.undo()
    assert place(graph(EXAMPLE), deadline=20).geometry.width > 0


def test_a_picture_that_is_known_needs_no_time(timing_out: Refusing) -> None:
    assert gives_up(EXAMPLE)
    layout._cache.put(structure(graph(EXAMPLE), "LR"), Geometry(1, 1, (), (), ()), 1)
    assert place(graph(EXAMPLE), deadline=0.1).geometry.width == 1


def test_layout_that_failed_in_graphviz_is_not_retried_with_more_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    refusing = Refusing(GraphvizError)
    use(monkeypatch, refusing)
    for deadline in (1.0, 1.0, 60.0):
        with pytest.raises(LayoutError) as caught:
            place(graph(EXAMPLE), deadline=deadline)
        assert caught.type is LayoutError
    assert refusing.asked == 1


def test_no_turn_in_time_is_not_held_against_a_graph(monkeypatch: pytest.MonkeyPatch) -> None:
    use(monkeypatch, Refusing(GraphvizBusy))
    with pytest.raises(LayoutBusy):
        place(graph(EXAMPLE))
    monkeypatch.undo()
    assert place(graph(EXAMPLE), deadline=20).geometry.width > 0


def test_a_loaded_machine_is_not_held_against_a_graph(monkeypatch: pytest.MonkeyPatch) -> None:
    starved = Refusing(GraphvizStarved)
    use(monkeypatch, starved)
    for asked in (1, 2):
        assert gives_up(EXAMPLE)
        assert starved.asked == asked
    monkeypatch.undo()
    assert place(graph(EXAMPLE), deadline=20).geometry.width > 0


def test_both_memories_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    programs = ["x = 1.0\ny = " + " + ".join(["x"] * terms) for terms in range(2, 8)]
    monkeypatch.setattr(layout, "_cache", Cache(3, 1000))
    for program in programs:
        place(graph(program))
    assert len(layout._cache) == 3
    monkeypatch.setattr(layout, "_cache", Cache(3, 1000))
    monkeypatch.setattr(layout, "_failures", Cache(3, 1000))
    use(monkeypatch, Refusing(GraphvizTimeout))
    for program in programs:
        assert gives_up(program)
    assert len(layout._failures) == 3
    assert len(layout._cache) == 0


def test_a_layout_that_needs_too_much_memory_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(graphviz_wasm, "MEMORY", 3 * 2**20)
    use(monkeypatch, Graphviz())
    with pytest.raises(LayoutError) as caught:
        place(graph(SLOW), deadline=20)
    assert caught.type is LayoutError
    monkeypatch.undo()
    assert place(graph(EXAMPLE)).geometry.width > 0


def test_eight_threads_get_right_answers() -> None:
    graphs = [graph("x = 1.0\ny = " + " + ".join(["x"] * terms)) for terms in range(2, 10)]
    alone = [place(one).geometry for one in graphs]

    def work(number: int) -> bool:
        layout._cache.clear()
        return place(graphs[number % 8]).geometry == alone[number % 8]

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(work, range(160)))


def test_a_small_graph_need_not_wait_for_a_large_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(layout, "_graphviz", Refusing(GraphvizBusy))
    layout._cache.clear()
    assert place(graph(EXAMPLE), deadline=20).geometry.width > 0
    tangled = "x = 1.0\n" + "\n".join(f"v{i} = x*{i}.0" for i in range(20))
    tangled += "\ns = sum([" + ", ".join(f"v{i}*v{i // 3}" for i in range(20)) + "])"
    for program in (SLOW, tangled):
        with pytest.raises(LayoutBusy):
            place(graph(program))


def test_layout_does_not_wait_for_a_busy_engine() -> None:
    layout._cache.clear()
    with layout._graphviz._lock:
        assert layout.is_busy()
        with pytest.raises(LayoutBusy):
            place(graph(SLOW), deadline=3_600.0)
    assert not layout.is_busy()
