"""The stage of a program that computes with whole arrays: its picture, and what each frame says."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import isfinite, prod
from typing import NamedTuple

from markupsafe import Markup

from app.explore.array_checks import (
    BrokenRule,
    LeafCheckRow,
    broken_rules,
    cell_program,
    check_rows,
    element_name,
)
from app.picture.array_map import scale_of
from app.picture.array_picture import ArrayState, array_picture, shape_text
from app.program_address import View
from engine.array_ops.flat import Flat
from engine.array_ops.ops import ARRAY_OPS
from engine.array_ops.table import ArrayOp
from engine.numbers import in_equation
from engine.trace.array_trace import (
    ArrayContribution,
    ArrayFrame,
    ArrayTrace,
    TracedArray,
    summed_axes,
)
from engine.trace.traced import Trace

CELLS = 64
"""Cells of a result up to which it is said which cells each was made of."""
READS = 30_000
TERMS = 12
WORK = 4_096
"""Elements of the arrays of an operation up to which one cell of a gradient is taken apart."""
LONG = 220
"""Letters of a formula with numbers."""


class ArrayTerm(NamedTuple):
    """One term of a cell: gradient of a cell of the result times how it depends on this one."""

    gradient: str
    factor: str
    amount: str
    width: float
    is_negative: bool


class ArrayRule(NamedTuple):
    """What one argument receives: in symbols, in shapes, and one cell of it in numbers."""

    to: str
    symbols: str
    shapes: str
    broadcast: str
    cell: str
    terms: Sequence[ArrayTerm]
    total: str
    broken: Sequence[BrokenRule] = ()


@dataclass(frozen=True, slots=True)
class ArrayFrameView:
    """A frame: its words, and the arrays that are active and known in it, as lists of ids."""

    pass_: str
    title: str
    line: int
    says: str
    symbols: str
    shapes: str
    cell: str
    rules: Sequence[ArrayRule]
    now: str
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


def draws_arrays(shown: Trace) -> bool:
    """Whether a program's arrays are drawn: it has no other picture, or one of earlier lines."""
    if shown.output is None:
        return True
    trace = shown.arrays
    if shown.scene is not None or trace is None:
        return False
    is_array = any(node.op and len(node.data.data) > 1 for node in trace.nodes)
    return is_array and trace.nodes[-1].span > shown.nodes[-1].span


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
    frames = [_frame(trace, nodes, at, view) for at in range(len(trace.frames))]
    last = len(frames) - 1
    at = last if view.frame is None else min(view.frame, last)
    states = list(_states(trace))
    picture = array_picture(trace, "The arrays of the program", states[at])
    return ArrayView(
        Markup(picture),  # noqa: S704  escaped where it is written
        frames,
        at,
        json.dumps([_plain(state) for state in states]),
        json.dumps(dict(_reads(trace, nodes))),
        checks=list(check_rows(trace)),
    )


def _states(trace: ArrayTrace) -> Iterator[ArrayState]:
    """By frame: the pass, the arrays whose data and gradients are known, and the active ones."""
    data = [node.id for node in trace.nodes if node.op is None and not node.is_constant]
    grads: list[str] = []
    for frame in trace.frames:
        now = [frame.node] if frame.node else list(data)
        if frame.pass_ == "forward" and frame.node:
            data.append(frame.node)
        elif frame.pass_ == "backward":
            grads += [c.to for c in frame.contributions if c.is_last] or [frame.node]
            now += [c.to for c in frame.contributions]
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
    trace: ArrayTrace, nodes: Mapping[str, TracedArray], at: int, view: View
) -> ArrayFrameView:
    frame = trace.frames[at]
    href = "/?" + replace(view, frame=at).query()
    if not frame.node:
        leaves = [n.name for n in nodes.values() if n.op is None and not n.is_constant]
        said = f"Given: {', '.join(leaves)}."
        return ArrayFrameView(frame.pass_, "The arrays given", 0, said, "", "", "", (), "", href)
    node = nodes[frame.node]
    if frame.pass_ == "forward":
        return _forward(nodes, node, frame, href)
    return _backward(nodes, node, frame, href)


def _forward(
    nodes: Mapping[str, TracedArray], node: TracedArray, frame: ArrayFrame,
    href: str,
) -> ArrayFrameView:  # fmt: skip
    op = ARRAY_OPS.get(node.op or "")
    args = [nodes[arg] for arg in node.args]
    shapes = [arg.data.shape for arg in args]
    says = f"{_named(op, args, op.words)}." if op is not None else f"{node.op} computes it."
    repeated = [
        f"{arg.name} is repeated along {_axes(axes, node.data.shape)}."
        for arg in args
        for axes in (summed_axes(node.op or "", arg.data.shape, node.data.shape),)
        if axes and not arg.is_constant
    ]
    shown = shape_text(node.data.shape)
    inner = (" · " if node.op == "@" else ", ").join(map(shape_text, shapes))
    cell = ""
    if op is not None and node.data.data and len(node.data.data) <= 4096:
        cell = _cell_numbers(op, node, args, node.params)
    name = node.op if node.op != "@" else ""
    return ArrayFrameView(
        frame.pass_,
        node.name,
        node.span[0],
        " ".join([says[:1].upper() + says[1:], *repeated]),
        "",
        f"{shown} = {inner}" if not name else f"{shown} = {name}({inner})",
        cell,
        (),
        node.id,
        href,
        _opened(node, args),
    )


def _opened(node: TracedArray, args: Sequence[TracedArray]) -> str:
    """The address of the scalar graph of a result's largest cell; "" if it cannot be opened."""
    text = cell_program(node, args, _largest(node.data.data)) if node.data.data else ""
    return "/?" + View(program=text).query() if text else ""


def _cell_numbers(
    op: ArrayOp, node: TracedArray, args: Sequence[TracedArray], params: Mapping[str, object]
) -> str:
    """One cell of a result, as its formula with numbers."""
    at = _largest(node.data.data)
    try:
        text = op.scalar(at, [arg.data.shape for arg in args], params)
    except (ValueError, IndexError, KeyError, TypeError):
        return ""
    known = {op.name_of(slot): arg.data.data for slot, arg in enumerate(args)}

    def number(match: re.Match[str]) -> str:
        return in_equation(known[match[1]][int(match[2])], paren=True)

    text = re.sub(r"\b(\w+)\[(\d+)\]", number, text).replace(" * ", " · ").replace("**", "^")
    if len(text) > LONG:
        text = f"{text[:LONG]}…"
    return f"{element_name(node, at)} = {text} = {in_equation(node.data.data[at])}"


def _backward(
    nodes: Mapping[str, TracedArray], node: TracedArray, frame: ArrayFrame,
    href: str,
) -> ArrayFrameView:  # fmt: skip
    if not frame.contributions:
        return ArrayFrameView(
            frame.pass_, f"∂{node.name}", node.span[0],
            f"The gradient of {node.name} by itself is 1: here the backward pass begins.",
            "", "", "", (), node.id, href,
        )  # fmt: skip
    rules = [_rule(nodes, node, c) for c in frame.contributions]
    to = " and ".join(dict.fromkeys(f"∂{nodes[c.to].name}" for c in frame.contributions))
    says = f"{node.name} passes its gradient on to what it was computed from."
    return ArrayFrameView(frame.pass_, to, node.span[0], says, "", "", "", rules, node.id, href)


def _rule(nodes: Mapping[str, TracedArray], node: TracedArray, c: ArrayContribution) -> ArrayRule:
    op = ARRAY_OPS[node.op or ""] if node.op in ARRAY_OPS else None
    arg = nodes[c.to]
    args = [nodes[a] for a in node.args]
    symbols = shapes = ""
    if op is not None:
        text = op.rule(c.slot).text
        symbols = f"∂L/∂{_factor(arg)} = " + _in_names(text, op, node, args)
        if c.summed:
            symbols = f"∂L/∂{_factor(arg)} = Σ " + _in_names(text, op, node, args)
        shapes = _rule_shapes(node, args, c)
    broadcast = ""
    if c.summed:
        wide = node.data.shape
        count = prod(wide[k] for k in c.summed)
        broadcast = (
            f"{arg.name} was broadcast: its {shape_text(arg.data.shape)} was used {count} times. "
            f"So its gradient is the sum along {_axes(c.summed, wide)}."
        )
    at = _largest(c.amount.data)
    terms = _terms(op, node, args, c, at)
    total = in_equation(c.amount.data[at]) if c.amount.data else ""
    cell = f"∂{element_name(arg, at)}" if c.amount.data else ""
    broken = broken_rules(node, args, arg, c)
    return ArrayRule(arg.name, symbols, shapes, broadcast, cell, terms, total, broken)


def _rule_shapes(node: TracedArray, args: Sequence[TracedArray], c: ArrayContribution) -> str:
    y, mine = node.data.shape, args[c.slot].data.shape
    if node.op == "@" and all(len(arg.data.shape) == 2 for arg in args):
        other = args[1 - c.slot].data.shape
        turned = other[::-1]
        sides = (y, turned) if c.slot == 0 else (turned, y)
        return f"{shape_text(mine)} = {' · '.join(map(shape_text, sides))}"
    if c.summed:
        return f"{shape_text(mine)} = Σ over {_axes(c.summed, y)} of {shape_text(y)}"
    return f"{shape_text(mine)} from {shape_text(y)}"


def _terms(
    op: ArrayOp | None,
    node: TracedArray,
    args: Sequence[TracedArray],
    c: ArrayContribution,
    at: int,
) -> Sequence[ArrayTerm]:
    """The terms of one cell of a contribution: one for each cell of the result made of it."""
    work = max([len(node.data.data), *(len(arg.data.data) for arg in args)])
    if op is None or node.grad is None or work > WORK or len(node.data.data) > 512:
        return ()
    shapes = [arg.data.shape for arg in args]
    params = node.params
    cells = [i for i in range(len(node.data.data)) if at in op.reads(i, shapes, params)[c.slot]]
    wanted = [slot == c.slot for slot in range(len(args))]
    given = [arg.data for arg in args]
    found = []
    for i in cells[:TERMS]:
        one = [0.0] * len(node.data.data)
        one[i] = 1.0
        part = op.vjp(Flat(node.data.shape, one), given, node.data, params, wanted)[c.slot]
        if part is not None:
            found.append((node.grad.data[i], part.data[at]))
    end = scale_of([g * f for g, f in found]) or 1.0
    return [
        ArrayTerm(
            in_equation(g, paren=True), in_equation(f, paren=True), in_equation(g * f),
            round(100 * min(abs(g * f) / end, 1.0)) if isfinite(g * f) else 0, g * f < 0,
        )
        for g, f in found
    ]  # fmt: skip


def _largest(data: Sequence[float]) -> int:
    return max(range(len(data)), key=lambda i: abs(data[i]) if isfinite(data[i]) else -1, default=0)


def _axes(axes: Sequence[int], shape: Sequence[int]) -> str:
    said = [f"axis {k} of length {shape[k]}" for k in axes]
    return " and ".join(said)


def _named(op: ArrayOp, args: Sequence[TracedArray], text: str) -> str:
    """The words of an operation with the names of its arguments."""
    names = {op.name_of(slot): arg.name for slot, arg in enumerate(args)}
    return re.sub(r"\b[a-z]\w?\b", lambda m: names.get(m[0], m[0]), text) if len(names) else text


def _in_names(text: str, op: ArrayOp, node: TracedArray, args: Sequence[TracedArray]) -> str:
    """A rule with the names of the program: of its arguments and of the result."""
    names = {op.name_of(slot): _factor(arg) for slot, arg in enumerate(args)} | {"y": _factor(node)}
    parts = re.split(r"(∂L/∂y|\b[A-Za-z][A-Za-z0-9_]*)", text)
    put = [f"∂L/∂{_factor(node)}" if part == "∂L/∂y" else names.get(part, part) for part in parts]
    return "".join(put)


def _factor(node: TracedArray) -> str:
    return node.name if node.is_named or node.is_constant else f"({node.name})"
