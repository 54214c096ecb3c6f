"""The derivative of the output by each Value, from the partials that a trace records.

A gradient is that derivative only if every gradient was 0 before the pass. If some were not, as
after a second `backward()`, the chain rule is applied again from zero. Gradients that the program
computes by itself may be anything: then the partials are those of the table of operations.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from math import isfinite

from engine.ops import OPS
from engine.real import same
from engine.reverse import NUMBERS, Algebra, Contribution, sweep

from .model import Node
from .traced import Trace


def is_by_hand(trace: Trace) -> bool:
    """Whether the gradients are the program's own doing: no frame seeds a recorded pass."""
    return all(frame.seed is None for frame in trace.frames)


def from_zero(trace: Trace) -> dict[str, float]:
    """The gradients, by id, of the last backward pass alone, as if all had started at 0.

    If a Value entered the pass with a gradient, its contributions are recomputed. Gradients by hand
    are those that the program set.
    """
    if trace.output is None:
        return {}
    if is_by_hand(trace):
        return {node.id: node.grad for node in trace.nodes if node.grad is not None}
    passed = {f.node: f.contributions for f in reversed(trace.frames) if f.contributions}

    def recorded(node: str) -> Iterator[tuple[str, Contribution[str]]]:
        return ((c.to, c) for c in passed[node])

    return sweep(list(passed), recorded, {trace.output: 1.0}, AS_RECORDED)


def _sent(upstream: float, c: Contribution[str]) -> tuple[float, Contribution[str] | None]:
    is_own = same(upstream, c.upstream)
    return (c.amount, c) if is_own else (upstream * c.partial, None)


def _received(before: float, sent: tuple[float, Contribution[str] | None]) -> float:
    amount, c = sent
    return c.after if c and same(before, c.before) else before + amount


AS_RECORDED = Algebra(0.0, _sent, _received)
"""Numbers as the pass rounded them, wherever it had the same ones."""


def by_chain_rule(
    trace: Trace, algebra: Algebra[float, float, float] = NUMBERS
) -> dict[str, float]:
    """The derivative of the output by each Value that it depends on, by id.

    Paths through a Value of which it is not known how it was computed are left out.
    """
    if trace.output is None:
        return {}
    graph = Graph(trace.nodes)
    return sweep(list(graph.nodes), graph.partials, {trace.output: 1.0}, algebra)


class Graph:
    """The Values of a trace by id, in topological order, and the partials between them."""

    def __init__(self, nodes: Iterable[Node]) -> None:
        self.nodes = {node.id: node for node in nodes}

    def partials(self, name: str) -> Iterable[tuple[str, float]]:
        """Each arg of an operation with its partial; none for a leaf, or of an unknown op."""
        node = self.nodes[name]
        if node.op is None:
            return ()
        numbers = [self.nodes[arg].data for arg in node.args]
        return zip(node.args, OPS[node.op].partials_at(node.data, *numbers), strict=True)


def slopes(trace: Trace, own: Mapping[str, float]) -> dict[str, float | None]:
    """The derivative of the output by each leaf with a key; `own` is `from_zero(trace)`.

    Where the gradients are by hand, it is that of the chain rule instead.

    None where it is unknown: at a kink of an op on the path, where it is not finite, and where data
    was changed after the output had been computed from it, or came from it in an unknown way.
    """
    by_id = {node.id: node for node in trace.nodes}
    own = by_chain_rule(trace) if is_by_hand(trace) else own
    rough = _before_kinks(trace, by_id)
    found: dict[str, float | None] = {}
    for node in trace.nodes:
        if node.key is not None:
            slope = own.get(node.id, 0.0)
            is_known = not trace.stale and node.id not in rough and isfinite(slope)
            found[node.id] = slope if is_known else None
    return found


def is_at_kink(node: Node, by_id: Mapping[str, Node]) -> bool:
    """Whether the op of `node` has a kink at the data of its args."""
    if node.op is None or not OPS[node.op].kink:
        return False
    return bool(OPS[node.op].at_kink(*[by_id[arg].data for arg in node.args]))


def _before_kinks(trace: Trace, by_id: Mapping[str, Node]) -> set[str]:
    found: set[str] = set()
    for node in reversed(trace.nodes):  # in topological order, so users come first
        if node.id in found or node.op is None or is_at_kink(node, by_id):
            found.update(node.args)
    return found
