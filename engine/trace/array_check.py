"""The gradients of whole arrays against measured slopes: along a direction, and of one cell.

For a direction d, Σ ∂L/∂xᵢ · dᵢ is the slope of L along d, which central differences of the
recorded operations measure: (L(x + h·d) − L(x − h·d)) / 2h.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import NamedTuple

from engine.array_ops.flat import Flat, Misfit
from engine.array_ops.ops import ARRAY_OPS
from engine.by_hand.truth import CUT

from .array_trace import ArrayTrace, TracedArray

WORK = 60_000
"""Elements that are computed for one check."""


class ArrayCheck(NamedTuple):
    """A leaf: slope along a random direction and of its largest cell, predicted and measured."""

    name: str
    cell: int
    predicted: float
    measured: float
    cell_predicted: float
    cell_measured: float


def checks(trace: ArrayTrace, seed: int = 0) -> list[ArrayCheck]:
    """The checks of all leaves with a gradient; none where the graph is too large to repeat."""
    given = [n for n in trace.nodes if n.op is None and n.grad and not n.is_constant]
    leaves = [leaf for leaf in given if leaf.data.data]
    size = sum(len(node.data.data) for node in trace.nodes)
    is_single = any("32" in node.dtype for node in trace.nodes)
    known = all(n.op is None or n.op in ARRAY_OPS or n.op in (*CUT, "cast") for n in trace.nodes)
    if 4 * size * len(leaves) > WORK or is_single or not known:
        return []
    found = []
    for leaf in leaves:
        chance = random.Random(f"{seed} {leaf.id}")
        direction = [chance.uniform(-1, 1) for _ in leaf.data.data]
        sizes = [abs(x) for x in leaf.grad.data] if leaf.grad else []
        at = sizes.index(max(sizes))
        unit = [float(i == at) for i in range(len(direction))]
        try:
            slopes = [_measured(trace, leaf, d) for d in (direction, unit)]
        except (Misfit, ArithmeticError, ValueError, KeyError, IndexError):
            return []
        assert leaf.grad is not None
        predicted = sum(g * d for g, d in zip(leaf.grad.data, direction, strict=True))
        found.append(ArrayCheck(leaf.name, at, predicted, slopes[0], leaf.grad.data[at], slopes[1]))
    return found


def _measured(trace: ArrayTrace, leaf: TracedArray, direction: Sequence[float]) -> float:
    scale = max((abs(x) for x in leaf.data.data), default=1.0) or 1.0
    step = 1e-5 * scale
    ends = []
    for sign in (1, -1):
        data = [x + sign * step * d for x, d in zip(leaf.data.data, direction, strict=True)]
        ends.append(_loss(trace, leaf.id, Flat(leaf.data.shape, data)))
    return (ends[0] - ends[1]) / (2 * step)


def _loss(trace: ArrayTrace, moved: str, leaf: Flat) -> float:
    values: dict[str, Flat] = {}
    for node in trace.nodes:
        if node.id == moved:
            values[node.id] = leaf
        elif node.op is None or node.op in CUT:
            values[node.id] = node.data
        elif node.op == "cast":
            values[node.id] = values[node.args[0]]
        else:
            args = [values[arg] for arg in node.args]
            values[node.id] = ARRAY_OPS[node.op].forward(args, node.params)
    (loss,) = values[trace.output].data
    return float(loss)
