"""Groups of equal standing in their order, whichever of them are open.

Graphviz stacks the neurons of a layer across the flow, each in a band of its own, but puts an open
one before or after all others. Here the bands are exchanged: each keeps its height, the gaps stay,
and so does the frame around them. Lines move with the band of their end as far as they are in it,
and go on beyond the bands on a new way to the other end.

Lengths are in pixels; *along* is the axis of the flow, *across* the other one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, takewhile

from app.picture.edge_paths import Curve, Piece, Point, reverse
from app.picture.grouping import Box, VisibleGraph
from app.picture.rect import Rect

NEURON = "neuron"
BESIDE = 24.0  # pixels beside a band that a line of it may use: less than the gap of two bands

Span = tuple[float, float]
Parts = tuple[Sequence[Rect], Sequence[Curve], Sequence[Rect]]
"""The places of a graph's boxes, edges and frames, in its order."""


def in_order(graph: VisibleGraph, parts: Parts, direction: str) -> Parts:
    """The same places, with open groups exchanged with their siblings until all are in order.

    A row of siblings stays as it is where their bands overlap or hold other boxes.
    """
    flow = 0 if direction == "LR" else 1
    places = _places(graph, parts)
    for keys in _rows(graph):
        row = [places[key] for key in keys]
        if row != sorted(row, key=lambda place: place.x if flow else place.y):
            parts = _Row(graph, keys, row, parts, flow).in_order()
            places = _places(graph, parts)
    return parts


def _places(graph: VisibleGraph, parts: Parts) -> dict[str, Rect]:
    """The rectangles of groups, open and closed."""
    boxes, _, frames = parts
    places = {it.id: rect for it, rect in zip(graph.clusters, frames, strict=True)}
    for box, rect in zip(graph.boxes, boxes, strict=True):
        if box.kind == "group":
            places[box.of] = rect
    return places


def _rows(graph: VisibleGraph) -> Iterator[list[str]]:
    """The siblings of one kind, in order: neurons, and others of which some are open."""
    opened = {cluster.id for cluster in graph.clusters}
    closed = {box.of for box in graph.boxes if box.kind == "group" and box.shape != "leaves"}
    rows: dict[tuple[str | None, str], list[str]] = {}
    for key, section in graph.sections.items():
        if key in opened or key in closed:
            rows.setdefault((section.parent, section.kind), []).append(key)
    for (_, kind), row in rows.items():
        if len(row) > 1 and (kind == NEURON or not opened.isdisjoint(row)):
            yield row


@dataclass(frozen=True, slots=True)
class _Move:
    """The distance across that a group moves from its `band`; `along`, the extent of its row."""

    distance: float
    band: Span
    along: Span


class _Row:
    """Siblings in a picture; `flow` is the axis of the flow, 0 across the page, 1 down."""

    def __init__(
        self, graph: VisibleGraph, row: list[str], places: list[Rect], parts: Parts, flow: int
    ) -> None:
        self.graph, self.row, self.places, self.parts, self.flow = graph, row, places, parts, flow
        members = set(row)
        self.homes = {box.id: self._home(_group(box), members) for box in graph.boxes}
        self.frame_homes = [self._home(cluster.id, members) for cluster in graph.clusters]

    def in_order(self) -> Parts:
        """The parts, with the bands of the row in order if they can be."""
        stacked = sorted(range(len(self.row)), key=lambda i: self._across(self.places[i])[0])
        if not self._can_move(stacked):
            return self.parts
        moves = self._moves(stacked)
        boxes, curves, frames = self.parts
        homes = [self.homes[box.id] for box in self.graph.boxes]
        ends = [(self.homes[edge.tail], self.homes[edge.head]) for edge in self.graph.edges]
        return (
            [self._shifted(rect, moves.get(h)) for rect, h in zip(boxes, homes, strict=True)],
            [
                self._led(curve, moves.get(tail), moves.get(head), tail == head)
                for curve, (tail, head) in zip(curves, ends, strict=True)
            ],
            [
                self._shifted(rect, moves.get(home))
                for rect, home in zip(frames, self.frame_homes, strict=True)
            ],
        )

    def _home(self, group: str | None, members: set[str]) -> str | None:
        """The sibling that a group belongs to, or is."""
        while group is not None and group not in members:
            group = self.graph.sections[group].parent
        return group

    def _along(self, rect: Rect) -> Span:
        return (rect.x, rect.x + rect.width) if self.flow == 0 else (rect.y, rect.y + rect.height)

    def _across(self, rect: Rect) -> Span:
        return (rect.y, rect.y + rect.height) if self.flow == 0 else (rect.x, rect.x + rect.width)

    def _can_move(self, stacked: list[int]) -> bool:
        """Whether the siblings are independent, and each has a band that is its alone."""
        for edge in self.graph.edges:
            tail, head = self.homes[edge.tail], self.homes[edge.head]
            if tail is not None and head is not None and tail != head:
                return False
        bands = [self._across(self.places[i]) for i in stacked]
        if any(one[1] > other[0] for one, other in pairwise(bands)):
            return False
        along, across = self._extent(), (bands[0][0], bands[-1][1])
        return not any(
            self.homes[box.id] is None
            and _meet(self._along(rect), along)
            and _meet(self._across(rect), across)
            for box, rect in zip(self.graph.boxes, self.parts[0], strict=True)
        )

    def _extent(self) -> Span:
        spans = [self._along(place) for place in self.places]
        return min(low for low, _ in spans), max(high for _, high in spans)

    def _moves(self, stacked: list[int]) -> dict[str | None, _Move]:
        """The move of each sibling; the gaps between the bands keep their order."""
        bands = [self._across(place) for place in self.places]
        gaps = [bands[b][0] - bands[a][1] for a, b in pairwise(stacked)]
        at, along = bands[stacked[0]][0], self._extent()
        moves: dict[str | None, _Move] = {}
        for key, (low, high), gap in zip(self.row, bands, [*gaps, 0.0], strict=True):
            moves[key] = _Move(at - low, (low, high), along)
            at += high - low + gap
        return moves

    def _shifted(self, rect: Rect, move: _Move | None) -> Rect:
        if move is None:
            return rect
        if self.flow == 0:
            return replace(rect, y=rect.y + move.distance)
        return replace(rect, x=rect.x + move.distance)

    def _led(self, curve: Curve, tail: _Move | None, head: _Move | None, whole: bool) -> Curve:
        """A line whose ends move, `whole` if both are of one group."""
        if whole and tail:
            return [self._piece(piece, tail.distance) for piece in curve]
        if tail:
            return self._led_away(curve, tail)
        return reverse(self._led_away(reverse(curve), head)) if head else curve

    def _led_away(self, curve: Curve, move: _Move) -> Curve:
        """A line whose start moves: straight on to the end of the row, and back to its old way."""
        flow, far = self.flow, curve[-1][3]
        line = [self._piece(piece, move.distance) for piece in self._beside(curve[:-1], move)]
        at = line[-1][3] if line else self._point(curve[0][0], move.distance)
        end = min(max(far[flow], move.along[0]), move.along[1])
        rest: Curve = []
        if end != far[flow]:
            leave = (end, at[1]) if flow == 0 else (at[0], end)
            line.append(_direct(at, leave, flow))
            at, rest = leave, self._beyond(curve, end)[1:]
        return [*line, _direct(at, rest[0][0] if rest else far, flow), *rest]

    def _beside(self, curve: Curve, move: _Move) -> Iterator[Piece]:
        """The pieces of a line until it leaves its band."""
        (left, right), (low, high), flow = move.along, move.band, self.flow
        return takewhile(
            lambda piece: all(
                left <= point[flow] <= right and low - BESIDE < point[1 - flow] < high + BESIDE
                for point in piece
            ),
            curve,
        )

    def _beyond(self, curve: Curve, end: float) -> Curve:
        """The last pieces of a line, of those that are farther along than the end of the row."""
        flow, ahead = self.flow, curve[-1][3][self.flow] > end
        last = takewhile(
            lambda piece: all((point[flow] > end) == ahead for point in piece), curve[::-1]
        )
        return list(last)[::-1]

    def _piece(self, piece: Piece, by: float) -> Piece:
        a, b, c, d = (self._point(point, by) for point in piece)
        return a, b, c, d

    def _point(self, point: Point, by: float) -> Point:
        return (point[0], point[1] + by) if self.flow == 0 else (point[0] + by, point[1])


def _direct(start: Point, end: Point, flow: int) -> Piece:
    """A line that leaves and arrives along the flow."""
    half = (end[flow] - start[flow]) / 2
    dx, dy = (half, 0.0) if flow == 0 else (0.0, half)
    return start, (start[0] + dx, start[1] + dy), (end[0] - dx, end[1] - dy), end


def _group(box: Box) -> str | None:
    """The innermost group of a box; a closed one's own."""
    return box.of if box.kind == "group" else box.cluster


def _meet(one: Span, other: Span) -> bool:
    return one[0] < other[1] and other[0] < one[1]
