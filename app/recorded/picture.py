"""The picture of a record: boxes with small maps of data and gradients, edges with contributions.

What is shown from a step on has it as `data-from`, a box its id as `data-box`. Without scripts
everything is shown.
"""

from __future__ import annotations

from typing import NamedTuple

from app.picture.array_map import array_map, map_size
from app.picture.group_tree import DrawnGroup
from app.picture.grouping import Box, Edge, VisibleGraph
from app.picture.layout import Placement, place
from app.picture.rect import Rect
from app.picture.text import escaped, fitted
from app.recorded.boxes import CallBox, DrawnRecord
from engine.numbers import short
from engine.pytorch.figures_shown import matrix_of, shape_text
from engine.pytorch.record import Figures

PAD, TITLE, LINE, BETWEEN = 8.0, 17.0, 14.0, 8.0
SIZE, SMALL = 12.0, 10.5
LEAST, NUMBER, ROWS = 92.0, 48.0, 4
"""Least widths of a box and of a number, and the tensors with maps in it."""
MAP, LINES, COLUMNS = 64.0, 6, 8
"""Width and height of a map, and the part of a tensor that it shows, at most."""


class TensorRow(NamedTuple):
    """A tensor in a box: its name, and figures of data and gradient."""

    name: str
    data: Figures | None
    grad: Figures | None
    is_leaf: bool


def rows_of(drawn: DrawnRecord, box: CallBox) -> list[TensorRow]:
    """The leaves of a box, of a module only how much it holds, and its result."""
    record = drawn.record
    rows = []
    if not box.is_module:
        for leaf in list(box.leaves)[: ROWS - 1]:
            run = next((r for r in box.runs if r.leaf == leaf), None)
            state = next(s for op in box.operations for s in op.inputs if s.tensor == leaf)
            grad = record.grads.get(leaf) if run is None else run.after
            name = record.name(leaf).removeprefix(f"{box.module}.")
            rows.append(TensorRow(name, record.figures.get(state), grad, True))
    if box.result is not None:
        name = record.tensors[box.result.tensor].name if not box.is_input else ""
        rows.append(TensorRow(name, record.figures.get(box.result), box.gradient, False))
    return rows


def _size(drawn: DrawnRecord, box: CallBox) -> tuple[float, float]:
    width, height = len(_title(box)) * SIZE * 0.62 + 2 * PAD, TITLE + PAD
    for row in rows_of(drawn, box):
        if row.data is None:
            continue
        wide, high = _map_size(row.data)
        maps = 2 * max(wide, NUMBER) + BETWEEN
        width = max(width, maps + 2 * PAD, len(_head(row)) * SMALL * 0.62 + 2 * PAD)
        height += 2 * LINE + high + 5
    return max(width, LEAST), height + (LINE if box.is_module else 0)


def _cells(figures: Figures) -> tuple[tuple[int, int], list[float]]:
    """The shape and the numbers of the part of a tensor that is shown."""
    rows = [row[:COLUMNS] for row in matrix_of(figures)[:LINES]]
    return (max(len(rows), 1), max(map(len, rows), default=1)), [x for row in rows for x in row]


def _map_size(figures: Figures) -> tuple[float, float]:
    size = map_size(_cells(figures)[0], MAP, numbers=False)
    return size.width + 4, size.height + 4


def _title(box: CallBox) -> str:
    return box.title[:24]


def _head(row: TensorRow) -> str:
    shape = shape_text(row.data) if row.data is not None else ""
    return f"{row.name} {shape}".strip()[:26]


def laid_out(drawn: DrawnRecord, direction: str = "LR") -> Placement:
    """The boxes placed by Graphviz. Raises LayoutError."""
    boxes = tuple(
        Box(box.id, "value", box.id, "large", *_size(drawn, box), _around(drawn, box))
        for box in drawn.boxes.values()
    )
    edges = tuple(Edge(edge.tail, edge.head, "in", ()) for edge in drawn.edges)
    groups = {
        path: DrawnGroup(path, outer, "module", path) for path, outer in drawn.modules.items()
    }
    graph = VisibleGraph(boxes, edges, tuple(groups.values()), groups, True, frozenset(), ())
    return place(graph, direction)


def _around(drawn: DrawnRecord, box: CallBox) -> str | None:
    path = box.module
    while path and path not in drawn.modules:
        path = path.rpartition(".")[0]
    return path or None


def svg(drawn: DrawnRecord, placement: Placement, style: str = "") -> str:
    """The picture; with a `style` of its own it stands alone."""
    shape = placement.geometry
    opening = (
        f'<svg id="picture" class="recorded" xmlns="http://www.w3.org/2000/svg"'
        f' viewBox="0 0 {shape.width:.1f} {shape.height:.1f}" width="{shape.width:.0f}"'
        f' height="{shape.height:.0f}" role="group" aria-label="The graph of the program">{style}'
    )
    parts = [opening]
    for group, frame in zip(placement.graph.clusters, shape.clusters, strict=True):
        parts.append(_module(drawn, group.id, frame))
    for edge, route in zip(drawn.edges, shape.routes, strict=True):
        head, tail = drawn.boxes[edge.head], drawn.boxes[edge.tail]
        parts.append(f'<path class="line" d="{route.line}"/><path class="tip" d="{route.head}"/>')
        if edge.contribution is not None and head.first_backward >= 0 and not tail.is_input:
            x, y = route.middle
            parts.append(
                f'<text class="sent" data-from="{head.first_backward}" x="{x:.0f}" y="{y - 5:.0f}">'
                f"{short(edge.contribution)}</text>"
            )
    for box, rect in zip(drawn.boxes.values(), shape.boxes, strict=True):
        parts.append(_box(drawn, box, rect))
    return "".join((*parts, "</svg>"))


def _module(drawn: DrawnRecord, path: str, frame: Rect) -> str:
    title = f"{path}: {drawn.record.modules[path].kind}"
    return (
        f'<rect class="module" x="{frame.x:.1f}" y="{frame.y:.1f}" width="{frame.width:.1f}"'
        f' height="{frame.height:.1f}" rx="10"/><text class="module-name" x="{frame.x + 10:.1f}"'
        f' y="{frame.y + 16:.1f}">{escaped(fitted(title, frame.width - 20, SMALL))}</text>'
    )


def _box(drawn: DrawnRecord, box: CallBox, rect: Rect) -> str:
    kind = "module-box" if box.is_module else "input" if box.is_input else "call"
    title = escaped(fitted(_title(box), rect.width - PAD, SIZE))
    body = [
        f'<rect class="card" width="{rect.width:.1f}" height="{rect.height:.1f}" rx="8"/>',
        f'<text class="title" x="{PAD:g}" y="{TITLE:g}">{title}</text>',
    ]
    y = TITLE
    if box.is_module:
        y += LINE
        words = f"{box.calls} calls"
        body.append(f'<text class="small" x="{PAD:g}" y="{y:g}">{words}</text>')
    for row in rows_of(drawn, box):
        if row.data is None:
            continue
        body.append(_row(box, row, row.data, y))
        y += 2 * LINE + _map_size(row.data)[1] + 5
    place_ = f'transform="translate({rect.x:.1f} {rect.y:.1f})"'
    label = escaped(f"{box.title}, {box.module}" if box.module else box.title)
    return (
        f'<g class="box {kind}" data-box="{escaped(box.id)}" tabindex="0" role="img"'
        f' aria-label="{label}" {place_}>{"".join(body)}</g>'
    )


def _row(box: CallBox, row: TensorRow, data: Figures, y: float) -> str:
    (wide, high), top = _map_size(data), y + LINE + 3
    name = "leaf-name" if row.is_leaf else "small"
    text = f'<text class="{name}" x="{PAD:g}" y="{y + LINE - 1:g}">{escaped(_head(row))}</text>'
    shown = f"{_map(data, 'data', PAD, top)}{_length(data, PAD, top + high)}"
    text += f'<g data-from="{box.first_forward}">{shown}</g>'
    if row.grad is not None:
        middle = PAD + max(wide, NUMBER) + BETWEEN
        grad = _map(row.grad, "grad", middle, top) + _length(row.grad, middle, top + high, "grad")
        since = max(box.first_backward, box.first_forward)
        text += f'<g data-from="{since}">{grad}</g>'
    return text


def _map(figures: Figures, role: str, x: float, y: float) -> str:
    """The map of a tensor; of one without numbers, a dashed frame."""
    shape, cells = _cells(figures)
    drawn = array_map(cells or None, shape, role, label="", most=MAP, numbers=False)
    return drawn.replace("<svg ", f'<svg x="{x:g}" y="{y:g}" ', 1)


def _length(figures: Figures | None, x: float, y: float, role: str = "data") -> str:
    """One number, or the length of a tensor as one long vector."""
    if figures is None:
        return ""
    values = figures.values
    number = values[0] if values is not None and len(values) == 1 else figures.norm
    if number is None:
        return ""
    return (
        f'<text class="number {role}" x="{x:g}" y="{y + LINE - 2:g}">{short(float(number))}</text>'
    )
