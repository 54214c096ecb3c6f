"""What is drawn of a trace: everything, or groups that can be opened."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.picture.grouping import LIMIT, Box, VisibleGraph, _Picture, visible
from engine.trace.build import trace
from engine.trace.traced import Trace

EXAMPLE = "a = 2.0\nb = -3.0\nc = 10.0\nL = (a*b + c) * a"
NETWORK = "n = MLP(3, [4, 4, 1])\nx = [2.0, 3.0, -1.0]\nL = n(x)"
BATCH = (
    "n = MLP(3, [4, 4, 1])\nxs = [[1.0, 2.0, 3.0], [3.0, 2.0, 1.0], [0.0, 1.0, 0.0]]\n"
    "ys = [n(x) for x in xs]\nloss = sum(y**2 for y in ys)"
)
LONG = "x = Value(0.5)\ny = x\n" + "y = -y\n" * 1200


def boxes(graph: VisibleGraph, kind: str) -> list[Box]:
    return [box for box in graph.boxes if box.kind == kind]


def check(program: Trace, graph: VisibleGraph) -> None:
    """Every computed Value is drawn once or inside one group, and no edge hangs in the air."""
    names = {box.id for box in graph.boxes}
    assert len(names) == len(graph.boxes)
    assert all(edge.tail in names and edge.head in names for edge in graph.edges)
    shown = Counter(box.of for box in graph.boxes if box.kind == "value" and not box.copy)
    shown.update(node for box in graph.boxes for node in box.inside)
    copied = {box.of for box in graph.boxes if box.copy}
    for node in program.nodes:
        if node.kind != "constant":
            assert shown[node.id] == (node.id not in copied), node
    clusters = {cluster.id for cluster in graph.clusters}
    assert all(box.cluster is None or box.cluster in clusters for box in graph.boxes)


def test_a_small_trace_is_drawn_whole() -> None:
    program = trace(EXAMPLE)
    graph = visible(program)
    check(program, graph)
    assert not graph.grouped
    assert not graph.clusters
    assert [box.of for box in boxes(graph, "op")] == [n.id for n in program.nodes if n.op]
    assert [box.of for box in boxes(graph, "value")] == [n.id for n in program.nodes]
    assert all(len(edge.links) == 1 for edge in graph.edges)


def test_edges_follow_the_args_in_order() -> None:
    program = trace(EXAMPLE)
    edges = [edge for edge in visible(program).edges if edge.kind == "in"]
    links = [(link.source, link.to, link.slot) for edge in edges for link in edge.links]
    assert links == [(arg, n.id, i) for n in program.nodes for i, arg in enumerate(n.args)]


@pytest.mark.parametrize("text", ["y = x * x", "y = x + x", "y = max(x, x)"])
def test_a_value_used_twice_by_one_op_has_two_edges_from_one_card(text: str) -> None:
    graph = visible(trace(f"x = 3.0\n{text}"))
    edges = [edge for edge in graph.edges if edge.kind == "in"]
    assert [edge.links[0].slot for edge in edges] == [0, 1]
    assert len({edge.tail for edge in edges}) == 1
    assert len(boxes(graph, "value")) == 2


def test_an_often_used_leaf_is_copied_for_each_op() -> None:
    program = trace("x = Value(2.0)\ny = x*x + x + x.sin() + x.cos() + x.exp()")
    graph = visible(program, copy_over=4)
    copies = [box for box in graph.boxes if box.copy]
    assert [(box.copy, box.copies) for box in copies] == [(n, 5) for n in range(1, 6)]
    square = next(node for node in program.nodes if node.op == "*")
    assert len({e.tail for e in graph.edges if e.head == f"{square.id}.op"}) == 1
    assert not [box for box in visible(program, copy_over=5).boxes if box.copy]


def test_a_constant_is_drawn_at_each_use() -> None:
    program = trace("def f(k, x):\n    return (x * k + k) ** k\na = Value(1.0)\nb = f(2, a)")
    graph = visible(program)
    constants = [box for box in graph.boxes if "constant" in box.shape]
    assert len(constants) == 3
    for box in constants:
        assert len([edge for edge in graph.edges if edge.tail == box.id]) == 1


def test_computed_values_are_never_copied() -> None:
    graph = visible(trace("x = 2.0\ny = x*x\nz = " + " + ".join(["y"] * 12)))
    assert not [box for box in graph.boxes if box.copy]


def test_groups_are_closed_on_request() -> None:
    program = trace(NETWORK)
    graph = visible(program, frozenset(), grouped=True)
    check(program, graph)
    assert graph.grouped
    assert not graph.open
    assert [graph.sections[b.of].title for b in boxes(graph, "group")] == [
        "Layer l0", "Layer l1", "Layer l2",
    ]  # fmt: skip
    assert not boxes(graph, "value")  # inputs and parameters are used inside one layer only


def test_edges_between_the_same_boxes_are_merged() -> None:
    graph = visible(trace(NETWORK), frozenset(), grouped=True)
    assert [len(edge.links) for edge in graph.edges] == [16, 4]
    assert all(link.source != link.to for edge in graph.edges for link in edge.links)


def test_neurons_are_what_opens_by_itself() -> None:
    program = trace(NETWORK)
    graph = visible(program, grouped=True)
    check(program, graph)
    kinds = Counter(graph.sections[box.of].kind for box in boxes(graph, "group"))
    assert kinds == {"neuron": 9}
    assert {cluster.kind for cluster in graph.clusters} == {"layer"}
    inputs = boxes(graph, "value")
    assert len(inputs) == 3
    assert all(box.cluster is None for box in inputs)  # they belong to no layer


def test_an_open_group_shows_its_members_in_a_frame() -> None:
    program = trace(NETWORK)
    closed = visible(program, grouped=True)
    neuron = boxes(closed, "group")[0]
    graph = visible(program, closed.open | {neuron.of}, grouped=True)
    check(program, graph)
    drawn = {box.of for box in graph.boxes if box.cluster == neuron.of and box.kind == "value"}
    assert set(neuron.inside) == drawn
    assert neuron.of in {cluster.id for cluster in graph.clusters}
    assert graph.open == closed.open | {neuron.of}


def test_a_group_inside_a_closed_one_stays_hidden() -> None:
    program = trace(NETWORK)
    neuron = next(group.id for group in program.groups if group.kind == "neuron")
    graph = visible(program, frozenset({neuron, "no such group"}), grouped=True)
    assert not graph.open
    check(program, graph)


def test_a_closed_group_knows_its_values() -> None:
    program = trace(NETWORK)
    first = boxes(visible(program, grouped=True), "group")[0]
    nodes = {node.id: node for node in program.nodes}
    assert first.shown == first.inside[-1]
    assert nodes[first.shown].op == "tanh"
    assert Counter(nodes[i].op for i in first.inside) == {None: 4, "*": 3, "+": 3, "tanh": 1}


def test_shared_parameters_are_one_box() -> None:
    program = trace(BATCH)
    graph = visible(program, grouped=True)
    check(program, graph)
    leaves = [box for box in graph.boxes if box.shape == "leaves"]
    assert len(leaves) == 1
    assert len(leaves[0].inside) == 41
    assert graph.sections[leaves[0].of].title == "MLP(3, [4, 4, 1])"
    opened = visible(program, graph.open | {leaves[0].of}, grouped=True)
    check(program, opened)
    assert len(boxes(opened, "value")) >= 41


def test_all_groups_can_be_framed_in_a_whole_picture() -> None:
    program = trace(NETWORK)
    graph = visible(program, frames=True)
    check(program, graph)
    assert not graph.grouped
    assert len(graph.clusters) == len(program.groups)
    assert not boxes(graph, "group")
    outer_first = [cluster.id for cluster in graph.clusters]
    for cluster in graph.clusters:
        if cluster.parent is not None:
            assert outer_first.index(cluster.parent) < outer_first.index(cluster.id)


def test_a_large_trace_is_grouped_by_itself() -> None:
    program = trace("n = MLP(8, [32, 32, 1])\nL = n([0.5] * 8)")
    assert len(program.nodes) > LIMIT
    graph = visible(program)
    check(program, graph)
    assert graph.grouped
    assert len(graph.boxes) < 100


def test_long_straight_programs_are_gathered_by_lines() -> None:
    program = trace(LONG)
    graph = visible(program)
    check(program, graph)
    assert graph.grouped
    assert len(boxes(graph, "group")) <= 100
    titles = [graph.sections[box.of].title for box in boxes(graph, "group")]
    assert titles[0].startswith("lines 1–")
    assert all(box.of.startswith("lines-") for box in boxes(graph, "group"))
    inner = boxes(graph, "group")[3].of
    opened = visible(program, graph.open | {inner})
    check(program, opened)
    assert inner in opened.open
    assert len(opened.boxes) > len(graph.boxes)


def test_many_values_in_one_line_are_gathered_too() -> None:
    program = trace("x = Value(1.0)\ny = sum([x] * 1500)")
    graph = visible(program)
    check(program, graph)
    assert 2 <= len(boxes(graph, "group")) <= 100


def test_many_turns_of_a_loop_are_gathered() -> None:
    program = trace("y = Value(0.5)\nfor i in range(900):\n    y = (y + 1).tanh()")
    graph = visible(program)
    check(program, graph)
    assert len(boxes(graph, "group")) <= 100
    assert "…" in graph.sections[boxes(graph, "group")[0].of].title


def test_the_limit_holds_for_any_open_groups() -> None:
    program = trace(LONG)
    everything = frozenset(visible(program).sections)
    graph = visible(program, everything, limit=300)
    check(program, graph)
    cards = boxes(graph, "value") + boxes(graph, "group")
    assert len([box for box in cards if not box.copy]) <= 300
    assert graph.refused
    assert not set(graph.refused) & graph.open


def test_shape_does_not_depend_on_numbers() -> None:
    small, large = trace(EXAMPLE), trace(EXAMPLE, {"a": 1e9, "b": 0.0})
    assert visible(small) == visible(large)


@given(
    opened=st.sets(st.integers(0, 60)), limit=st.integers(5, 400), copy_over=st.integers(1, 6),
    program=st.sampled_from([EXAMPLE, NETWORK, BATCH]),
)  # fmt: skip
def test_every_choice_of_open_groups_shows_every_value(
    opened: set[int], limit: int, copy_over: int, program: str
) -> None:
    subject = TRACES[program]
    names = frozenset(f"g{number}" for number in opened)
    check(subject, visible(subject, names, limit, copy_over, grouped=True))


TRACES = {program: trace(program) for program in (EXAMPLE, NETWORK, BATCH)}


def test_frames_are_looked_for_once_in_a_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    """Once for each group would be a second where there are thousands."""
    looked: list[int] = []
    find = _Picture._used_clusters

    def counted(self: _Picture) -> set[str]:
        looked.append(1)
        return find(self)

    monkeypatch.setattr(_Picture, "_used_clusters", counted)
    assert visible(TRACES[BATCH], grouped=True).boxes
    assert len(looked) == 1


def opened(program: str) -> list[str]:
    """The titles of the groups that are open at first, in their order in the trace."""
    found = trace(program)
    graph = visible(found, grouped=True)
    return [section.title for key, section in graph.sections.items() if key in graph.open]


def test_of_several_samples_the_first_ones_network_is_open() -> None:
    assert [title.partition(" ")[0] for title in opened(BATCH)].count("MLP") == 1
    loop = (
        "n = MLP(2, [3, 1])\nloss = Value(0.0)\nfor x in [[1.0, 2.0], [3.0, 1.0], [0.0, 1.0]]:\n"
        "    y = n(x)\n    loss = loss + y*y"
    )
    found = opened(loop)
    assert [title for title in found if title.startswith("turn")] == ["turn 1, line 3"]
    assert any("Layer" in title for title in found)


def test_steps_in_time_are_no_samples() -> None:
    """Each turn's network takes what the one before gave."""
    program = (
        "n = MLP(2, [2, 1])\nh = Value(0.5)\nfor x in [1.0, -2.0, 3.0]:\n    h = n([h, x])\nL = h*h"
    )
    turns = [title for title in opened(program) if title.startswith("turn")]
    assert turns == ["turn 1, line 3", "turn 2, line 3", "turn 3, line 3"]
