"""The frames that stepping goes through: what happens inside a closed formula is one step.

A formula is closed unless the picture has a frame around its operations. The step that remains is
that of its result; the frames stay what they are, and a link to one inside still shows it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import NamedTuple

from app.picture.grouping import VisibleGraph
from engine.trace.model import Node
from engine.trace.traced import Trace


class Folded(NamedTuple):
    """A closed formula with its Values: `result` is the last, the others are `inner`."""

    title: str
    result: str
    inner: frozenset[str]
    args: tuple[str, ...]
    operations: int


class ClosedBox(NamedTuple):
    """A group that is drawn closed, with the Values inside it, and what it shows as its results."""

    title: str
    inside: frozenset[str]
    results: tuple[str, ...]


def clusters(graph: VisibleGraph) -> frozenset[str]:
    """The groups that are drawn open, by id."""
    return frozenset(section.id for section in graph.clusters)


def boxes(graph: VisibleGraph) -> dict[str, ClosedBox]:
    """The groups that are drawn closed, by the Values inside them."""
    found = dict[str, ClosedBox]()
    for box in graph.boxes:
        if box.kind == "group":
            results = box.outputs or (box.shown,) if box.shape != "leaves" else ()
            closed = ClosedBox(graph.sections[box.of].title, frozenset(box.inside), results)
            found |= dict.fromkeys(box.inside, closed)
    return found


def folded(trace: Trace, opened: Collection[str]) -> dict[str, Folded]:
    """The closed formulas of several operations by their results; groups in `opened` are open."""
    groups = {group.id: group for group in trace.groups}
    members: dict[str, list[Node]] = {}
    for node in trace.nodes:
        home, closed = node.group, None
        while home is not None:
            if groups[home].kind == "formula" and home not in opened:
                closed = home  # the outermost: what is open inside it is not drawn
            home = groups[home].parent
        if closed is not None:
            members.setdefault(closed, []).append(node)
    found = {}
    for formula, nodes in members.items():
        if (fold := _fold(groups[formula].title, nodes)).operations > 1:
            found[fold.result] = fold
    return found


def _fold(title: str, nodes: list[Node]) -> Folded:
    *inner, result = [node.id for node in nodes]
    own = {*inner, result}
    args = dict.fromkeys(arg for node in nodes for arg in node.args if arg not in own)
    operations = sum(node.op is not None for node in nodes)
    return Folded(title, result, frozenset(inner), tuple(args), operations)


def steps(trace: Trace, closed: Mapping[str, Folded]) -> list[int]:
    """The frames to step through, in order; `closed` are the formulas from `folded`."""
    inner = frozenset[str]().union(*(fold.inner for fold in closed.values()))
    return [
        at
        for at, frame in enumerate(trace.frames)
        if frame.pass_ == "backward" or frame.given or frame.node not in inner
    ]
