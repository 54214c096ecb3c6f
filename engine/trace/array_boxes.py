"""Calls, loops and turns around operations on whole arrays: closed, each is drawn as one card.

A closed box is one operation: it has the result of the last of its operations that is used outside,
and sends to each array outside the sum of the contributions of its operations. As calls and turns
are contiguous in time, no box makes a cycle.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, takewhile
from operator import add
from typing import NamedTuple

from engine.array_ops.flat import Flat
from engine.numbers import counted
from engine.record.model import Scope

from .array_trace import ArrayContribution, ArrayFrame, ArrayTrace, TracedArray

FEW = 48
"""Arrays up to which each is drawn where nothing else is asked for."""
MOST = 90
"""Arrays up to which each is drawn at all."""
ROOM = 32
"""Operations and boxes of a picture up to which boxes are opened."""
_CLASS = re.compile(r"\(…\)(, line \d+)?$")


class ArrayBox(NamedTuple):
    """A box: all operations in it, in order, and what is directly in it, boxes and operations."""

    id: str
    title: str
    parent: str | None
    members: Sequence[str]
    inside: Sequence[str]
    scope: Scope | None = None

    def holds(self, leaf: TracedArray) -> bool:
        """Whether a leaf that nothing else uses is part of the box: it was made in it."""
        around = [id(scope) for scope in _around(leaf.scope)]
        return self.scope is None or leaf.is_constant or id(self.scope) in around


@dataclass(frozen=True, slots=True)
class BoxedArrays:
    """What is drawn: a trace in which closed boxes are nodes with the id of their result.

    `closed` has the boxes by that id, `opened` those that are open, `homes` what an array that is
    drawn in no card of its own is drawn in.
    """

    trace: ArrayTrace
    closed: Mapping[str, ArrayBox]
    opened: Sequence[ArrayBox]
    homes: Mapping[str, str]
    can_box: bool

    def is_shown(self, id_: str) -> bool:
        """Whether an array has a card, or is the result of one."""
        return self.homes.get(id_, id_) == id_


def boxed(trace: ArrayTrace, opened: frozenset[str] | None, is_grouped: bool | None) -> BoxedArrays:
    """The picture of a trace with these boxes open; None leaves the choice to their sizes."""
    boxes = _boxes(trace)
    count = sum(not node.is_constant for node in trace.nodes)
    is_flat = count <= (MOST if is_grouped is False else FEW) and not is_grouped
    if not boxes or (is_flat and opened is None):
        return BoxedArrays(trace, {}, (), {}, bool(boxes))
    tops = [box for box in boxes.values() if box.parent is None]
    loose = sum(node.op is not None for node in trace.nodes) - sum(len(b.members) for b in tops)
    chosen = _opened(boxes, tops, loose, bool(is_grouped)) if opened is None else opened
    closed = [
        box for box in boxes.values() if box.id not in chosen and _is_in_view(box, boxes, chosen)
    ]
    shown = [box for box in boxes.values() if box.id in chosen and _is_in_view(box, boxes, chosen)]
    return _folded(trace, closed, shown)


def _is_in_view(box: ArrayBox, boxes: Mapping[str, ArrayBox], opened: frozenset[str]) -> bool:
    return box.parent is None or (
        box.parent in opened and _is_in_view(boxes[box.parent], boxes, opened)
    )


def _opened(
    boxes: Mapping[str, ArrayBox], tops: Sequence[ArrayBox], loose: int, is_asked: bool
) -> frozenset[str]:
    """The outer boxes, level by level, as long as there is room for what is in them.

    Where boxes are asked for, the innermost stay closed.
    """
    opened: set[str] = set()
    level, count = list(tops), loose + len(tops)
    while level:
        count += sum(len(box.inside) - 1 for box in level)
        inner = [boxes[it] for box in level for it in box.inside if it in boxes]
        if count > ROOM or (is_asked and not inner):
            break
        opened.update(box.id for box in level)
        level = inner
    return frozenset(opened)


# The boxes of a trace


def _boxes(trace: ArrayTrace) -> dict[str, ArrayBox]:
    """All boxes by id, outer before inner; none with one operation, or with all of its parent's.

    A scope left and entered again, as that of a generator, is none.
    """
    computed = [node for node in trace.nodes if node.op is not None]
    place = {node.id: k for k, node in enumerate(computed)}
    members: dict[int, list[str]] = {}
    scopes: dict[int, Scope] = {}
    for node in computed:
        for scope in _around(node.scope):
            members.setdefault(id(scope), []).append(node.id)
            scopes[id(scope)] = scope
    kept = {
        key: f"b{k}"
        for k, (key, inside) in enumerate(members.items())
        if 1 < len(inside) < min(len(computed), _outside(scopes[key], members))
        and place[inside[-1]] - place[inside[0]] == len(inside) - 1
    }
    paths = {
        node.id: [kept[id(s)] for s in _around(node.scope) if id(s) in kept] for node in computed
    }
    nodes = {node.id: node for node in trace.nodes}
    content: dict[str | None, list[str]] = {}
    for node in computed:
        for outer, inner in pairwise([None, *paths[node.id], node.id]):
            inside = content.setdefault(outer, [])
            if inner is not None and inner not in inside[-1:]:
                inside.append(inner)
    found: dict[str, ArrayBox] = {}
    for key, name in kept.items():
        ids = members[key]
        path = paths[ids[0]]
        parent = path[path.index(name) - 1] if path.index(name) else None
        title = _title(scopes[key], [nodes[it] for it in ids], nodes)
        found[name] = ArrayBox(name, title, parent, ids, content[name], scopes[key])
    return _in_chunks(found, content.get(None, []))


def _outside(scope: Scope, members: Mapping[int, Sequence[str]]) -> float:
    """How many operations the scope around has; without one, more than any."""
    return len(members[id(scope.parent)]) if scope.parent is not None else float("inf")


def _around(scope: Scope | None) -> list[Scope]:
    found: list[Scope] = []
    while scope is not None:
        found.append(scope)
        scope = scope.parent
    return found[::-1]


def _title(scope: Scope, inside: Sequence[TracedArray], nodes: Mapping[str, TracedArray]) -> str:
    """The path of the module whose parameters a box uses, else what the scope is called."""
    names = [
        nodes[arg].name.split(".")[:-1]
        for node in inside
        for arg in node.args
        if "." in nodes[arg].name and nodes[arg].op is None and nodes[arg].is_named
    ]
    shared = takewhile(lambda parts: len(set(parts)) == 1, zip(*names, strict=False))
    path = ".".join(parts[0] for parts in shared)
    if scope.kind in ("loop", "iteration"):
        return scope.title
    return path or _CLASS.sub("()", scope.title)


def _in_chunks(found: dict[str, ArrayBox], top: Sequence[str]) -> dict[str, ArrayBox]:
    """The boxes, where too many operations follow each other with boxes of some of them each."""
    boxes = dict(found)
    for parent, inside in [(None, top), *((box.id, box.inside) for box in found.values())]:
        if len(inside) <= MOST // 2:
            continue
        size = max(-(-len(inside) // ROOM), 8)
        chunks = [inside[i : i + size] for i in range(0, len(inside), size)]
        ids = [f"{parent or 't'}-{k}" for k in range(len(chunks))]
        for name, chunk in zip(ids, chunks, strict=True):
            ops = [op for it in chunk for op in (found[it].members if it in found else [it])]
            boxes[name] = ArrayBox(name, counted(len(ops), "operation"), parent, ops, chunk)
            for it in chunk:
                if it in boxes:
                    boxes[it] = boxes[it]._replace(parent=name)
        if parent is not None:
            boxes[parent] = boxes[parent]._replace(inside=ids)
    return boxes


# Folding


def _folded(
    trace: ArrayTrace, closed: Sequence[ArrayBox], opened: Sequence[ArrayBox]
) -> BoxedArrays:
    nodes = {node.id: node for node in trace.nodes}
    box_of = {it: box for box in closed for it in box.members}
    users: dict[str, list[str]] = {}
    for node in trace.nodes:
        for arg in node.args:
            users.setdefault(arg, []).append(node.id)
    results = {box.id: _result(box, users, trace.output) for box in closed}
    homes = {it: results[box.id] for it, box in box_of.items()}
    for node in trace.nodes:
        if node.op is None:
            around = {box_of[u].id if u in box_of else "" for u in users.get(node.id, [])}
            only = around.pop() if len(around) == 1 else ""
            if only and any(box.id == only and box.holds(node) for box in closed):
                homes[node.id] = results[only]
    drawn = {results[box.id]: box for box in closed}
    cards = []
    for node in trace.nodes:
        if node.id in drawn:
            cards.append(_card(drawn[node.id], node, nodes, homes))
        elif homes.get(node.id, node.id) == node.id:
            above = tuple([homes.get(arg, arg) for arg in node.args])
            cards.append(node._replace(above=above))
    frames = _frames(trace, homes, drawn)
    folded = replace(trace, nodes=tuple(cards), frames=tuple(frames))
    return BoxedArrays(folded, drawn, opened, homes, True)


def _result(box: ArrayBox, users: Mapping[str, Sequence[str]], output: str) -> str:
    """The last operation of a box whose result is used outside of it."""
    inside = frozenset(box.members)
    left = [it for it in box.members if it == output or not inside.issuperset(users.get(it, ()))]
    return (left or list(box.members))[-1]


def _card(
    box: ArrayBox, result: TracedArray, nodes: Mapping[str, TracedArray], homes: Mapping[str, str]
) -> TracedArray:
    args = dict.fromkeys(
        arg for it in box.members for arg in nodes[it].args if homes.get(arg) != result.id
    )
    above = dict.fromkeys(homes.get(arg, arg) for arg in args)
    name = result.name if result.is_named else box.title
    return result._replace(
        name=name, op=box.title, args=tuple(args), params={}, above=tuple(above),
        members=len(box.members),
    )  # fmt: skip


def _frames(
    trace: ArrayTrace, homes: Mapping[str, str], drawn: Mapping[str, ArrayBox]
) -> list[ArrayFrame]:
    """The frames of all that is drawn: that of a box is where its last operation has its own."""
    last: dict[tuple[str, str, bool], int] = {}
    parts: dict[str, list[ArrayContribution]] = {}
    for k, frame in enumerate(trace.frames):
        home = homes.get(frame.node, frame.node)
        last[frame.pass_, home, bool(frame.contributions)] = k
        parts.setdefault(home, []).extend(c for c in frame.contributions if homes.get(c.to) != home)
    found = []
    for k, frame in enumerate(trace.frames):
        home = homes.get(frame.node, frame.node)
        if home not in drawn:
            found.append(frame)
        elif frame.pass_ == "backward" and not frame.contributions:
            continue  # the loss, whose seed is part of its box
        elif last[frame.pass_, home, bool(frame.contributions)] == k:
            sent = tuple(_sums(parts[home])) if frame.contributions else ()
            found.append(ArrayFrame(frame.pass_, home, sent))
    return found


def _sums(parts: Sequence[ArrayContribution]) -> list[ArrayContribution]:
    found: dict[str, ArrayContribution] = {}
    for c in parts:
        before = found.get(c.to)
        if before is None:
            found[c.to] = c._replace(summed=(), slot=len(found))
            continue
        total = Flat(c.amount.shape, list(map(add, before.amount.data, c.amount.data)))
        found[c.to] = before._replace(amount=total, is_last=before.is_last or c.is_last)
    return list(found.values())
