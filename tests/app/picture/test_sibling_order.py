"""Neurons stand in the order of their layer, whichever of them are open."""

from __future__ import annotations

from itertools import combinations, pairwise

from app.picture.edge_paths import Point
from app.picture.grouping import VisibleGraph, visible
from app.picture.layout import Placement, place
from app.picture.rect import Rect
from tests.support.each import for_each
from tests.support.pictures import rects, traced

NETWORKS = [
    ("[3, 2]", "l0.n2"),
    ("[3, 2]", "l0.n1 l1.n0"),
    ("[6, 2]", "l0.n1 l0.n4"),
    ("[7, 4, 2]", "l0.n3"),
    ("[7, 4, 2]", "l1.n1 l1.n3"),
]
"""The sizes of a network's layers, and neurons to open."""
TOUCH = 3.0  # pixels between a line and the box that it starts or ends at


def opened(sizes: str, neurons: str) -> VisibleGraph:
    """The picture of a network on a sample, with all layers and these neurons open."""
    trace = traced(f"random.seed(1)\nn = MLP(2, {sizes})\nz = sum(n([0.5, -1.0]))")
    sections = visible(trace, grouped=True).sections.values()
    titles = {f"Neuron {name}" for name in neurons.split()}
    wanted = {it.id for it in sections if it.kind in ("mlp", "layer") or it.title in titles}
    graph = visible(trace, frozenset(wanted), grouped=True)
    assert titles < {cluster.title for cluster in graph.clusters}
    return graph


def extents(placement: Placement) -> dict[str, Rect]:
    """The rectangles of groups, closed and open, by id."""
    graph, geometry = placement.graph, placement.geometry
    found = {it.id: at for it, at in zip(graph.clusters, geometry.clusters, strict=True)}
    return found | {key: at for key, at in rects(placement).items() if key in graph.sections}


def holds(outer: Rect, inner: Rect) -> bool:
    return (
        outer.x <= inner.x
        and outer.y <= inner.y
        and inner.x + inner.width <= outer.x + outer.width
        and inner.y + inner.height <= outer.y + outer.height
    )


def touches(rect: Rect, point: Point) -> bool:
    x, y = point
    return (
        rect.x - TOUCH <= x <= rect.x + rect.width + TOUCH
        and rect.y - TOUCH <= y <= rect.y + rect.height + TOUCH
    )


def overlap(one: Rect, other: Rect) -> bool:
    return (
        one.x < other.x + other.width
        and other.x < one.x + one.width
        and one.y < other.y + other.height
        and other.y < one.y + one.height
    )


@for_each("direction", ["LR", "TB"])
@for_each(("sizes", "neurons"), NETWORKS)
def test_open_neurons_keep_their_place_in_the_layer(
    sizes: str, neurons: str, direction: str
) -> None:
    placement = place(opened(sizes, neurons), direction)
    sections, at = placement.graph.sections, extents(placement)
    for layer in (it.id for it in sections.values() if it.kind == "layer"):
        row = [it for it in sections.values() if it.parent == layer and it.kind == "neuron"]
        row.sort(key=lambda it: it.title)
        places = [at[it.id].y if direction == "LR" else at[it.id].x for it in row]
        assert places == sorted(places)


@for_each("direction", ["LR", "TB"])
@for_each(("sizes", "neurons"), NETWORKS)
def test_frames_and_lines_go_with_the_boxes(sizes: str, neurons: str, direction: str) -> None:
    placement = place(opened(sizes, neurons), direction)
    graph, geometry, at = placement.graph, placement.geometry, rects(placement)
    assert not any(overlap(one, other) for one, other in combinations(geometry.boxes, 2))
    picture = Rect(0, 0, geometry.width, geometry.height)
    frames = extents(placement)
    for box in graph.boxes:
        assert holds(frames[box.cluster] if box.cluster else picture, at[box.id])
    for edge, curve in zip(graph.edges, geometry.curves, strict=True):
        assert touches(at[edge.tail], curve[0][0])
        assert touches(at[edge.head], curve[-1][3])
        assert all(one[3] == other[0] for one, other in pairwise(curve))
        assert all(touches(picture, point) for piece in curve for point in piece)
