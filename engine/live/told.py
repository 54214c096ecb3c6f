"""What a caller's objects hold that one pass over their graph, computed anew, does not give."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from engine.live.graph import LiveGraph
from engine.numbers import full
from engine.trace.model import Node

TOLD = 3
"""Differences that are told of."""
CHANGED = (
    "Numbers were changed after they were used: the picture has the present ones, and computes the "
    "rest anew."
)
ONCE = "One pass from zero gives what is shown."


class Difference(NamedTuple):
    """A number that an object holds, and the one that is shown for it."""

    what: str
    held: float
    shown: float


def told(graph: LiveGraph, nodes: Mapping[int, Node], called: Mapping[int, str]) -> Iterator[str]:
    """Sentences on the numbers and gradients that differ; `nodes` and names are by object's id."""
    of = graph.attributes
    pairs = [(o, nodes[id(o)]) for o in graph.order if id(o) in nodes]
    yield from _sentence(
        [Difference(called[id(o)], of.number_of(o), node.data) for o, node in pairs], CHANGED
    )
    held = [(o, node, grad) for o, node in pairs if (grad := of.gradient_of(o)) is not None]
    if any(grad for _, _, grad in held):  # a pass has run
        rows = [
            Difference(f"{called[id(o)]}.grad", grad, node.grad)
            for o, node, grad in held
            if node.grad is not None
        ]
        yield from _sentence(rows, _passes(held) or ONCE)


def _sentence(rows: Sequence[Difference], why: str) -> Iterator[str]:
    differing = [row for row in rows if not is_same(row.held, row.shown)]
    if not differing:
        return
    each = [f"{x.what} holds {full(x.held)}, shown is {full(x.shown)}" for x in differing[:TOLD]]
    more = f"; and {len(differing) - TOLD:,} more" if differing[TOLD:] else ""
    yield f"Your objects differ: {'; '.join(each)}{more}. {why}"


def _passes(held: Sequence[tuple[Any, Node, float]]) -> str:
    """Where the leaves hold a whole number of passes: that they were not zeroed."""
    ratios = {
        round(grad / node.grad, 9)
        for _, node, grad in held
        if node.op is None and node.grad and math.isfinite(grad / node.grad)
    }
    ratio = ratios.pop() if len(ratios) == 1 else 0.0
    if ratio < 2 or ratio != round(ratio):
        return ""
    return f"They hold {ratio:.0f} passes: set the gradients to 0 before each one."


def is_same(a: float, b: float) -> bool:
    """Whether two numbers agree up to the order in which contributions were added."""
    return a == b or (a != a and b != b) or math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-12)
