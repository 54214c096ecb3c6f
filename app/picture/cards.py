"""Cards: a Value with its numbers, or a closed group, which shows the last of its Values.

A card is drawn for one frame. From frame to frame the page's script changes only the text of `data`
and `grad` and the classes of `marks`.
"""

from __future__ import annotations

from app.caches import cached
from app.picture import large
from app.picture.fields import field_markup
from app.picture.frame_state import NOTHING_YET, State, due_words
from app.picture.grouping import Box
from app.picture.output_rows import HEAD, output_rows
from app.picture.rect import Rect
from app.picture.scene import SPOKEN, DrawnFrame
from app.picture.text import CHARACTER, escaped, fitted
from engine.numbers import counted, in_equation
from engine.trace.model import Node
from engine.trace.symbols import brief
from engine.trace.traced import Trace

LABEL, KIND = 11.5, 10.5  # font sizes
PAD = 9.0
SHEET = 3.5  # offset of the sheet behind a closed group


def value_card(scene: DrawnFrame, box: Box, rect: Rect) -> str:
    """A Value, or one of its copies."""
    node = scene.nodes[box.of]
    look = f"value {node.kind}" if node.kind != "value" else "value"
    if box.copy:
        look += " copy"
    look += marks(scene.state, node.id, node.grad is not None, scene.state.is_active(node.id))
    look += scene.quiz.look_of(node.id) if scene.quiz else ""
    if box.shape == "large":
        look += " large"
    parts = {"card": _full, "large": _large, "copy": _compact}.get(box.shape, _constant)
    place = f'transform="translate({rect.x:.1f} {rect.y:.1f})"'
    name = scene.names[node.id]
    if not scene.page:
        return f"<g {place}>{parts(scene, box, node, name, look)}</g>"
    copy = f' data-copy="{box.copy}"' if box.copy else ""
    label = escaped(scene.description(node.id))
    return (
        f'<g class="{look}" data-node="{node.id}"{copy}{scene.card_role(node.id)}'
        f' aria-label="{label}" {place}>{parts(scene, box, node, name, look)}</g>'
    )


def group_card(scene: DrawnFrame, box: Box, rect: Rect) -> str:
    """A closed group, drawn as a stack of two cards."""
    section, look = scene.placement.graph.sections[box.of], _group_look(scene.state, box)
    if scene.trace.broken is not None and not scene.state.due.keys().isdisjoint(box.inside):
        look += " holds-wrong"
    width, height = box.width - SHEET, box.height - SHEET
    rows, base = "", height - 8
    if box.outputs:
        rows, base = output_rows(scene, box.outputs, width), HEAD
    elif box.shown:
        rows = _rows(scene, box.shown, width, (36.5, 53), look)
    count = len(box.inside)
    words = f"{count:,} leaves" if box.shape == "leaves" else counted(count, "Value")
    body = (
        f'<rect{scene.part("sheet", look)} x="{SHEET:g}" y="{SHEET:g}" width="{width:g}"'
        f' height="{height:g}" rx="8"/>'
        + frame(scene, width, height, 20, look)
        + _label(scene, "title", section.title, "", width, 14, look)
        + f'{rows}<text{scene.part("name", look)} x="{PAD:g}" y="{base:g}">{words}</text>'
        + _flag(scene, width, look)
    )
    place = f'transform="translate({rect.x:.1f} {rect.y:.1f})"'
    if not scene.page:
        return f"<g {place}>{body}</g>"
    # Its accessible name is its text and its action: an aria-label would need an update for every
    # number.
    body += f'<text class="spoken" x="{PAD:g}" y="{base:g}">: open</text>'
    shown = f' data-node-shown="{box.shown}"' if box.shown else ""
    return (
        f'<g class="{look}" data-group="{escaped(box.of)}" data-nodes="{" ".join(box.inside)}"'
        f"{shown}{scene.button} {place}>{body}</g>"
    )


def _group_look(now: State, box: Box) -> str:
    """The classes of a closed group: those of its shown Value, but highlighted by any member."""
    inside = frozenset(box.inside)
    look = "group" + (" leaf" if box.shape == "leaves" else "")
    if box.shown:
        look += marks(now, box.shown, True, any(map(now.is_active, inside)))
    elif box.outputs and any(map(now.is_active, inside)):
        look += " active"
    look = look.replace(" changed", "").replace(" source", "")
    return look + (
        " changed" if now.changed & inside else " source" if now.sources & inside else ""
    )


ROOMY = 9
"""Characters of a number beside which there is room for "data" in large letters."""


def marks(now: State, node: str, has_grad: bool, active: bool) -> str:
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
    if max(len(number(now.data, node)), len(number(now.grads, node))) > ROOMY:
        marks += " long"
    if has_grad and node in now.due:
        marks += " wrong first-wrong" if node == now.first else " wrong"
    return marks


# Parts of a card


def _full(scene: DrawnFrame, box: Box, node: Node, name: str, look: str) -> str:
    kind = node.kind if node.kind != "value" else ""
    return (
        frame(scene, box.width, box.height, 19, look)
        + _label(scene, node.label, name, kind, box.width, 13.5, look)
        + _rows(scene, node.id, box.width, (35, 51.5), look)
        + _due(scene, node, box, look)
    )


def _large(scene: DrawnFrame, box: Box, node: Node, name: str, look: str) -> str:
    kind = node.kind if node.kind != "value" else ""
    down, font = large.LABEL_DOWN, large.FONT
    return (
        frame(scene, box.width, box.height, large.CAP, look)
        + _label(scene, node.label, name, kind, box.width, down, look, font)
        + _rows(scene, node.id, box.width, large.ROWS, look)
        + _due(scene, node, box, look)
    )


DUE_WIDTH, DUE_HEIGHT = 104.0, 15.0


def _due(scene: DrawnFrame, node: Node, box: Box, look: str) -> str:
    """A chip on the lower edge of the card of a wrong gradient: the right one.

    On the page every Value of the program's own has one, which is shown while it is wrong.
    """
    due = scene.state.due.get(node.id)
    if not _may_be_wrong(scene.trace, node) or (due is None and not scene.page):
        return ""
    left, top = (box.width - DUE_WIDTH) / 2, box.height - 2
    base = top + DUE_HEIGHT / 2 + 3.5
    shape = f'x="{left:g}" y="{top:g}" width="{DUE_WIDTH:g}" height="{DUE_HEIGHT:g}" rx="7.5"'
    words = "" if due is None else due_words(due)
    return (
        f"<rect{scene.part('chip', look)} {shape}/>"
        f'<text{scene.part("due", look)} x="{box.width / 2:g}" y="{base:g}">'
        f"{words}</text>{_flag(scene, box.width, look)}"
    )


def _flag(scene: DrawnFrame, width: float, look: str) -> str:
    """The mark of a gradient that a broken rule makes wrong: an exclamation mark at the corner."""
    broken = scene.trace.broken
    if broken is None or not (scene.page or "wrong" in look):
        return ""
    return (
        f'<circle{scene.part("flag", look)} cx="{width - 1:g}" cy="1" r="7.5"/>'
        f'<text{scene.part("flag-sign", look)} x="{width - 1:g}" y="5">!</text>'
    )


def _may_be_wrong(trace: Trace, node: Node) -> bool:
    """Whether the gradient of a Value is judged, or may suffer from a broken rule."""
    if trace.broken is not None:
        return node.grad is not None
    return trace.verdict is not None and node.id in trace.verdict.ends


def _compact(scene: DrawnFrame, box: Box, node: Node, name: str, look: str) -> str:
    kind = f"{box.copy}/{box.copies}"
    return (
        frame(scene, box.width, box.height, 17, look)
        + _label(scene, node.label, name, kind, box.width, 12.5, look)
        + _rows(scene, node.id, box.width, (30, 43), look, names=False)
        + _due(scene, node, box, look)
    )


def _constant(scene: DrawnFrame, box: Box, node: Node, name: str, look: str) -> str:
    shown = number(scene.state.data, node.id)
    middle = box.width / 2
    down = 17 if box.shape == "constant" else 33
    shape = f'width="{box.width:g}" height="{box.height:g}" rx="13"'
    card = f"<rect{scene.part('paper', look)} {shape}/><rect{scene.part('card', look)} {shape}/>"
    text = f'<text{scene.part("data", look)} x="{middle:g}" y="{down}">{shown}</text>'
    label = _label(scene, node.label, name, "", box.width, 16, look) if name else ""
    return card + label + text


def frame(scene: DrawnFrame, width: float, height: float, cap: float, look: str) -> str:
    """Paper, cap and border of a card, in this z-order, as highlighted borders are thick."""
    shape = f'width="{width:g}" height="{height:g}" rx="8"'
    return (
        f"<rect{scene.part('paper', look)} {shape}/>"
        f'<path{scene.part("cap", look)} d="{_cap(width, cap, 8)}"/>'
        f"<rect{scene.part('card', look)} {shape}/>"
    )


@cached("headers of cards")
def _cap(width: float, height: float, radius: float) -> str:
    """The header of a card, inside the centre line of its border."""
    inset = 0.5
    r, right = radius - inset, width - inset
    return (
        f"M{inset} {height:g}V{radius:g}a{r:g} {r:g} 0 0 1 {r:g} {-r:g}"
        f"H{right - r:g}a{r:g} {r:g} 0 0 1 {r:g} {r:g}V{height:g}z"
    )


def _label(
    scene: DrawnFrame,
    label: str,
    name: str,
    kind: str,
    width: float,
    down: float,
    look: str,
    font: float = LABEL,
) -> str:
    taken = len(kind) * KIND * font / LABEL * CHARACTER + 6 if kind else 0
    room = width - 2 * PAD - taken
    text = fitted(name, room, font)
    if text != name and not label:  # the parameters of a network by their last part: b + w0*x
        text = fitted(brief(name), room, font)
    role = "label" if label else "label code"
    title = f"<title>{escaped(name[:SPOKEN])}</title>" if text != name and scene.page else ""
    parts = f'<text{scene.part(role, look)} x="{PAD:g}" y="{down:g}">{escaped(text)}{title}</text>'
    if kind:
        parts += f'<text{scene.part("kind", look)} x="{width - PAD:g}" y="{down:g}">{kind}</text>'
    return parts


def _rows(
    scene: DrawnFrame,
    node: str,
    width: float,
    downs: tuple[float, float],
    look: str,
    names: bool = True,
) -> str:
    """Data and gradient, one below the other; what cannot have a gradient has data alone."""
    now, right = scene.state, f"{width - PAD:g}"
    parts = ""
    rows = [("data", now.data, downs[0]), ("grad", now.grads, downs[1])]
    for role, numbers, down in rows[: 1 if scene.nodes[node].grad is None else 2]:
        if names:
            parts += f'<text{scene.part("name", look)} x="{PAD:g}" y="{down:g}">{role}</text>'
        field = scene.quiz.fields.get((node, role)) if scene.quiz else None
        if field is not None:
            parts += field_markup(scene, field, role, width, down)
            continue
        shown = number(numbers, node)
        parts += f'<text{scene.part(role, look)} x="{right}" y="{down:g}">{shown}</text>'
    return parts


def number(numbers: dict[str, float], node: str) -> str:
    return in_equation(numbers[node]) if node in numbers else NOTHING_YET
