"""The paths from an array to the loss, and what each adds to one cell of its gradient.

∂L/∂xⱼ is the sum over all paths of the product of the partial derivatives along each: along a path
of arrays, of vector-Jacobian products, from the loss back to x.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from engine.array_ops.flat import Flat
from engine.array_ops.ops import ARRAY_OPS

from .array_trace import ArrayTrace, TracedArray

MOST = 12
"""Paths that are followed."""
WORK = 100_000
"""Elements that are computed along all of them."""


class ArrayPath(NamedTuple):
    """The arrays from one to the loss, and the addend of a cell's gradient."""

    nodes: tuple[str, ...]
    amount: float


class ArrayPaths(NamedTuple):
    """How many paths there are; these themselves where they are few."""

    total: int
    followed: tuple[ArrayPath, ...] = ()


def array_paths(trace: ArrayTrace, start: str, cell: int) -> ArrayPaths:
    """The paths from the array `start`, with what each adds to its cell at `cell`."""
    uses: dict[str, list[tuple[str, int]]] = {}
    for frame in trace.frames:
        for c in frame.contributions:
            uses.setdefault(c.to, []).append((frame.node, c.slot))
    counts = {trace.output: 1}
    for node in reversed(trace.nodes):
        if node.id not in counts:
            counts[node.id] = sum(counts[user] for user, _ in uses.get(node.id, ()))
    count = counts.get(start, 0)
    nodes = {node.id: node for node in trace.nodes}
    size = sum(len(node.data.data) for node in trace.nodes)
    known = all(n.op in ARRAY_OPS for n in trace.nodes if n.op and counts[n.id])
    if not 1 < count <= MOST or count * size > WORK or not known:
        return ArrayPaths(count)
    found = []
    for steps in _steps(uses, start, trace.output):
        along = (start, *(user for user, _ in steps))
        found.append(ArrayPath(along, _amount(nodes, trace.output, along, steps, cell)))
    return ArrayPaths(count, tuple(sorted(found, key=lambda path: -abs(path.amount))))


def _steps(
    uses: Mapping[str, list[tuple[str, int]]], start: str, end: str
) -> Iterator[tuple[tuple[str, int], ...]]:
    """The uses along each path; without recursion, as a path may be thousands of arrays long."""
    todo: list[tuple[str, tuple[tuple[str, int], ...]]] = [(start, ())]
    while todo:
        at, steps = todo.pop()
        if at == end:
            yield steps
        else:
            todo += [(use[0], (*steps, use)) for use in uses.get(at, ())]


def _amount(
    nodes: Mapping[str, TracedArray],
    loss: str,
    along: tuple[str, ...],
    steps: tuple[tuple[str, int], ...],
    cell: int,
) -> float:
    shape = nodes[loss].data.shape
    g = Flat(shape, [1.0] * len(nodes[loss].data.data))
    for user, slot in reversed(steps):
        node = nodes[user]
        args = [nodes[arg].data for arg in node.args]
        wanted = [k == slot for k in range(len(args))]
        part = ARRAY_OPS[node.op or ""].vjp(g, args, node.data, node.params, wanted)[slot]
        if part is None:
            return 0.0
        g = part
    return float(g.data[cell])
