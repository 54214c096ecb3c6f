"""A placed graph as SVG: for the page, where a style sheet and a script work on it, or alone.

Both are written by the same functions from chunks of text. Every label is escaped here. The
page's parts carry classes and data attributes where the standalone ones carry colours.

    <g class="value leaf" data-node="v1">      a card; copies of one leaf share data-node
    <g class="op" data-of="v5">                the circle of the op that computes v5
    <g class="edge in" data-from data-to data-slot>   lists of equal length where uses are merged
    <g class="group" data-group data-nodes data-node-shown>   a closed group
    <g class="cluster" data-group>             the frame of an open one
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from markupsafe import Markup

from app import paint
from app.grouping import Box, Edge, Section, symbol
from app.layout import Placement, Rect, Route
from engine.numbers import short, spoken
from engine.trace import Frame, Node, Trace

NOTHING_YET = "·"
FONT = "DejaVu Sans Mono, Menlo, Consolas, monospace"
CHARACTER = 0.602  # width of a monospace character per pixel of font size
LABEL, KIND, TITLE = 11.5, 10.0, 11.0  # font sizes
PAD = 9.0
SHEET = 3.5  # how far the sheet behind a closed group shows
SPOKEN = 200  # characters of a label that a screen reader has to hear


# What is known at a frame


@dataclass(frozen=True, slots=True)
class State:
    """What one frame of a trace shows.

    `data` and `grads` hold the numbers that are there by now. `active` is the Value whose op and
    edges are lit, "" in frames without an op; `slots` are its args that data or gradient flows
    through. `changed` Values got a number in this frame, from those in `sources`.
    """

    frame: int
    direction: str
    active: str
    slots: frozenset[int]
    changed: frozenset[str]
    sources: frozenset[str]
    data: dict[str, float]
    grads: dict[str, float]


def state(trace: Trace, frame: int | None = None) -> State:
    """The numbers and highlights at `frame`; None is the last, others are clamped to the range."""
    last = len(trace.frames) - 1
    at = last if frame is None else max(0, min(frame, last))
    known: set[str] = set()
    grads: dict[str, float] = {}
    for past in trace.frames[: at + 1]:
        if past.pass_ == "forward":
            known.update(past.given or (past.node,))
        elif past.seed is not None:
            grads[past.node] = past.seed
        for one in past.contributions:
            grads[one.to] = one.after
    if at == last:  # a leaf that the output does not depend on has gradient 0 in the end
        grads = {node.id: node.grad for node in trace.nodes if node.grad is not None}
    data = {node.id: node.data for node in trace.nodes if node.id in known}
    now = trace.frames[at]
    return State(at, now.pass_, *_highlights(trace, now), data, grads)


_Ids = frozenset[str]


def _highlights(trace: Trace, now: Frame) -> tuple[str, frozenset[int], _Ids, _Ids]:
    """The active Value, its lit slots, what changed and where it came from."""
    if now.given:
        return "", frozenset(), frozenset(now.given), frozenset()
    if now.seed is not None:
        return "", frozenset(), frozenset((now.node,)), frozenset()
    if now.pass_ == "backward":
        slots = frozenset(one.slot for one in now.contributions)
        changed = frozenset(one.to for one in now.contributions)
        return now.node, slots, changed, frozenset((now.node,))
    args = next(node.args for node in trace.nodes if node.id == now.node)
    return now.node, frozenset(range(len(args))), frozenset((now.node,)), frozenset(args)


# Text


_HARMFUL = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u206f"
    "\ud800-\udfff\ufdd0-\ufdef\ufff9-\ufffb\ufffe\uffff]"
)  # not XML, or able to turn the text around it
_MARKUP = str.maketrans(
    {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&#34;", "'": "&#39;"}
    | dict.fromkeys("\t\n\r", " ")
)


@lru_cache(maxsize=4096)
def escaped(text: str) -> str:
    """`text` for an element or an attribute of HTML or XML; harmful characters become U+FFFD."""
    if text.isascii() and text.isalnum():
        return text
    return _HARMFUL.sub("\ufffd", text).translate(_MARKUP)


@lru_cache(maxsize=4096)
def fitted(text: str, room: float, size: float) -> str:
    """`text` cut with "…" so that it takes at most `room` pixels at font size `size`."""
    cells = int(room / (size * CHARACTER) + 1e-6)
    if text.isascii() and len(text) <= cells:
        return text
    if sum(map(_cells, text)) <= cells and not _has_pile(text):
        return text
    kept, used, marks = [], 1, 0
    for character in text:
        width = _cells(character)
        marks = 0 if width else marks + 1
        if used + width > cells:
            break
        if marks <= 2:
            kept.append(character)
            used += width
    return "".join(kept).rstrip() + "…"


def _cells(character: str) -> int:
    """Cells of a monospace line that a character takes at most; 0 for marks on the one before."""
    if character < "\u0300":
        return 1
    if unicodedata.combining(character) or unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    if character < "\u0600" or "\u2000" <= character < "\u2c00":
        return 1
    return 12 if character == "\ufdfd" else 2


def _has_pile(text: str) -> bool:
    """Whether more than two marks stand on one character."""
    return any(not any(map(_cells, text[i : i + 3])) for i in range(len(text) - 2))


# Boxes and edges


@dataclass(frozen=True, slots=True)
class _Scene:
    """All that the parts of one picture share. `page` tells the two kinds of picture apart."""

    trace: Trace
    placement: Placement
    state: State
    nodes: dict[str, Node]
    names: dict[str, str]
    page: bool

    def part(self, role: str, look: str) -> str:
        """Attributes of a part called `role` in a group with the classes `look`."""
        if self.page:
            return f' class="{role}"'
        return paint.attributes(f"{look} {self.state.direction}", role)


def page_svg(trace: Trace, placement: Placement, frame: int | None = None) -> Markup:
    """The picture as part of a page, at `frame`."""
    scene = _scene(trace, placement, frame, page=True)
    shape = placement.geometry
    title = escaped(f"Computation graph of {_spoken_name(scene, trace.output)}")
    head = (
        f'<svg id="picture" class="picture" xmlns="http://www.w3.org/2000/svg"'
        f' viewBox="0 0 {shape.width:.1f} {shape.height:.1f}"'
        f' width="{shape.width:.1f}" height="{shape.height:.1f}" role="group"'
        f' aria-label="{title}" data-direction="{placement.direction}"'
        f' data-pass="{scene.state.direction}" data-frame="{scene.state.frame}">'
    )
    return Markup("".join((head, *_parts(scene), "</svg>")))  # noqa: S704  all text is escaped


def standalone_svg(trace: Trace, placement: Placement, frame: int | None = None) -> str:
    """The picture as a file of its own, at `frame`: for <img>, slides and print."""
    scene = _scene(trace, placement, frame, page=False)
    shape, now = placement.geometry, scene.state
    title = f"Computation graph of {_spoken_name(scene, trace.output)}"
    description = (
        f"{_counted(len(trace.nodes))}; {now.direction} pass,"
        f" picture {now.frame + 1} of {len(trace.frames)}. {_description(scene, trace.output)}."
    )
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" version="1.1"'
        f' viewBox="0 0 {shape.width:.1f} {shape.height:.1f}"'
        f' width="{shape.width:.1f}" height="{shape.height:.1f}" role="img"'
        f' font-family="{FONT}"><title>{escaped(title)}</title>'
        f"<desc>{escaped(description)}</desc>"
        f'<rect width="{shape.width:.1f}" height="{shape.height:.1f}" rx="12" fill="#ffffff"/>'
    )
    return "".join((head, *_parts(scene), "</svg>\n"))


def _scene(trace: Trace, placement: Placement, frame: int | None, page: bool) -> _Scene:
    nodes = {node.id: node for node in trace.nodes}
    drawn = {box.of for box in placement.graph.boxes if box.kind == "value"}
    names = {key: _shown_name(nodes[key]) for key in drawn | {trace.output}}
    return _Scene(trace, placement, state(trace, frame), nodes, names, page)


def _parts(scene: _Scene) -> Iterator[str]:
    """Frames lie lowest, then edges, then boxes, which hide the ends of the edges."""
    graph, geometry = scene.placement.graph, scene.placement.geometry
    for section, rect in zip(graph.clusters, geometry.clusters, strict=True):
        yield _cluster(scene, section, rect)
    groups = {box.id for box in graph.boxes if box.kind == "group"}
    for edge, route in zip(graph.edges, geometry.routes, strict=True):
        yield _edge(scene, edge, route, edge.tail in groups or edge.head in groups)
    for box, rect in zip(graph.boxes, geometry.boxes, strict=True):
        draw = {"op": _op, "group": _group}.get(box.kind, _value)
        yield draw(scene, box, rect)


def _edge(scene: _Scene, edge: Edge, route: Route, merged: bool) -> str:
    now = scene.state
    look = f"edge {edge.kind}"
    if merged:
        look += " merged"
    lit = any(
        link.to == now.active and (link.slot < 0 or link.slot in now.slots) for link in edge.links
    )
    if lit:
        look += f" flow-{now.direction}"
    line = f'<path{scene.part("line", look)} d="{route.line}"/>'
    head = f'<path{scene.part("head", look)} d="{route.head}"/>'
    tail = f'<path{scene.part("tail", look)} d="{route.tail}"/>'
    count = _count(scene, route, len(edge.links), look) if len(edge.links) > 1 else ""
    if not scene.page:
        arrow = tail if lit and now.direction == "backward" else head
        return f"<g>{line}{arrow}{count}</g>"
    to = " ".join(link.to for link in edge.links)
    if edge.kind == "out":
        return f'<g class="{look}" data-to="{to}">{line}{head}{tail}</g>'
    sources = " ".join(link.source for link in edge.links)
    slots = " ".join(str(link.slot) for link in edge.links)
    return (
        f'<g class="{look}" data-from="{sources}" data-to="{to}" data-slot="{slots}">'
        f"{line}{head}{tail}{count}</g>"
    )


def _count(scene: _Scene, route: Route, count: int, look: str) -> str:
    x, y = route.middle
    width = 8 + 6 * len(str(count))
    return (
        f'<rect{scene.part("badge", look)} x="{x - width / 2:.1f}" y="{y - 7:.1f}"'
        f' width="{width}" height="14" rx="7"/>'
        f'<text{scene.part("count", look)} x="{x:.1f}" y="{y + 3.2:.1f}">{count}</text>'
    )


def _op(scene: _Scene, box: Box, rect: Rect) -> str:
    sign = symbol(scene.nodes[box.of].op or "")
    look = "op word" if len(sign) > 1 else "op"
    if box.of == scene.state.active:
        look += " active"
    if box.shape == "circle":
        disc = f'<circle{scene.part("disc", look)} r="15"/>'
    else:
        disc = (
            f'<rect{scene.part("disc", look)} x="{-rect.width / 2:.1f}" y="-15"'
            f' width="{rect.width:.1f}" height="30" rx="15"/>'
        )
    down = 4 if len(sign) > 1 else 5
    text = f'<text{scene.part("sign", look)} y="{down}">{escaped(sign)}</text>'
    place = f'transform="translate({rect.x + rect.width / 2:.1f} {rect.y + rect.height / 2:.1f})"'
    head = f'class="{look}" data-of="{box.of}" ' if scene.page else ""
    return f"<g {head}{place}>{disc}{text}</g>"


def _value(scene: _Scene, box: Box, rect: Rect) -> str:
    node = scene.nodes[box.of]
    look = f"value {node.kind}" if node.kind != "value" else "value"
    if box.copy:
        look += " copy"
    look += _marks(scene.state, node.id, node.kind != "constant", node.id == scene.state.active)
    parts = {"card": _full, "copy": _compact}.get(box.shape, _constant)
    place = f'transform="translate({rect.x:.1f} {rect.y:.1f})"'
    name = scene.names[node.id]
    if not scene.page:
        return f"<g {place}>{parts(scene, box, node, name, look)}</g>"
    copy = f' data-copy="{box.copy}"' if box.copy else ""
    label = escaped(_description(scene, node.id))
    return (
        f'<g class="{look}" data-node="{node.id}"{copy} tabindex="0" role="img"'
        f' aria-label="{label}" {place}>{parts(scene, box, node, name, look)}</g>'
    )


def _marks(now: State, node: str, has_grad: bool, active: bool) -> str:
    """The classes that change from frame to frame."""
    marks = " active" if active else ""
    if node in now.changed:
        marks += " changed"
    if node in now.sources:
        marks += " source"
    if node not in now.data:
        marks += " pending"
    if has_grad and node not in now.grads:
        marks += " no-grad"
    return marks


def _full(scene: _Scene, box: Box, node: Node, name: str, look: str) -> str:
    kind = node.kind if node.kind != "value" else ""
    return (
        _frame(scene, box.width, box.height, 19, look)
        + _label(scene, node.label, name, kind, box.width, 13.5, look)
        + _rows(scene, node.id, box.width, (35, 51.5), look)
    )


def _compact(scene: _Scene, box: Box, node: Node, name: str, look: str) -> str:
    kind = f"{box.copy}/{box.copies}"
    return (
        _frame(scene, box.width, box.height, 17, look)
        + _label(scene, node.label, name, kind, box.width, 12.5, look)
        + _rows(scene, node.id, box.width, (30, 43), look, names=False)
    )


def _constant(scene: _Scene, box: Box, node: Node, name: str, look: str) -> str:
    number = _number(scene.state.data, node.id)
    middle = box.width / 2
    down = 17 if box.shape == "constant" else 33
    shape = f'width="{box.width:g}" height="{box.height:g}" rx="13"'
    card = f"<rect{scene.part('paper', look)} {shape}/><rect{scene.part('card', look)} {shape}/>"
    text = f'<text{scene.part("data", look)} x="{middle:g}" y="{down}">{number}</text>'
    label = _label(scene, node.label, name, "", box.width, 16, look) if name else ""
    return card + label + text


def _frame(scene: _Scene, width: float, height: float, cap: float, look: str) -> str:
    """Paper, cap and border of a card, in this order: the border of a lit card is thick."""
    shape = f'width="{width:g}" height="{height:g}" rx="8"'
    return (
        f"<rect{scene.part('paper', look)} {shape}/>"
        f'<path{scene.part("cap", look)} d="{_cap(width, cap, 8)}"/>'
        f"<rect{scene.part('card', look)} {shape}/>"
    )


@lru_cache(maxsize=64)
def _cap(width: float, height: float, radius: float) -> str:
    """The upper part of a card, inside the middle of its border."""
    inset = 0.5
    r, right = radius - inset, width - inset
    return (
        f"M{inset} {height:g}V{radius:g}a{r:g} {r:g} 0 0 1 {r:g} {-r:g}"
        f"H{right - r:g}a{r:g} {r:g} 0 0 1 {r:g} {r:g}V{height:g}z"
    )


def _label(
    scene: _Scene, label: str, name: str, kind: str, width: float, down: float, look: str
) -> str:
    taken = len(kind) * KIND * CHARACTER + 6 if kind else 0
    text = fitted(name, width - 2 * PAD - taken, LABEL)
    role = "label" if label else "label code"
    title = f"<title>{escaped(name[:SPOKEN])}</title>" if text != name and scene.page else ""
    parts = f'<text{scene.part(role, look)} x="{PAD:g}" y="{down:g}">{escaped(text)}{title}</text>'
    if kind:
        parts += f'<text{scene.part("kind", look)} x="{width - PAD:g}" y="{down:g}">{kind}</text>'
    return parts


def _rows(
    scene: _Scene,
    node: str,
    width: float,
    downs: tuple[float, float],
    look: str,
    names: bool = True,
) -> str:
    """Data and gradient, one below the other."""
    now, right = scene.state, f"{width - PAD:g}"
    parts = ""
    for role, numbers, down in (("data", now.data, downs[0]), ("grad", now.grads, downs[1])):
        if names:
            parts += f'<text{scene.part("name", look)} x="{PAD:g}" y="{down:g}">{role}</text>'
        number = _number(numbers, node)
        parts += f'<text{scene.part(role, look)} x="{right}" y="{down:g}">{number}</text>'
    return parts


def _number(numbers: dict[str, float], node: str) -> str:
    return short(numbers[node]) if node in numbers else NOTHING_YET


# Groups


def _group(scene: _Scene, box: Box, rect: Rect) -> str:
    section = scene.placement.graph.sections[box.of]
    now = scene.state
    inside = frozenset(box.inside)
    look = "group" + (" leaf" if box.shape == "leaves" else "")
    if box.shown:
        look += _marks(now, box.shown, True, now.active in inside)
    look = look.replace(" changed", "").replace(" source", "")
    look += " changed" if now.changed & inside else " source" if now.sources & inside else ""
    width, height = box.width - SHEET, box.height - SHEET
    rows = _rows(scene, box.shown, width, (36.5, 53), look) if box.shown else ""
    words = f"{len(inside)} leaves" if box.shape == "leaves" else _counted(len(inside))
    body = (
        f'<rect{scene.part("sheet", look)} x="{SHEET:g}" y="{SHEET:g}" width="{width:g}"'
        f' height="{height:g}" rx="8"/>'
        + _frame(scene, width, height, 20, look)
        + _label(scene, "title", section.title, "", width, 14, look)
        + f'{rows}<text{scene.part("name", look)} x="{PAD:g}" y="{height - 8:g}">{words}</text>'
    )
    place = f'transform="translate({rect.x:.1f} {rect.y:.1f})"'
    if not scene.page:
        return f"<g {place}>{body}</g>"
    label = escaped(f"{section.title[:SPOKEN]}, {words}: open")
    shown = f' data-node-shown="{box.shown}"' if box.shown else ""
    return (
        f'<g class="{look}" data-group="{escaped(box.of)}" data-nodes="{" ".join(box.inside)}"'
        f'{shown} tabindex="0" role="button" aria-label="{label}" {place}>{body}</g>'
    )


def _cluster(scene: _Scene, section: Section, rect: Rect) -> str:
    title = fitted(section.title, rect.width - 44, TITLE)
    frame = (
        f'<rect{scene.part("frame", "cluster")} x="{rect.x:.1f}" y="{rect.y:.1f}"'
        f' width="{rect.width:.1f}" height="{rect.height:.1f}" rx="12"/>'
        f'<text{scene.part("title", "cluster")} x="{rect.x + 12:.1f}" y="{rect.y + 17:.1f}">'
        f"{escaped(title)}</text>"
    )
    if not scene.page:
        return f"<g>{frame}</g>"
    group = escaped(section.id)
    close = ""
    if scene.placement.graph.grouped:
        close = (
            f'<g class="close" data-close="{group}" tabindex="0" role="button"'
            f' aria-label="{escaped(section.title[:SPOKEN])}: close"'
            f' transform="translate({rect.x + rect.width - 15:.1f} {rect.y + 14:.1f})">'
            f'<circle r="9"/><path d="M-3.5 -3.5L3.5 3.5M3.5 -3.5L-3.5 3.5"/></g>'
        )
    return f'<g class="cluster" data-group="{group}">{frame}{close}</g>'


# Words


def _counted(values: int) -> str:
    return f"{values} Value" if values == 1 else f"{values} Values"


def _shown_name(node: Node) -> str:
    """The name of a Value; constants and leaves without a label go without."""
    return node.name if node.op else node.label


def _spoken_name(scene: _Scene, node: str) -> str:
    found = scene.nodes[node]
    name = scene.names[node]
    return name[:SPOKEN] or (symbol(found.op) if found.op else "unnamed")


def _description(scene: _Scene, node: str) -> str:
    """ "a, leaf: data 2, gradient 6": what a screen reader says of a Value."""
    now, found = scene.state, scene.nodes[node]
    kind = f", {found.kind}" if found.kind != "value" else ""
    name = _spoken_name(scene, node) if found.kind != "constant" else found.label[:SPOKEN]
    data = f"data {spoken(now.data[node])}" if node in now.data else "no data yet"
    words = f"{name}{kind}: {data}" if name else f"constant: {data}"
    if found.kind == "constant":
        return words
    grad = f"gradient {spoken(now.grads[node])}" if node in now.grads else "no gradient yet"
    return f"{words}, {grad}"
