"""A `VisibleGraph` in DOT, the language of Graphviz.

Graphviz receives empty boxes of fixed size with generated names, so that no user text reaches it
and no font matters. Box i is named n<i>, edge i e<i>, cluster i cluster_<i>.
"""

from __future__ import annotations

from collections.abc import Iterable

from app.picture.grouping import Box, VisibleGraph

MANY = 100  # boxes above which coordinate assignment is bounded: half the time, edges 2 % longer
LARGE = 250  # boxes above which edges are straight and crossing minimisation is shortened
HUGE = 1000  # boxes above which coordinate assignment is cut short, as it would take seconds
PIXELS_PER_INCH = 72.0
APART = {"LR": "0.42", "TB": "0.3"}
"""Inches between ranks: numbers on edges are wider than they are high."""
COUNTED = "0.8"
"""Inches between ranks where edges have counts."""


def dot_source(graph: VisibleGraph, direction: str, ordered: bool = False) -> str:
    """The DOT source of `graph`; `ordered` keeps the args of each op in order."""
    boxes, apart = len(graph.boxes), COUNTED if _has_counts(graph) else APART[direction]
    attributes = {"rankdir": direction, "ranksep": apart, "nodesep": "0.3"}
    if ordered:
        attributes["ordering"] = "in"
    if MANY < boxes <= LARGE:
        attributes["nslimit"] = "4"
    if boxes > LARGE:
        effort = "0.4" if boxes <= HUGE else "0.1"
        attributes |= {"splines": "line", "nslimit": effort, "nslimit1": "1", "mclimit": "0.1"}
    stated = " ".join(f"{name}={text}" for name, text in attributes.items())
    head = f'graph [{stated}]\nnode [shape=box fixedsize=true label=""]\nedge [dir=none]\n'
    return f"digraph {{\n{head}{''.join(_statements(graph))}}}\n"


def structure(graph: VisibleGraph, direction: str) -> tuple[object, ...]:
    """A cache key: everything that `dot_source` depends on, cheaper to build than the source."""
    return (
        direction,
        _has_counts(graph),
        tuple((box.id, box.width, box.height, box.cluster) for box in graph.boxes),
        tuple((edge.tail, edge.head) for edge in graph.edges),
        tuple((cluster.id, cluster.parent) for cluster in graph.clusters),
    )


def _has_counts(graph: VisibleGraph) -> bool:
    """Whether merged edges need space for their counts."""
    return any(edge.merged and len(edge.links) > 1 for edge in graph.edges)


def _statements(graph: VisibleGraph) -> Iterable[str]:
    names = {box.id: f"n{index}" for index, box in enumerate(graph.boxes)}
    weights = {box.id: _weight(box) for box in graph.boxes}
    for box in graph.boxes:
        width, height = box.width / PIXELS_PER_INCH, box.height / PIXELS_PER_INCH
        shape = " shape=ellipse" if box.shape == "circle" else ""
        yield f"{names[box.id]} [width={width:.4f} height={height:.4f}{shape}]\n"
    for index, edge in enumerate(graph.edges):
        weight = weights[edge.tail]
        yield f"{names[edge.tail]} -> {names[edge.head]} [id=e{index} weight={weight}]\n"
    yield from _cluster_statements(graph, names)


def _weight(box: Box) -> int:
    """The weight of an edge from `box`: shorter if heavier, most so from an op to its card."""
    return (
        8
        if box.kind in ("op", "formula")
        else 1
        if box.copy or box.shape not in ("card", "large")
        else 2
    )


def _cluster_statements(graph: VisibleGraph, names: dict[str, str]) -> Iterable[str]:
    """Nested subgraphs, generated without recursion, as groups may be nested deeply."""
    inner: dict[str | None, list[int]] = {}
    numbers = {cluster.id: index for index, cluster in enumerate(graph.clusters)}
    for index, cluster in enumerate(graph.clusters):
        inner.setdefault(cluster.parent, []).append(index)
    members: dict[str | None, list[str]] = {}
    for box in graph.boxes:
        members.setdefault(box.cluster, []).append(names[box.id])
    outer = [i for i, c in enumerate(graph.clusters) if c.parent not in numbers]
    todo = [("open", index) for index in reversed(outer)]
    while todo:
        action, index = todo.pop()
        if action == "close":
            yield "}\n"
            continue
        cluster = graph.clusters[index]
        yield f"subgraph cluster_{index} {{ margin=26\n"
        yield from (f"{name}\n" for name in members.get(cluster.id, ()))
        todo.append(("close", index))
        todo += [("open", child) for child in reversed(inner.get(cluster.id, []))]
