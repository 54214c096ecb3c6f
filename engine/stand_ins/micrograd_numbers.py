"""The numbers that micrograd computes where they differ in type from those of the op table."""

from __future__ import annotations

from collections.abc import Sequence

from engine.ops import Op
from engine.value import Value

_EXACT = 2**53
"""Below it every integer is a float, so that a power of ints may be computed as one."""


def as_in_micrograd(op: Op, args: Sequence[Value], result: float) -> float:
    """The result with micrograd's type: an int for a power of ints and for relu below 0."""
    if op.name == "relu":
        return 0 if args[0].data < 0 else result
    if op.name != "**" or abs(result) >= _EXACT or args[1].data < 0:
        return result
    return int(result) if all(type(arg.data) is int for arg in args) else result
