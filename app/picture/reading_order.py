"""Reading order: args, and interchangeable boxes, with the first above the second.

Graphviz minimises edge lengths and crossings; among layouts of equal cost these functions prefer
the reading order. In top-to-bottom layouts, "above" means to the left.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, pairwise

from app.picture.edge_paths import Point
from app.picture.grouping import VisibleGraph


def is_mirrored(graph: VisibleGraph, centres: Sequence[Point], direction: str) -> bool:
    """Whether the mirror image has a better reading order.

    Counts args, and neighbours in a rank, that are below their successors instead of above.
    `centres` of the boxes are Graphviz's, y upwards.
    """
    along, axis, sign = (0, 1, -1) if direction == "LR" else (1, 0, 1)
    across = {box.id: sign * at[axis] for box, at in zip(graph.boxes, centres, strict=True)}
    rows: dict[object, list[str]] = {}
    for edge in graph.edges:
        rows.setdefault(edge.head, []).append(edge.tail)
    for box, at in zip(graph.boxes, centres, strict=True):
        rows.setdefault(round(at[along]), []).append(box.id)
    wrong = 0
    for row in rows.values():
        for one, other in pairwise(row):
            wrong += (across[one] > across[other]) - (across[one] < across[other])
    return wrong > 0


def traded_places(
    graph: VisibleGraph, centres: Sequence[Point], direction: str
) -> tuple[list[int], list[int]]:
    """Permutations of boxes and edges: each gets the position or line of another.

    Boxes of equal size with the same neighbours, such as the args `a` and `b` of an op or the
    neurons of a layer, can be exchanged without any other change to the picture.
    """
    first_use: dict[str, int] = {}
    for index, edge in enumerate(graph.edges):
        first_use.setdefault(edge.tail, index)
    names = [box.id for box in graph.boxes]
    across = 1 if direction == "LR" else 0
    places = list(range(len(names)))
    for group in _equals(graph):
        free = sorted(group, key=lambda i: centres[i][across])
        group.sort(key=lambda i: first_use.get(names[i], i))
        for index, place in zip(group, free, strict=True):
            places[index] = place
    return places, _traded_lines(graph, {names[i]: names[p] for i, p in enumerate(places)})


def _equals(graph: VisibleGraph) -> list[list[int]]:
    """The classes of interchangeable boxes, by index."""
    tails: dict[str, list[str]] = {box.id: [] for box in graph.boxes}
    heads: dict[str, list[str]] = {box.id: [] for box in graph.boxes}
    for edge in graph.edges:
        tails[edge.head].append(edge.tail)
        heads[edge.tail].append(edge.head)
    equals: dict[object, list[int]] = {}
    for index, box in enumerate(graph.boxes):
        around = tuple(sorted(tails[box.id])), tuple(sorted(heads[box.id]))
        equals.setdefault((box.width, box.height, box.cluster, around), []).append(index)
    return [group for group in equals.values() if len(group) > 1]


def _traded_lines(graph: VisibleGraph, trades: dict[str, str]) -> list[int]:
    """For each edge, the line between the new positions of its boxes."""
    lines: dict[tuple[str, str], list[int]] = {}
    for index, edge in enumerate(graph.edges):
        lines.setdefault((edge.tail, edge.head), []).append(index)
    taken: dict[tuple[str, str], int] = {}
    order = []
    for edge in graph.edges:
        ends = trades[edge.tail], trades[edge.head]
        order.append(lines[ends][taken.get(ends, 0)])
        taken[ends] = taken.get(ends, 0) + 1
    return order


def flaws(graph: VisibleGraph, centres: Sequence[Point], direction: str) -> int:
    """A cost: twice the crossings of edges, taken as straight, plus the args out of order."""
    at = {box.id: centre for box, centre in zip(graph.boxes, centres, strict=True)}
    across = 1 if direction == "LR" else 0
    found = 0
    for (a, b), (c, d) in combinations([(edge.tail, edge.head) for edge in graph.edges], 2):
        if b == d:
            found += at[a][across] > at[c][across]
        elif a != c and a != d and b != c:
            found += 2 * _cross(at[a], at[b], at[c], at[d])
    return found


def _cross(a: Point, b: Point, c: Point, d: Point) -> bool:
    """Whether the segments ab and cd intersect."""

    def side(p: Point, q: Point, r: Point) -> float:
        return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])

    return side(a, b, c) * side(a, b, d) < 0 and side(c, d, a) * side(c, d, b) < 0
