"""Contributions by the use that they came through: from the op of `user` to the arg `source`.

A contribution of the built-in pass names its slot. A write by the program itself is one if the
debugger can tell the operation that it belongs to; which of two slots it came through, as in
`a * a`, is told by its turn.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from .traced import Trace


class Flow(NamedTuple):
    """The contribution `amount` in the frame with this index; `slot` is None for a write."""

    frame: int
    slot: int | None
    amount: float


def flows(trace: Trace) -> Mapping[tuple[str, str], list[Flow]]:
    """The contributions of the trace by user and source, in the order of frames."""
    found: dict[tuple[str, str], list[Flow]] = {}
    for at, frame in enumerate(trace.frames):
        for c in frame.contributions:
            found.setdefault((frame.node, c.to), []).append(Flow(at, c.slot, c.amount))
        written = frame.written
        if written is not None and written.user is not None and written.amount is not None:
            flow = Flow(at, None, written.amount)
            found.setdefault((written.user, frame.node), []).append(flow)
    return found
