"""Room for numbers on edges: where they overlap no box, no title and no other number.

A place depends on the layout alone, so that numbers stay where they are from frame to frame. An
edge without room has no number; its line says how much comes along it.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from math import hypot
from typing import NamedTuple

from app.picture.edge_paths import Point, Route
from app.picture.grouping import Edge
from app.picture.layout import Placement
from app.picture.rect import Rect
from app.picture.text import CHARACTER

SIZE = 10.0  # of the font
HEIGHT = 15.0
PADDING = 6.0
ROOMS = (6, 5, 4, 3)
"""Characters of a number, the most that there is room for."""
SHARES = (0.5, 0.4, 0.6, 0.3, 0.7, 0.22, 0.78)
"""Where a number may stand along its edge."""
ASIDE = 13.0  # pixels from the line, where it cannot stand on it
APART = 1.5  # pixels between a number and what is around it
CELL = 64.0  # pixels of the grid by which neighbours are found


class Spot(NamedTuple):
    """The middle of a number, and its characters at most."""

    x: float
    y: float
    room: int

    @property
    def rect(self) -> Rect:
        """What the longest number covers."""
        return around(self.x, self.y, self.room)


def around(x: float, y: float, characters: int) -> Rect:
    """The rectangle of a number with this middle."""
    width = characters * SIZE * CHARACTER + PADDING
    return Rect(x - width / 2, y - HEIGHT / 2, width, HEIGHT)


def spots(placement: Placement, below: float = 0.0) -> list[Spot | None]:
    """A place for the number of each edge, None where there is no room; short edges first.

    Cards need so many pixels `below` them for the right gradient of a wrong one. Kept with the
    layout, which a leaf that is dragged does not change.
    """
    graph = placement.graph
    known: dict[Hashable, list[Spot | None]] = placement.geometry.labels
    key = (
        below,
        tuple([len(section.title) for section in graph.clusters]),
        tuple([(edge.kind, _is_merged(edge), len(edge.links)) for edge in graph.edges]),
    )
    if key not in known:
        known[key] = _found(placement, below)
    return known[key]


def _is_merged(edge: Edge) -> bool:
    """Whether an edge leads to several Values, whose numbers have no sum."""
    return len({link.source for link in edge.links}) > 1


def _found(placement: Placement, below: float) -> list[Spot | None]:
    graph, geometry = placement.graph, placement.geometry
    taken = _Taken()
    for rect in geometry.boxes:
        taken.add(Rect(rect.x, rect.y, rect.width, rect.height + below))
    for rect in (*_titles(placement), *_counts(placement)):
        taken.add(rect)
    found: list[Spot | None] = [None] * len(graph.edges)
    pairs = list(zip(graph.edges, geometry.routes, strict=True))
    for index in sorted(range(len(pairs)), key=lambda at: _length(pairs[at][1])):
        edge, route = pairs[index]
        if spot := _spot(edge, route, taken):
            found[index] = spot
            taken.add(spot.rect)
    return found


def _titles(placement: Placement) -> Iterator[Rect]:
    """The titles of frames around groups, and the signs that close them."""
    for section, rect in zip(placement.graph.clusters, placement.geometry.clusters, strict=True):
        yield Rect(rect.x + 8, rect.y + 5, min(rect.width - 16, 7 * len(section.title)), 16)
        yield Rect(rect.x + rect.width - 26, rect.y + 3, 22, 22)


def _counts(placement: Placement) -> Iterator[Rect]:
    """The counts of uses on edges that have no number, as they lead to several Values."""
    for edge, route in zip(placement.graph.edges, placement.geometry.routes, strict=True):
        if _is_merged(edge):
            width = 8 + 6 * len(str(len(edge.links)))
            yield Rect(route.middle[0] - width / 2, route.middle[1] - 7, width, 14)


def _spot(edge: Edge, route: Route, taken: _Taken) -> Spot | None:
    if edge.kind != "in" or _is_merged(edge):
        return None
    for room in ROOMS:
        for x, y in _places(route):
            if taken.is_free(around(x, y, room)):
                return Spot(x, y, room)
    return None


def _places(route: Route) -> Iterator[Point]:
    """Points on the line, then beside it."""
    on_line = [route.at(share) for share in SHARES]
    yield from on_line
    (x0, y0), (x1, y1) = route.at(0.0), route.at(1.0)
    length = hypot(x1 - x0, y1 - y0) or 1.0
    across = (ASIDE * (y0 - y1) / length, ASIDE * (x1 - x0) / length)
    for x, y in on_line:
        yield x + across[0], y + across[1]
        yield x - across[0], y - across[1]


def _length(route: Route) -> float:
    (x0, y0), (x1, y1) = route.at(0.0), route.at(1.0)
    return hypot(x1 - x0, y1 - y0)


class _Taken:
    """Rectangles, found by the cells of a grid."""

    def __init__(self) -> None:
        self.cells: dict[tuple[int, int], list[Rect]] = {}

    def add(self, rect: Rect) -> None:
        for cell in _cells(rect):
            self.cells.setdefault(cell, []).append(rect)

    def is_free(self, rect: Rect) -> bool:
        return not any(
            _overlap(rect, other) for cell in _cells(rect) for other in self.cells.get(cell, ())
        )


def _cells(rect: Rect) -> Iterable[tuple[int, int]]:
    across = range(int(rect.x // CELL), int((rect.x + rect.width) // CELL) + 1)
    down = range(int(rect.y // CELL), int((rect.y + rect.height) // CELL) + 1)
    return [(x, y) for x in across for y in down]


def _overlap(one: Rect, other: Rect) -> bool:
    return (
        one.x < other.x + other.width + APART
        and other.x < one.x + one.width + APART
        and one.y < other.y + other.height + APART
        and other.y < one.y + one.height + APART
    )
