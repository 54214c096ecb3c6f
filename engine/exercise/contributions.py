"""The contributions to a gradient: what each use of a Value sends back to it.

contribution = partial · incoming gradient, with the partial of the op table at the data of the
trace. A gradient is the sum of the contributions of all uses, in the order of the backward pass.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import NamedTuple

from engine import reverse
from engine.trace.model import Node
from engine.trace.slopes import Graph
from engine.trace.traced import Trace


class SentContribution(NamedTuple):
    """What the operation that computes `user` sends to its input `slot`, the Value `to`."""

    to: str
    user: str
    slot: int
    op: str
    partial: float
    upstream: float

    @property
    def amount(self) -> float:
        """The contribution itself."""
        return self.partial * self.upstream


def contributions(trace: Trace) -> tuple[SentContribution, ...]:
    """The contributions of one backward pass from zero, in the order of the pass.

    Values without a gradient, such as constants, receive none. Paths through a Value of which it is
    not known how it was computed are left out.
    """
    graph = Graph(trace.nodes)
    order = [node.id for node in reversed(_users(trace))]
    receivers = {node.id for node in trace.nodes if node.grad is not None}
    sent = reverse.contributions(order, graph.partials, {trace.output or "": 1.0}, receivers)
    return tuple(
        SentContribution(c.to, user, c.slot, graph.nodes[user].op or "", c.partial, c.upstream)
        for user, c in sent
    )


def total(numbers: Iterable[float]) -> float:
    """The sum, rounded once; NaN if it is beyond the floats, or of opposite infinities."""
    try:
        return math.fsum(numbers)
    except (OverflowError, ValueError):
        return math.nan


def _users(trace: Trace) -> list[Node]:
    """The computed Values in the order in which the backward pass of `trace` takes them.

    A pass that the program does by hand may have no frame for some: then it is the tape's order.
    """
    computed = [node for node in reversed(trace.nodes) if node.args]
    turns: dict[str, int] = {}
    for at, frame in enumerate(trace.frames):
        if frame.pass_ == "backward" and frame.seed is None and frame.written is None:
            turns.setdefault(frame.node, at)
    with_gradient = [node for node in computed if node.grad is not None]
    if all(node.id in turns for node in with_gradient):
        return sorted(with_gradient, key=lambda node: turns[node.id])
    return computed
