"""A closed array: a box with a header and the cells of its Values, each with data and gradient.

    <g class="group array" data-group data-nodes data-cells>   the box; data-nodes are hidden in it
    <g class="value cell" data-node="v1">                      a cell, a card like any other

Cells follow their box instead of being inside of it: they are chosen and focused by themselves.
"""

from __future__ import annotations

from app.picture.array_grid import (
    CAP,
    CELL_HEIGHT,
    CELL_WIDTH,
    PAD,
    CellPosition,
    array_grid,
    shape_words,
)
from app.picture.cards import frame, marks, number
from app.picture.group_tree import DrawnGroup
from app.picture.grouping import Box
from app.picture.rect import Rect
from app.picture.scene import SPOKEN, DrawnFrame
from app.picture.shapes import symbol
from app.picture.text import CHARACTER, escaped, fitted
from engine.numbers import counted

LABEL, SMALL = 11.5, 10.5  # font sizes
INSET = 5.0  # of the numbers in a cell
SIGN = 16.0  # room for the sign that the box can be opened


def array_card(scene: DrawnFrame, box: Box, rect: Rect) -> str:
    """A closed array with the cells that it shows."""
    section = scene.placement.graph.sections[box.of]
    grid = array_grid(section.shape)
    cells = "".join(_cell(scene, section, cell, rect) for cell in grid.cells)
    shown = [section.cells[cell.index] or "" for cell in grid.cells]
    look = _look(scene, section, box, shown)
    body = frame(scene, box.width, box.height, CAP, look) + _header(scene, section, box, look)
    for x, y in grid.dots:
        body += f'<text{scene.part("dots", look)} x="{x:g}" y="{y:g}">…</text>'
    if grid.hidden:
        words = f"… {counted(grid.hidden, 'more element')}"
        down = box.height - 8
        body += f'<text{scene.part("name", look)} x="{PAD:g}" y="{down:g}">{words}</text>'
    place = f'transform="translate({rect.x:.1f} {rect.y:.1f})"'
    if not scene.page:
        return f"<g {place}>{body}</g>{cells}"
    body += f'<text class="spoken" x="{PAD:g}" y="{CAP / 2:g}">: open the array</text>'
    ids = " ".join(dict.fromkeys(filter(None, shown)))
    return (
        f'<g class="{look}" data-group="{escaped(box.of)}" data-nodes="{" ".join(box.inside)}"'
        f' data-cells="{ids}"{scene.button} {place}>{body}</g>{cells}'
    )


def _look(scene: DrawnFrame, section: DrawnGroup, box: Box, shown: list[str]) -> str:
    """The classes of the box: lit by what is hidden in it, active for its cells as well."""
    now, inside = scene.state, frozenset(box.inside)
    look = "group array" + ("" if _is_computed(scene, section) else " leaf")
    if any(map(now.is_active, (*inside, *shown))):
        look += " active"
    return look + (
        " changed" if now.changed & inside else " source" if now.sources & inside else ""
    )


def _is_computed(scene: DrawnFrame, section: DrawnGroup) -> bool:
    return any(scene.nodes[cell].args for cell in section.cells if cell is not None)


def _header(scene: DrawnFrame, section: DrawnGroup, box: Box, look: str) -> str:
    """Name, operation and shape of an array, and the sign that it can be opened."""
    size = shape_words(section.shape)
    op = symbol(section.op) if section.op not in section.title else ""
    right, down = box.width - PAD - SIGN, 14.5
    text = f'<text{scene.part("kind", look)} x="{right:g}" y="{down:g}">{size}</text>'
    right -= len(size) * SMALL * CHARACTER + 7
    name = fitted(section.title, right - PAD - 2, LABEL)
    room = right - PAD - len(name) * LABEL * CHARACTER - 8
    if op and name == section.title and len(op) * SMALL * CHARACTER <= room:
        text += f'<text{scene.part("by", look)} x="{right:g}" y="{down:g}">{escaped(op)}</text>'
    is_cut = scene.page and name != section.title
    title = f"<title>{escaped(section.title[:SPOKEN])}</title>" if is_cut else ""
    x, y = box.width - PAD - 9, CAP / 2
    label = f'x="{PAD + 2:g}" y="{down:g}">{escaped(name)}{title}'
    return (
        f"<text{scene.part('label', look)} {label}</text>"
        f'{text}<path{scene.part("more", look)} d="M{x:g} {y:g}h9m-4.5 -4.5v9"/>'
    )


def _cell(scene: DrawnFrame, section: DrawnGroup, cell: CellPosition, rect: Rect) -> str:
    """One element; one that is not drawn, as the output does not depend on it, is empty."""
    place = f'transform="translate({rect.x + cell.x:.1f} {rect.y + cell.y:.1f})"'
    shape = f'width="{CELL_WIDTH:g}" height="{CELL_HEIGHT:g}" rx="4"'
    id_ = section.cells[cell.index]
    if id_ is None:
        empty = f'<g class="void" {place}>' if scene.page else f"<g {place}>"
        return f"{empty}<rect{scene.part('hole', 'void')} {shape}/></g>"
    node, now = scene.nodes[id_], scene.state
    look = f"value cell {node.kind}" if node.kind != "value" else "value cell"
    look += marks(now, id_, node.grad is not None, now.is_active(id_))
    right = f"{CELL_WIDTH - INSET:g}"
    body = f"<rect{scene.part('paper', look)} {shape}/><rect{scene.part('card', look)} {shape}/>"
    rows = [("data", now.data, 14.0), ("grad", now.grads, 28.0)]
    for role, numbers, down in rows[: 1 if node.grad is None else 2]:
        text = number(numbers, id_)
        body += f'<text{scene.part(role, look)} x="{right}" y="{down:g}">{text}</text>'
    if not scene.page:
        return f"<g {place}>{body}</g>"
    label = escaped(scene.description(id_))
    return (
        f'<g class="{look}" data-node="{id_}" tabindex="0" role="img" aria-label="{label}"'
        f" {place}>{body}</g>"
    )
