"""SVG of a placed graph: for the page, with its style sheet and script, or standalone.

Both are produced by the same functions, so that they agree; labels pass through `escaped`. The
page's elements have classes and data attributes where the standalone ones have colours.

    <g class="lines">                          all that is beneath the boxes: frames, edges, amounts
    <g class="value leaf" data-node="v1">      a card; copies of one leaf share data-node
    <g class="op" data-of="v5">                the circle of the op that computes v5
    <g class="edge in" data-from data-to data-slot>   lists of equal length where uses are merged
    <g class="group" data-group data-nodes data-node-shown>   a closed group
    <g class="op formula" data-of="v9" data-group data-nodes>   a closed formula
    <g class="group array" data-group …>       a closed array, for which see `array_cards`
    <g class="cluster" data-group>             the frame of an open group
    <g class="amount" data-edge>               the contributions of an edge, by its place in order
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from markupsafe import Markup

from app.picture.amounts import amounts, several, strength
from app.picture.array_cards import array_card
from app.picture.cards import SHEET, group_card, value_card
from app.picture.edge_paths import Route
from app.picture.grains import FrameSpan
from app.picture.group_tree import DrawnGroup
from app.picture.grouping import Box, Edge, VisibleGraph
from app.picture.layout import Placement
from app.picture.palette import LIGHT
from app.picture.quiz import Quiz
from app.picture.rect import Rect
from app.picture.scene import SPOKEN, DrawnFrame, new_scene
from app.picture.shapes import symbol
from app.picture.text import CHARACTER, escaped, fitted
from engine.numbers import counted
from engine.trace.expand import can_open
from engine.trace.group_borders import CALLS, group_borders, is_equal
from engine.trace.traced import Trace

GRAIN = {False: "values", True: "boxes"}
FONT = "DejaVu Sans Mono, Menlo, Consolas, monospace"
TITLE = 11.0  # font size


def page_svg(
    trace: Trace,
    placement: Placement,
    at: int | FrameSpan | None = None,
    with_amounts: bool = False,
    quiz: Quiz | None = None,
) -> Markup:
    """The picture at a frame or step, for a page; `with_amounts`: contributions on edges.

    A `quiz` has fields in place of numbers.
    """
    scene = new_scene(trace, placement, at, page=True, amounts=with_amounts, quiz=quiz)
    shape = placement.geometry
    title = escaped(f"Computation graph of {scene.spoken_name(trace.drawn)}")
    slot = "" if scene.step.slot is None else f' data-slot="{scene.step.slot}"'
    looks = " contributions" if with_amounts else ""
    looks += " broken" if trace.broken is not None else ""
    head = (
        f'<svg id="picture" class="picture{looks}" xmlns="http://www.w3.org/2000/svg"'
        f' viewBox="0 0 {shape.width:.1f} {shape.height:.1f}"'
        f' width="{shape.width:.1f}" height="{shape.height:.1f}" role="group"'
        f' aria-label="{title}" data-direction="{placement.direction}"'
        f' data-grain="{GRAIN[placement.graph.grouped]}"'
        f' data-pass="{scene.state.direction}" data-frame="{scene.state.frame}"{slot}>'
    )
    return Markup("".join((head, *_parts(scene), "</svg>")))  # noqa: S704  all text is escaped


def standalone_svg(
    trace: Trace,
    placement: Placement,
    at: int | FrameSpan | None = None,
    with_amounts: bool = False,
    quiz: Quiz | None = None,
) -> str:
    """The picture at a frame or step as a standalone file, for <img>, slides and print.

    A `quiz` has fields in place of numbers.
    """
    scene = new_scene(trace, placement, at, page=False, amounts=with_amounts, quiz=quiz)
    shape, now = placement.geometry, scene.state
    title = f"Computation graph of {scene.spoken_name(trace.drawn)}"
    description = (
        f"{counted(len(trace.nodes), 'Value')}; {now.direction} pass,"
        f" picture {now.frame + 1} of {len(trace.frames)}. {scene.description(trace.drawn)}."
    )
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" version="1.1"'
        f' viewBox="0 0 {shape.width:.1f} {shape.height:.1f}"'
        f' width="{shape.width:.1f}" height="{shape.height:.1f}" role="img"'
        f' font-family="{FONT}"><title>{escaped(title)}</title>'
        f"<desc>{escaped(description)}</desc>"
        f'<rect width="{shape.width:.1f}" height="{shape.height:.1f}" rx="12"'
        f' fill="{LIGHT.panel}"/>'
    )
    return "".join((head, *_parts(scene), "</svg>\n"))


def blank_svg(words: str) -> str:
    """The picture of a program without a graph, as a file: a sentence."""
    width = 24 + len(words) * TITLE * CHARACTER
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" version="1.1" viewBox="0 0 {width:.1f} 48"'
        f' width="{width:.1f}" height="48" role="img" font-family="{FONT}">'
        f"<title>{escaped(words)}</title>"
        f'<rect width="{width:.1f}" height="48" rx="12" fill="{LIGHT.panel}"/>'
        f'<text x="12" y="28" font-size="{TITLE:g}" fill="{LIGHT.mute}">{escaped(words)}</text>'
        "</svg>\n"
    )


def _parts(scene: DrawnFrame) -> Iterator[str]:
    """The parts in z-order: frames of groups, edges, boxes, which cover the ends of edges."""
    lines = "".join(_lines(scene))
    yield f'<g class="lines">{lines}</g>' if scene.page else lines
    graph, geometry = scene.placement.graph, scene.placement.geometry
    for box, rect in zip(graph.boxes, geometry.boxes, strict=True):
        yield _DRAWN.get(box.kind, value_card)(scene, box, rect)


def _lines(scene: DrawnFrame) -> Iterator[str]:
    graph, geometry = scene.placement.graph, scene.placement.geometry
    equal = _equal_at_border(scene.trace, graph)
    for section, rect in zip(graph.clusters, geometry.clusters, strict=True):
        yield _cluster(scene, section, rect)
    for edge, route in zip(graph.edges, geometry.routes, strict=True):
        yield _edge(scene, edge, route)
    for section, rect in zip(graph.clusters, geometry.clusters, strict=True):
        yield _title(scene, section, rect, EQUAL if section.id in equal else "")
    if scene.contributions is not None:
        yield from amounts(scene, scene.contributions)


def _edge(scene: DrawnFrame, edge: Edge, route: Route) -> str:
    lit = _is_lit(scene, edge)
    look = f"edge {edge.kind}" + (" merged" if edge.merged else "")
    if lit:
        look += f" flow-{scene.state.direction}"
    shown = scene.contributions
    carried = shown.at(edge, scene.step) if shown is not None else None
    look += strength(carried) if carried else ""
    line = f'<path{scene.part("line", look)} d="{route.line}"/>'
    head = f'<path{scene.part("head", look)} d="{route.head}"/>'
    tail = f'<path{scene.part("tail", look)} d="{route.tail}"/>'
    has_count = edge.merged and len(edge.links) > 1
    count = _count(scene, route, len(edge.links), look) if has_count else ""
    if not scene.page:
        arrow = tail if lit and scene.state.direction == "backward" else head
        return f"<g>{line}{arrow}{count}</g>"
    to = " ".join(link.to for link in edge.links)
    if edge.kind == "out":
        return f'<g class="{look}" data-to="{to}">{line}{head}{tail}</g>'
    sources = " ".join(link.source for link in edge.links)
    slots = " ".join(str(link.slot) for link in edge.links)
    return (
        f'<g class="{look}" data-from="{sources}" data-to="{to}" data-slot="{slots}">'
        f"{several(carried)}{line}{head}{tail}{count}</g>"
    )


def _is_lit(scene: DrawnFrame, edge: Edge) -> bool:
    """Whether `edge` is highlighted in this frame; merged uses are highlighted together."""
    return any(scene.state.flows(link.to, link.slot) for link in edge.links)


def _count(scene: DrawnFrame, route: Route, count: int, look: str) -> str:
    x, y = route.middle
    width = 8 + 6 * len(str(count))
    return (
        f'<rect{scene.part("badge", look)} x="{x - width / 2:.1f}" y="{y - 7:.1f}"'
        f' width="{width}" height="14" rx="7"/>'
        f'<text{scene.part("count", look)} x="{x:.1f}" y="{y + 3.2:.1f}">{count}</text>'
    )


def _op(scene: DrawnFrame, box: Box, rect: Rect) -> str:
    sign = symbol(scene.nodes[box.of].op or "")
    look = "op word" if len(sign) > 1 else "op"
    if scene.state.is_active(box.of):
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
    return f"<g {head}{place}>{disc}{text}{_opener(scene, box)}</g>"


def _opener(scene: DrawnFrame, box: Box) -> str:
    """The sign on an op that it can be opened into more elementary ones."""
    node = scene.nodes[box.of]
    is_open = any(found.node == node.id for found in scene.trace.opened)
    if is_open or scene.quiz or not (scene.page and can_open(node)):
        return ""
    label = escaped(f"{node.op} of {scene.spoken_name(node.id)}: open into elementary operations")
    return (
        f'<g class="opener" data-expand="{node.id}" tabindex="0" role="button"'
        f' aria-label="{label}" transform="translate({box.width / 2 - 3:.1f} -12)">'
        f'<circle r="6"/><path d="M-3 0h6M0 -3v6"/></g>'
    )


def _formula(scene: DrawnFrame, box: Box, rect: Rect) -> str:
    """A closed formula: the pill of an op on a sheet, with the sign that it can be opened.

    A formula that could not be traced is a pill alone.
    """
    section = scene.placement.graph.sections[box.of]
    look, now = "op word formula" if box.inside else "op word", scene.state
    if any(map(now.is_active, (box.shown, *box.inside))):
        look += " active"
    width, height = box.width - SHEET, box.height - SHEET
    shape = f'width="{width:g}" height="{height:g}" rx="{height / 2:g}"'
    middle = height / 2
    sign = escaped(symbol(section.title))
    disc, text = f"<rect{scene.part('disc', look)} {shape}/>", scene.part("sign", look)
    if box.inside:
        body = (
            f'<rect{scene.part("sheet", look)} x="{SHEET:g}" y="{SHEET:g}" {shape}/>{disc}'
            f'<text{text} x="{width / 2 - 6:g}" y="{middle + 4:g}">{sign}</text>'
            f'<path{scene.part("more", look)} d="M{width - 21:g} {middle:g}h9m-4.5 -4.5v9"/>'
        )
    else:
        body = f'{disc}<text{text} x="{width / 2:g}" y="{middle + 4:g}">{sign}</text>'
    place = f'transform="translate({rect.x:.1f} {rect.y:.1f})"'
    if not scene.page:
        return f"<g {place}>{body}</g>"
    if not box.inside:
        return f'<g class="{look}" data-of="{box.shown}" {place}>{body}</g>'
    body += f'<text class="spoken" x="9" y="{middle:g}">: open the formula</text>'
    return (
        f'<g class="{look}" data-of="{box.shown}" data-group="{escaped(box.of)}"'
        f' data-nodes="{" ".join(box.inside)}"{scene.button} {place}>{body}</g>'
    )


EQUAL = ": gradients at its border stay equal"
OUTER = ("mlp", "layer")


def _equal_at_border(trace: Trace, graph: VisibleGraph) -> Collection[str]:
    """The boxes that are opened one by one, such as neurons, and pass on what they do closed."""
    inner = [s.id for s in graph.clusters if s.kind in CALLS and s.kind not in OUTER]
    found = group_borders(trace, inner)
    return {group for group, borders in found.items() if is_equal(trace, borders)}


def _cluster(scene: DrawnFrame, section: DrawnGroup, rect: Rect) -> str:
    frame = (
        f'<rect{scene.part("frame", "cluster")} x="{rect.x:.1f}" y="{rect.y:.1f}"'
        f' width="{rect.width:.1f}" height="{rect.height:.1f}" rx="12"/>'
    )
    if not scene.page:
        return f"<g>{frame}</g>"
    group = escaped(section.id)
    close = ""
    if not scene.quiz and (scene.placement.graph.grouped or section.is_folded):
        what = f'data-expand="{section.expands}"' if section.expands else f'data-close="{group}"'
        close = (
            f'<g class="close" {what} tabindex="0" role="button"'
            f' aria-label="{escaped(section.title[:SPOKEN])}: close"'
            f' transform="translate({rect.x + rect.width - 15:.1f} {rect.y + 14:.1f})">'
            f'<circle r="9"/><path d="M-3.5 -3.5L3.5 3.5M3.5 -3.5L-3.5 3.5"/></g>'
        )
    return f'<g class="cluster" data-group="{group}">{frame}{close}</g>'


def _title(scene: DrawnFrame, section: DrawnGroup, rect: Rect, says: str) -> str:
    """The title of a frame, over the lines that cross it; `says` follows where there is room."""
    title, room = section.title + says, rect.width - 44
    if fitted(title, room, TITLE) != title:
        title = fitted(section.title, room, TITLE)
    part = scene.part("frame-title", "cluster")
    return f'<text{part} x="{rect.x + 12:.1f}" y="{rect.y + 17:.1f}">{escaped(title)}</text>'


_DRAWN = {"op": _op, "formula": _formula, "group": group_card, "array": array_card}
"""How each kind of box but a Value is drawn."""
