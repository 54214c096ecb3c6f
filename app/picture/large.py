"""Larger cards and signs, for a presentation that is read from afar.

A picture of many boxes keeps its cards: it would be scaled down to fit, and nothing were gained.
"""

from __future__ import annotations

from dataclasses import replace

from app.picture.grouping import Box, VisibleGraph
from app.picture.shapes import symbol
from engine.trace.traced import Trace

FONT = 17.0  # the largest at which "grad" and "−1.5000" stand on one line of a card
CARD = 152.0, 70.0
CAP = 23.0
LABEL_DOWN = 17.0
ROWS = 42.5, 63.0
MOST = 40  # boxes


def enlarged(trace: Trace, graph: VisibleGraph) -> VisibleGraph:
    """The same graph, with large cards if it has few boxes."""
    if len(graph.boxes) > MOST:
        return graph
    ops = {node.id: node.op or "" for node in trace.nodes}
    return replace(graph, boxes=tuple(_enlarged(box, ops) for box in graph.boxes))


def is_large(graph: VisibleGraph) -> bool:
    """Whether a graph has large cards."""
    return any(box.shape == "large" for box in graph.boxes)


def _enlarged(box: Box, ops: dict[str, str]) -> Box:
    if box.shape == "card":
        return replace(box, shape="large", width=CARD[0], height=CARD[1])
    length = len(symbol(ops[box.of])) if box.kind == "op" else 0
    if length > 1:
        return replace(box, shape="pill", width=20 + 10.5 * length)
    return box
