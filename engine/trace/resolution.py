"""Whether floats are dense enough to see the slope of a function.

Around 1e16 they lie 2 apart, so that no step shows the slope of a sine there; and an expression
such as `sin(1e17 * x)` turns several times between one double and the next.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Sequence

from engine.formulas import Function
from engine.ops import OPS

from .replay import Replay

BENDS = 0.1
"""Departure from the tangent, relative to the change, that counts as another shape."""
ROUNDED = 8 * sys.float_info.epsilon
"""Departure relative to the result that rounding explains."""


def too_fine(replay: Replay, value: int, dependents: Iterable[int]) -> str:
    """The first op that is no straight line over the spacing of its inputs; "" if all are.

    The spacing is that of the input itself, or the change that the least step of the Value makes
    in it to first order, whichever is larger.
    """
    moves = {value: math.ulp(replay.data[value])}
    for i in dependents:
        node, total = replay.nodes[i], 0.0
        if node.op is None:
            return ""
        places = [replay.index[arg] for arg in node.args]
        args = [replay.data[place] for place in places]
        op = OPS[node.op]
        for slot, place in enumerate(places):
            if place not in moves:
                continue
            step = max(moves[place], math.ulp(args[slot]))
            partial = op.derive[slot](replay.data[i], *args)
            if _bends(op.compute, args, slot, step, partial):
                return node.op
            total += abs(partial * step)
        moves[i] = total if math.isfinite(total) else 0.0
    return ""


def _bends(
    compute: Function, args: Sequence[float], slot: int, step: float, partial: float
) -> bool:
    here = compute(*args)
    for moved in (args[slot] + step, args[slot] - step):
        there = compute(*args[:slot], moved, *args[slot + 1 :])
        change, along = there - here, partial * (moved - args[slot])
        off = abs(change - along)
        if not math.isfinite(off):
            continue
        is_other = off > BENDS * max(abs(change), abs(along))
        if is_other and off > ROUNDED * max(abs(here), abs(there)):
            return True
    return False
