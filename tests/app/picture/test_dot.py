"""What Graphviz is told: structure and sizes, and no text."""

from __future__ import annotations

from app.picture.dot import dot_source, structure
from app.picture.group_tree import DrawnGroup
from app.picture.grouping import Box, VisibleGraph, visible
from engine.trace.build import trace
from tests.support.pictures import EXAMPLE, NETWORK, graph


def test_no_text_of_a_visitor_reaches_graphviz() -> None:
    label = 'URL=javascript:alert(1) <TABLE> "x"'
    source = dot_source(graph(f"secret = Value(1.0, label={label!r})\ny = secret * secret"), "LR")
    assert "secret" not in source
    assert "alert" not in source


def test_the_structure_is_that_of_the_text() -> None:
    programs = [
        EXAMPLE,
        NETWORK,
        "x = 3.0\ny = x * x",
        "x = 3.0\ny = x * 2",
        "x = 3.0\ny = x.tanh()",
    ]
    graphs = [graph(program, grouped=grouped) for program in programs for grouped in (False, True)]
    keys = {structure(one, way): dot_source(one, way) for one in graphs for way in ("LR", "TB")}
    assert len(set(keys.values())) == len(keys)


def test_numbers_are_no_part_of_the_structure() -> None:
    changed = visible(trace(EXAMPLE, {"a": -1e300, "b": 0.1}))
    assert structure(changed, "LR") == structure(graph(EXAMPLE), "LR")
    assert dot_source(changed, "LR") == dot_source(graph(EXAMPLE), "LR")


def test_each_box_edge_and_frame_is_written_once() -> None:
    subject = graph(NETWORK, frames=True)
    lines = dot_source(subject, "LR").splitlines()
    assert sum(" [width=" in line for line in lines) == len(subject.boxes)
    assert sum(" -> " in line for line in lines) == len(subject.edges)
    opened = [line for line in lines if line.strip().startswith("subgraph")]
    assert len(opened) == len(set(opened)) == len(subject.clusters) == 12
    assert sum(line.strip() == "}" for line in lines) == len(opened) + 1


def test_frames_may_lie_deep_in_each_other() -> None:
    depth = 2000
    names = [f"g{i}" for i in range(depth)]
    sections = [
        DrawnGroup(name, f"g{i - 1}" if i else None, "loop", "") for i, name in enumerate(names)
    ]
    box = Box("v1", "value", "v1", "card", 120, 59, names[-1])
    deep = VisibleGraph((box,), (), tuple(sections), {}, False, frozenset(), ())
    lines = [line.strip() for line in dot_source(deep, "LR").splitlines()]
    at = lines.index("n0")
    assert lines[at - 1].startswith(f"subgraph cluster_{depth - 1} ")
    assert lines[at + 1 :] == ["}"] * (depth + 1)
