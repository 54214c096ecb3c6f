"""The output while one or two leaves are moved, and what the gradient predicts of it.

A leaf moved by h changes the output by f(x + h) − f(x). The gradient predicts g·h, the first term
of the Taylor series; the rest is of order h².
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from .gradcheck import Lines
from .model import Node
from .traced import Trace

HALF = 40  # samples on either side of the present number
GRID = 20  # cells of a surface along each leaf


class NudgeSample(NamedTuple):
    """The output with the leaf moved by `h`, and what its gradient predicts."""

    h: float
    x: float
    output: float
    predicted: float


class Curve(NamedTuple):
    """The output along one leaf, with `grad` its gradient; the middle sample has h = 0."""

    grad: float
    here: float
    samples: tuple[NudgeSample, ...]


class Surface(NamedTuple):
    """The output over two leaves, within `reach` of their numbers.

    `heights` are rows along the second leaf of columns along the first. `samples` go along the
    gradient, by h in its direction; `grads` are its parts.
    """

    grads: tuple[float, float]
    here: float
    reach: float
    heights: tuple[tuple[float, ...], ...]
    samples: tuple[NudgeSample, ...]


def movable(trace: Trace) -> list[Node]:
    """The leaves with a gradient whose effect on the output is known."""
    unknown = {node.id for node in trace.nodes if node.args and not node.op}
    for node in trace.nodes:  # in topological order, so args come first
        if not unknown.isdisjoint(node.args):
            unknown.add(node.id)
    if trace.output is None or trace.output in unknown:
        return []
    return [node for node in trace.nodes if node.kind == "leaf" and node.grad is not None]


def curve(trace: Trace, leaf: Node, reach: float) -> Curve:
    """The output along `leaf`, within `reach` of its number."""
    lines = Lines(trace)
    replay, value = lines.replay, lines.replay.index[leaf.id]
    dependents = replay.dependents(value)
    grad = lines.grads.get(leaf.id, 0.0)

    def output(x: float) -> float:
        return replay.output(value, x, dependents, lines.output)

    here = output(leaf.data)
    samples = []
    for k in range(-HALF, HALF + 1):
        h = reach * k / HALF
        samples.append(NudgeSample(h, leaf.data + h, output(leaf.data + h), grad * h))
    return Curve(grad, here, tuple(samples))


def surface(trace: Trace, leaves: Sequence[Node], reach: float) -> Surface:
    """The output over two leaves, and along the gradient in their plane."""
    lines = Lines(trace)
    replay = lines.replay
    first, second = (replay.index[leaf.id] for leaf in leaves)
    dependents = sorted({*replay.dependents(first), *replay.dependents(second)})
    x, y = (leaf.data for leaf in leaves)
    grads = (lines.grads.get(leaves[0].id, 0.0), lines.grads.get(leaves[1].id, 0.0))

    def output(h: float, k: float) -> float:
        return replay.output_at({first: x + h, second: y + k}, dependents, lines.output)

    offsets = [reach * (2 * k / GRID - 1) for k in range(GRID + 1)]
    heights = tuple(tuple(output(h, k) for h in offsets) for k in offsets)
    size = math.hypot(*grads)
    has_direction = size > 0 and math.isfinite(size)
    along, across = (g / size for g in grads) if has_direction else (1.0, 0.0)
    samples = []
    for k in range(-HALF, HALF + 1):
        h = reach * k / HALF
        predicted = grads[0] * (h * along) + grads[1] * (h * across)
        samples.append(NudgeSample(h, h, output(h * along, h * across), predicted))
    return Surface(grads, output(0.0, 0.0), reach, heights, tuple(samples))


def evaluations(count: int) -> int:
    """The evaluations of the graph for one leaf or for two."""
    return 2 * HALF + 2 if count == 1 else (GRID + 1) ** 2 + 2 * HALF + 2
