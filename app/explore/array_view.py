"""The stage of a program that computes with whole arrays: its picture, and what each frame says."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from markupsafe import Markup

from app.explore.array_cell import LENS, CellCard, cell_card, cell_href, chosen_cell
from app.explore.array_checks import (
    ELEMENT,
    LeafCheckRow,
    cell_formula,
    check_rows,
    element_name,
    elements_in,
)
from app.explore.array_numbers import alike, held
from app.explore.array_rules import ArrayRule, ShownCell, array_rule, axes_words, forward_equation
from app.explore.array_words import along
from app.explore.picture_parts import Timeline
from app.picture.array_picture import ArrayState, array_picture, shape_text
from app.program_address import View
from engine.array_ops.ops import ARRAY_OPS
from engine.array_ops.table import ArrayOp
from engine.numbers import counted
from engine.trace.array_batch import Batch, batch_of
from engine.trace.array_boxes import MOST, ArrayBox, BoxedArrays, boxed
from engine.trace.array_trace import ArrayFrame, ArrayTrace, TracedArray, summed_axes
from engine.trace.traced import Trace

CELLS = 64
"""Cells of a result up to which it is said which cells each was made of."""
READS = 30_000
CUT_SHORT = (
    "The run computes more operations on arrays, or more numbers in them, than are kept. Take "
    "fewer samples, units or turns to see all of it."
)
INFIX = {"+": "+", "-": "−", "*": "⊙", "/": "/", "@": "·"}
LONG = 220
"""Letters of a formula with numbers."""


@dataclass(frozen=True, slots=True)
class ArrayFrameView:
    """A frame: its words, and the arrays that are active and known in it, as lists of ids."""

    pass_: str
    title: str
    span: Sequence[int]
    says: str
    symbols: Markup
    shapes: str
    cell: str
    rules: Sequence[ArrayRule]
    href: str
    cell_href: str = ""
    """The address of the scalar graph of the cell that is shown in numbers."""


@dataclass(frozen=True, slots=True)
class ArrayView:
    """The picture with its frames; `at` is the one shown first."""

    picture: Markup
    frames: Sequence[ArrayFrameView]
    at: int
    states: str
    reads: str
    left_out: int = 0
    checks: Sequence[LeafCheckRow] = ()
    """The gradients of the leaves against measured slopes."""
    cell: CellCard | None = None
    """The cell that was chosen."""
    asked: str = ""
    """The text that names it."""
    counts: str = ""
    opened: Sequence[tuple[str, str]] = ()
    """The open boxes, with the addresses that close them."""
    turn: tuple[str, str] | None = None
    """Words and address of the other way to draw them."""
    notice: str = ""
    batch: str = ""
    """The arrays whose axis 0 is the batch, with the cells of one sample, as JSON."""

    @property
    def timeline(self) -> Timeline:
        """The player of the page, at the frame shown first."""
        last, hrefs = len(self.frames) - 1, [frame.href for frame in self.frames]
        back, on = self.at > 0, self.at < last
        links = {
            "first": hrefs[0] if back else None,
            "back": hrefs[self.at - 1] if back else None,
            "forward": hrefs[self.at + 1] if on else None,
            "last": hrefs[last] if on else None,
        }
        return Timeline(self.at, self.at, last + 1, pass_=self.frames[self.at].pass_, links=links)


def draws_arrays(shown: Trace) -> bool:
    """Whether a program's arrays are drawn: it has no other picture, or one of earlier lines."""
    if shown.output is None:
        return True
    trace = shown.arrays
    if shown.scene is not None or trace is None:
        return False
    if not trace.nodes:
        return False
    is_array = any(node.op and len(node.data.data) > 1 for node in trace.nodes)
    is_later = shown.by_hand is not None or trace.nodes[-1].span > shown.nodes[-1].span
    return is_array and is_later


def array_view(shown: Trace, view: View) -> ArrayView | None:
    """The arrays of a program; None if it has none to draw."""
    trace = shown.arrays
    if trace is None:
        return None
    if trace.left_out:
        return ArrayView(Markup(), (), 0, "", "", trace.left_out)
    if len(trace.frames) < 2:
        return None
    nodes = {node.id: node for node in trace.nodes}
    found = boxed(trace, view.open, view.grouped)
    asked = view.lenses.get(LENS, "")
    chosen, batch = chosen_cell(trace, asked), batch_of(trace)
    shown_cell = ShownCell(batch=batch)
    if chosen is not None:
        sample = batch.sample(nodes[chosen.node], chosen.at) if batch is not None else None
        shown_cell = ShownCell(chosen.node, chosen.at, sample, batch)
    frames = [_frame(found, nodes, at, view, shown_cell) for at in range(len(found.trace.frames))]
    last = len(frames) - 1
    at = last if view.frame is None else min(view.frame, last)
    states = list(_states(found))
    links = {id_: _turned(view, found, box, True) for id_, box in found.closed.items()}
    picture = array_picture(found.trace, "The arrays of the program", states[at], at, links)
    return ArrayView(
        Markup(picture),  # noqa: S704  escaped where it is written
        frames,
        at,
        json.dumps([_plain(state) for state in states]),
        json.dumps(dict(_reads(found.trace, nodes))),
        checks=list(check_rows(trace)),
        cell=None if chosen is None else cell_card(trace, nodes, chosen, view, batch),
        batch=_batch(batch, nodes),
        asked=asked,
        counts=_counts(found),
        opened=[(box.title, _turned(view, found, box, False)) for box in found.opened],
        turn=_turn(view, found, nodes),
        notice="" if trace.is_whole else CUT_SHORT,
    )


def _batch(batch: Batch | None, nodes: Mapping[str, TracedArray]) -> str:
    """The cells of one sample by array, as scripts read them."""
    if batch is None:
        return "{}"
    return json.dumps({id_: batch.stride(nodes[id_]) for id_ in sorted(batch.nodes)})


def _counts(found: BoxedArrays) -> str:
    cards = [node for node in found.trace.nodes if not node.is_constant]
    closed = len(found.closed)
    boxes = f"{closed} box{'es' if closed > 1 else ''}, " if closed else ""
    arrays = counted(len(cards) - len(found.closed), "array")
    return f"{boxes}{arrays}, {counted(len(found.trace.frames), 'frame')}"


def _turned(view: View, found: BoxedArrays, box: ArrayBox, is_open: bool) -> str:
    """The address with a box opened or closed."""
    ids = {it.id for it in found.opened}
    now = ids | {box.id} if is_open else ids - {box.id}
    return f"/?{replace(view, open=frozenset(now), frame=None).query()}"


def _turn(
    view: View, found: BoxedArrays, nodes: Mapping[str, TracedArray]
) -> tuple[str, str] | None:
    """The words and the address of the other way to draw the arrays: as boxes, or each."""
    is_boxed = bool(found.closed or found.opened)
    count = sum(not node.is_constant for node in nodes.values())
    if not found.can_box or (is_boxed and count > MOST):
        return None
    there = replace(view, grouped=not is_boxed, open=None, frame=None)
    return ("each array" if is_boxed else "calls as boxes"), f"/?{there.query()}"


def _states(found: BoxedArrays) -> Iterator[ArrayState]:
    """By frame: the pass, the arrays whose data and gradients are known, and the active ones."""
    trace = found.trace
    data = [node.id for node in trace.nodes if node.op is None and not node.is_constant]
    grads: list[str] = []
    for frame in trace.frames:
        now = [frame.node] if frame.node else list(data)
        if frame.pass_ == "forward" and frame.node:
            data.append(frame.node)
        elif frame.pass_ == "backward":
            shown = [c for c in frame.contributions if found.is_shown(c.to)]
            grads += [c.to for c in shown if c.is_last] or [frame.node]
            now += [c.to for c in shown]
        yield ArrayState(frame.pass_, frame.node, frozenset(data), frozenset(grads), frozenset(now))


def _plain(state: ArrayState) -> dict[str, object]:
    """A state as scripts read it."""
    ids = {"data": state.data, "grads": state.grads, "now": state.now}
    return {
        "pass": state.pass_,
        "active": state.active,
        **{name: sorted(found) for name, found in ids.items()},
    }


def _reads(
    trace: ArrayTrace, nodes: Mapping[str, TracedArray]
) -> Iterator[tuple[str, dict[str, object]]]:
    """By array: its arguments, and for each of its cells the cells of these that it is made of."""
    left = READS
    for node in trace.nodes:
        op = ARRAY_OPS.get(node.op or "")
        args = [nodes[arg] for arg in node.args]
        small = len(node.data.data) <= CELLS and all(len(a.data.data) <= 512 for a in args)
        if op is None or not small:
            continue
        shapes = [arg.data.shape for arg in args]
        cells = [
            [list(map(int, part)) for part in op.reads(cell, shapes, node.params)]
            for cell in range(len(node.data.data))
        ]
        left -= sum(len(part) for cell in cells for part in cell)
        if left < 0:
            return
        yield node.id, {"args": list(node.args), "cells": cells}


def _frame(
    found: BoxedArrays,
    nodes: Mapping[str, TracedArray],
    at: int,
    view: View,
    shown: ShownCell,
) -> ArrayFrameView:
    frame = found.trace.frames[at]
    href = "/?" + replace(view, frame=at).query()
    if not frame.node:
        leaves = [n.name for n in nodes.values() if n.op is None and not n.is_constant]
        said = f"Given: {', '.join(leaves)}."
        return ArrayFrameView(frame.pass_, "The arrays given", (), said, Markup(), "", "", (), href)
    node = next(it for it in found.trace.nodes if it.id == frame.node)
    if frame.pass_ == "forward":
        return _forward(nodes, node, frame, href, shown)
    return _backward(nodes, node, frame, href, shown)


def _forward(
    nodes: Mapping[str, TracedArray], node: TracedArray, frame: ArrayFrame,
    href: str, chosen: ShownCell,
) -> ArrayFrameView:  # fmt: skip
    op = ARRAY_OPS.get(node.op or "")
    args = [nodes[arg] for arg in node.args]
    says = f"{_named(op, args, op.words)}." if op is not None else f"{node.op} computes it."
    if args:
        says = along(says, node, args[0], lambda axes: axes_words(axes, args[0], chosen.batch))
    if node.members:
        says = f"{node.op} computes it, by {counted(node.members, 'operation')}."
    repeated = [
        f"{arg.name} is repeated along {axes_words(axes, node, chosen.batch)}."
        for arg in args
        for axes in (summed_axes(node.op or "", arg.data.shape, node.data.shape),)
        if axes and not arg.is_constant
    ]
    arrays = [shape_text(arg.data.shape) for arg in args if not arg.is_constant]
    sign = INFIX.get(node.op or "", "") if len(arrays) == 2 else ""
    inner = (f" {sign} " if sign else ", ").join(arrays)
    at = chosen.cell_of(node, node.data.data)
    equation = Markup() if op is None else forward_equation(op, node, args)
    return ArrayFrameView(
        frame.pass_,
        node.name,
        node.span,
        " ".join([says[:1].upper() + says[1:], *repeated]),
        equation,
        f"{shape_text(node.data.shape)} {'=' if sign else 'from'} {inner}" if inner else "",
        _cell_numbers(node, args, at),
        (),
        href,
        cell_href(node, args, at),
    )


def _cell_numbers(node: TracedArray, args: Sequence[TracedArray], at: int) -> str:
    """One cell of a result, as its formula with numbers; "" if it has none."""
    text = cell_formula(node, args, at)
    if not text:
        return ""
    used = elements_in(text, node, args)
    written = alike([*used.values(), node.data.data[at]])
    text = ELEMENT.sub(lambda found: held(written(used[found[1], int(found[2])])), text)
    text = text.replace("-", "−").replace(" * ", " · ").replace("**", "^")
    if len(text) > LONG:
        text = f"{text[:LONG]}…"
    return f"{element_name(node, at)} = {text} = {written(node.data.data[at])}"


def _backward(
    nodes: Mapping[str, TracedArray], node: TracedArray, frame: ArrayFrame,
    href: str, chosen: ShownCell,
) -> ArrayFrameView:  # fmt: skip
    if not frame.contributions and not node.members:
        return ArrayFrameView(
            frame.pass_, f"∂{node.name}", node.span,
            f"The gradient of {node.name} by itself is 1: here the backward pass begins.",
            Markup(), "", "", (), href,
        )  # fmt: skip
    rules = [array_rule(nodes, node, c, chosen) for c in frame.contributions]
    to = " and ".join(dict.fromkeys(f"∂{nodes[c.to].name}" for c in frame.contributions))
    says = ""
    if node.members:
        says = f"The backward pass goes through {node.op}: {counted(node.members, 'operation')}."
        to = to or f"∂{node.op}"
    return ArrayFrameView(frame.pass_, to, node.span, says, Markup(), "", "", rules, href)


def _named(op: ArrayOp, args: Sequence[TracedArray], text: str) -> str:
    """The words of an operation with the names of its arguments."""
    names = {op.name_of(slot): arg.name for slot, arg in enumerate(args)}
    return re.sub(r"\b[a-z]\w?\b", lambda m: names.get(m[0], m[0]), text) if len(names) else text
