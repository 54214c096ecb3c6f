"""The derivative with respect to a leaf in words: "If a grows by 0.01, L grows by about 0.06." """

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from math import isfinite

from engine.numbers import compact, plain
from engine.trace import slopes
from engine.trace.model import Node
from engine.trace.traced import Trace

NUDGE = 0.01
"""How far a leaf of size 1 or more moves; a smaller one moves by that share of its size."""
LEAST = 1e-6
"""From here on a number is written without an exponent."""


def sentences(trace: Trace, own: Mapping[str, float]) -> dict[str, list[str]]:
    """The sentences on the leaves whose derivatives are known, by id: what follows "If a" and "L".

    `own` is `from_zero(trace)`.
    """
    by_id = {node.id: node for node in trace.nodes}
    if not isfinite(by_id[trace.drawn].data):
        return {}
    known = ((by_id[key], slope) for key, slope in slopes.slopes(trace, own).items())
    found = {leaf.id: _parts(leaf, slope) for leaf, slope in known if slope is not None}
    return {key: parts for key, parts in found.items() if parts}


def _parts(leaf: Node, slope: float) -> list[str]:
    step = nudge(leaf.data)
    change = slope * step
    if not isfinite(change):
        return []
    start = f" grows by {_written(step)}, "
    if change == 0:
        return [start, " does not change to first order."]
    amount = _written(float(f"{abs(change):.3g}"))
    return [start, f" {'falls' if change < 0 else 'grows'} by about {amount}."]


def nudge(x: float) -> float:
    """A step that is small relative to `x`, of one digit."""
    size = abs(x)
    return NUDGE if size == 0 or size >= 1 else float(f"{size * NUDGE:.0e}")


def _written(x: float) -> str:
    return f"{Decimal(plain(x)):f}" if LEAST <= x < 1 else compact(x) if x < LEAST else plain(x)
