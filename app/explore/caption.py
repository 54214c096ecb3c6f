"""The caption below the picture: how many Values there are, and as what they are drawn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from app.picture.group_tree import DrawnGroup
from app.picture.grouping import VisibleGraph
from engine.numbers import counted
from engine.trace.model import Node
from engine.trace.traced import Trace

SHORT = 16  # letters of a name
NAMES = {
    "mlp": "network",
    "layer": "layer",
    "neuron": "neuron",
    "loop": "loop",
    "iteration": "turn",
    "function": "call",
    "lines": "range",
}
"""What groups are called, by their kind."""


def caption(shown: Trace, graph: VisibleGraph, most: int) -> str:
    """The caption of a picture, with the groups that the limit of `most` boxes closes.

    Without groups, a closed formula is one operation, and the Values inside of it do not count.
    """
    drawn = _drawn(shown, graph) if not graph.grouped else shown.nodes
    values = counted(len(drawn), "Value")
    operations = counted(sum(node.op is not None for node in drawn), "operation")
    text = f"{values}{_as(graph)}" if graph.grouped else f"{values}, {operations}"
    if shown.opened:
        text += ", with those inside open ones"
    if not graph.refused:
        return text
    closed = counted(len(graph.refused), "group")
    return f"{text}; at most {most:,} can be drawn: {closed} cannot be opened"


def _drawn(shown: Trace, graph: VisibleGraph) -> list[Node]:
    """The Values outside of closed formulas; the constants of these have no box of their own."""
    inside = {key for box in graph.boxes if box.kind == "formula" for key in box.inside}
    boxes = {box.of for box in graph.boxes}
    return [
        node
        for node in shown.nodes
        if node.id not in inside
        and (not inside or node.op is not None or node.label or node.id in boxes)
    ]


def output_label(shown: Trace) -> str:
    """The name of the Value that is drawn as the output."""
    return next(node.label for node in shown.nodes if node.id == shown.drawn)


def output_name(shown: Trace) -> str:
    """The name of the output, if it is short; else ""."""
    name = output_label(shown)
    return name if len(name) <= SHORT else ""


def _as(graph: VisibleGraph) -> str:
    """The outermost groups, and those inside them that are open: " as 3 layers, 1 neuron open"."""
    groups = {key: s for key, s in graph.sections.items() if s.kind in NAMES}
    if not groups:
        return ""
    outer = _inside(groups, None)
    around = {section.id for section in outer}
    while len(outer) == 1 and outer[0].id in graph.open and (inner := _inside(groups, outer[0].id)):
        outer = inner
        around |= {section.id for section in outer}
    opened = _counts(s for s in graph.clusters if s.id in groups and s.id not in around)
    return f" as {_counts(outer)}" + (f", {opened} open" if opened else "")


def _inside(groups: dict[str, DrawnGroup], level: str | None) -> list[DrawnGroup]:
    return [section for section in groups.values() if section.parent == level]


def _counts(sections: Iterable[DrawnGroup]) -> str:
    """Sections counted by kind: "2 layers and 1 loop"."""
    kinds = Counter(NAMES[section.kind] for section in sections)
    return " and ".join(counted(count, name) for name, count in kinds.items())
