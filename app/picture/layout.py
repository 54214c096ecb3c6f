"""Layout of a `VisibleGraph` by Graphviz, in pixels, and a cache of layouts.

Positions depend only on the structure of the graph and are cached by it, so nothing moves when
numbers change. Structures that Graphviz failed on are cached for a limited time.

Lengths are in pixels (one Graphviz point is one SVG pixel), y downwards.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, field
from functools import cached_property
from math import inf
from time import monotonic, perf_counter
from typing import Any

from app.caches import store
from app.picture.dot import dot_source, structure
from app.picture.edge_paths import Curve, Point, Route, curve_through, part_twins, route
from app.picture.graphviz_wasm import (
    Graphviz,
    GraphvizBusy,
    GraphvizError,
    GraphvizStarved,
    GraphvizTimeout,
)
from app.picture.grouping import VisibleGraph
from app.picture.reading_order import flaws, is_mirrored, traded_places
from app.picture.rect import Rect
from app.picture.sibling_order import in_order
from engine.caches import Cache

DEADLINE = 2.0  # seconds of processor time
FORGIVEN = 300.0  # seconds until a failure is retried, as processors slow down when shared
SMALL = 100  # boxes up to which a graph bypasses the queue
FEW = 160  # edges up to which it does, as many edges between few boxes take over a second
ORDERED = 60  # edges up to which two layouts are compared
MARGIN = 16.0


Observe = Callable[[float, bool], None]


def unobserved(seconds: float, timed_out: bool) -> None:
    """Nobody counts the layouts."""


"""Called after each run of Graphviz with its seconds and whether it hit the deadline."""


class LayoutError(RuntimeError):
    """Graphviz could not place the graph."""


class LayoutBusy(RuntimeError):
    """Graphviz is occupied by other graphs; the call can be retried."""


class LayoutTimeout(LayoutError):
    """The graph was not placed in time; a coarser picture may be."""


@dataclass(frozen=True)
class Geometry:
    """Positions in the order of the graph's boxes, edges and clusters."""

    width: float
    height: float
    boxes: tuple[Rect, ...]
    curves: tuple[Curve, ...]
    clusters: tuple[Rect, ...]
    labels: dict[Hashable, Any] = field(default_factory=dict, init=False, compare=False, repr=False)
    """The places of numbers on edges, by what they depend on besides."""

    @cached_property
    def routes(self) -> tuple[Route, ...]:
        """The paths of the edges, made for the layouts alone that are drawn."""
        return tuple(map(route, self.curves))


@dataclass(frozen=True, slots=True)
class Placement:
    """A graph with the positions of its parts."""

    graph: VisibleGraph
    direction: str
    geometry: Geometry


def place(
    graph: VisibleGraph,
    direction: str = "LR",
    deadline: float = DEADLINE,
    observe: Observe = unobserved,
) -> Placement:
    """Lay out `graph`, left to right ("LR") or top to bottom ("TB").

    Raises LayoutTimeout after `deadline` seconds of processor time (or, on a loaded machine, a
    multiple of that in wall time), LayoutError if Graphviz fails, and LayoutBusy while it is laying
    out another large graph.
    """
    if direction not in ("LR", "TB"):
        raise ValueError(f"direction must be LR or TB, not {direction!r}")
    key = structure(graph, direction)
    geometry = _cache.get(key)
    if geometry is None:
        geometry = _new_geometry(graph, direction, deadline, key, observe)
    return Placement(graph, direction, geometry)


def place_anew(graph: VisibleGraph, direction: str = "LR", deadline: float = DEADLINE) -> Placement:
    """Lay out `graph`, bypassing the cache. Raises GraphvizError."""
    return Placement(graph, direction, _best(graph, direction, deadline))


def warm_up() -> None:
    """Compile Graphviz ahead of the first request."""
    for graphviz in (_graphviz, _reserve):
        graphviz.render("digraph { a -> b }", 60.0)


def is_busy() -> bool:
    """Whether a large graph is being laid out."""
    return _graphviz.is_busy


# Cache


@dataclass(frozen=True, slots=True)
class _Failure:
    """A failed layout: the error, the deadline that it applies to, and its time."""

    error: type[LayoutError]
    reason: str
    deadline: float
    time: float


_graphviz = Graphviz(patience=0.0)
"""For large graphs. Requests queue elsewhere, as waiting here would occupy a thread."""
_reserve = Graphviz()
"""For small graphs, so that they do not wait for a large one."""
_cache: Cache[Geometry] = store("layouts")
_failures: Cache[_Failure] = store("failed layouts")


def _new_geometry(
    graph: VisibleGraph, direction: str, deadline: float, key: object, observe: Observe
) -> Geometry:
    """The geometry of `graph`; it, or the failure, is cached under `key`."""
    failure, size = _failures.get(key), len(graph.boxes) + len(graph.edges)
    if failure and deadline <= failure.deadline and monotonic() < failure.time + FORGIVEN:
        raise failure.error(failure.reason)
    began = perf_counter()
    try:
        geometry = _best(graph, direction, deadline)
    except GraphvizBusy as busy:  # says nothing about this graph, so is not cached
        raise LayoutBusy(str(busy)) from None
    except GraphvizStarved as starved:  # nor does this
        observe(perf_counter() - began, True)
        raise LayoutTimeout(str(starved)) from None
    except GraphvizError as cause:
        late = isinstance(cause, GraphvizTimeout)
        observe(perf_counter() - began, late)
        error, holds = (LayoutTimeout, deadline) if late else (LayoutError, inf)
        _failures.put(key, _Failure(error, str(cause), holds, monotonic()), size)
        raise error(str(cause)) from cause
    observe(perf_counter() - began, False)
    _cache.put(key, geometry, size)
    return geometry


def _best(graph: VisibleGraph, direction: str, deadline: float) -> Geometry:
    """The geometry of `graph`; for small graphs, the better of two.

    Keeping args in order may cost crossings, so both layouts are made and compared, unless the
    first one has no flaws.
    """
    small = len(graph.boxes) <= SMALL and len(graph.edges) <= FEW
    graphviz = _reserve if small else _graphviz
    free = _laid_out(graph, direction, False, graphviz, deadline)
    if len(graph.edges) > ORDERED or not (least := _flaws(graph, free, direction)):
        return free
    ordered = _laid_out(graph, direction, True, graphviz, deadline)
    return ordered if _flaws(graph, ordered, direction) < least else free


def _laid_out(
    graph: VisibleGraph, direction: str, ordered: bool, graphviz: Graphviz, deadline: float
) -> Geometry:
    answer = graphviz.render(dot_source(graph, direction, ordered), deadline)
    return _read(json.loads(answer), graph, direction)


def _flaws(graph: VisibleGraph, geometry: Geometry, direction: str) -> int:
    return flaws(graph, _centres(geometry.boxes), direction)


def _centres(boxes: Iterable[Rect]) -> list[Point]:
    return [box.centre for box in boxes]


# Graphviz's output to geometry


@dataclass(frozen=True, slots=True)
class _View:
    """Maps Graphviz's points (y upwards) to pixels, optionally mirrored across the flow."""

    left: float
    bottom: float
    right: float
    top: float
    swap_x: bool = False
    swap_y: bool = False

    def point(self, x: float, y: float) -> Point:
        across = self.right - x if self.swap_x else x - self.left
        down = y - self.bottom if self.swap_y else self.top - y
        return across + MARGIN, down + MARGIN

    def rect(self, x: float, y: float, width: float, height: float) -> Rect:
        """The rectangle with a given centre."""
        across, down = self.point(x, y)
        return Rect(across - width / 2, down - height / 2, width, height)


def _read(answer: dict[str, Any], graph: VisibleGraph, direction: str) -> Geometry:
    objects: dict[str, dict[str, Any]] = {item["name"]: item for item in answer.get("objects", ())}
    pairs = (_numbers(objects[f"n{index}"]["pos"]) for index in range(len(graph.boxes)))
    places = [(x, y) for x, y in pairs]
    left, bottom, right, top = _numbers(answer["bb"])
    mirrored = is_mirrored(graph, places, direction)
    view = _View(left, bottom, right, top, *(mirrored and direction == it for it in ("TB", "LR")))
    boxes = [
        view.rect(x, y, box.width, box.height)
        for (x, y), box in zip(places, graph.boxes, strict=True)
    ]
    corners = (objects[f"cluster_{index}"]["bb"] for index in range(len(graph.clusters)))
    curves = _curves(answer.get("edges", ()), view)
    box_places, edge_places = traded_places(graph, _centres(boxes), direction)
    placed = (
        [boxes[index] for index in box_places],
        [curves[index] for index in edge_places],
        [_frame(_numbers(frame), view) for frame in corners],
    )
    ordered, lines, frames = in_order(graph, placed, direction)
    return Geometry(
        right - left + 2 * MARGIN,
        top - bottom + 2 * MARGIN,
        tuple(ordered),
        tuple(lines),
        tuple(frames),
    )


def _curves(edges: Iterable[dict[str, str]], view: _View) -> list[Curve]:
    """The curves of all edges in the graph's order, with coincident ones bent apart."""
    found: dict[int, Curve] = {}
    for edge in edges:
        numbers = _numbers(edge["pos"].replace(" ", ","))
        points = [view.point(x, y) for x, y in zip(numbers[::2], numbers[1::2], strict=True)]
        found[int(edge["id"][1:])] = curve_through(points)
    curves = [found[index] for index in range(len(found))]
    part_twins(curves)
    return curves


def _frame(corners: list[float], view: _View) -> Rect:
    x0, y0, x1, y1 = corners
    return view.rect((x0 + x1) / 2, (y0 + y1) / 2, x1 - x0, y1 - y0)


def _numbers(text: str) -> list[float]:
    return [float(part) for part in text.split(",")]
