"""The derivative of the output by each Value, from the partials that a trace records.

A gradient is that derivative only if every gradient was 0 before the pass. If some were not, as
after a second `backward()`, the chain rule is applied again from zero. Gradients that the program
computes by itself may be anything: then the partials are those of the table of operations.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import isfinite

from engine.ops import OPS

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
    own: dict[str, float] = {trace.output: 1.0}
    for frame in trace.frames:
        upstream = own.get(frame.node, 0.0)
        for c in frame.contributions:
            before = own.get(c.to, 0.0)
            is_own = same(upstream, c.upstream)
            if is_own and same(before, c.before):
                own[c.to] = c.after  # as the pass rounded it
            else:
                own[c.to] = before + (c.amount if is_own else upstream * c.partial)
    return own


def by_chain_rule(trace: Trace, of: Callable[[float], float] = float) -> dict[str, float]:
    """The derivative of the output by each Value that it depends on, by id.

    Paths through a Value of which it is not known how it was computed are left out. With `of=abs`
    the sum of the sizes of all paths instead, which bounds what cancels in the derivative.
    """
    if trace.output is None:
        return {}
    by_id = {node.id: node for node in trace.nodes}
    found = {trace.output: 1.0}
    for node in reversed(trace.nodes):  # in topological order, so users come first
        if node.op is None or node.id not in found:
            continue
        args = [by_id[arg].data for arg in node.args]
        for arg, derive in zip(node.args, OPS[node.op].derive, strict=True):
            found[arg] = found.get(arg, 0.0) + found[node.id] * of(derive(node.data, *args))
    return found


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


def same(a: float, b: float) -> bool:
    """Whether two numbers are equal or both nan."""
    return a == b or (a != a and b != b)


def _before_kinks(trace: Trace, by_id: Mapping[str, Node]) -> set[str]:
    """The Values that an op at a kink depends on, or a Value without an op."""
    found: set[str] = set()
    for node in reversed(trace.nodes):  # in topological order, so users come first
        if node.id in found or node.op is None or is_at_kink(node, by_id):
            found.update(node.args)
    return found
