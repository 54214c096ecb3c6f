"""The ledger of a Value: everything that its gradient received, frame by frame.

An entry is the seed of the output, a contribution of an op that uses the Value, or a write by the
program itself. `after` of each entry is `before` of the next one, so the entries sum to the
gradient that the Value shows, in the order and with the rounding of the pass.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from .model import Frame, Node, WrittenGradient
from .traced import Trace

SEED, CONTRIBUTION, WRITE = "seed", "contribution", "write"


class LedgerEntry(NamedTuple):
    """One change of a gradient, in the frame with this index.

    A contribution is that of the op that computed `user`, through its arg `slot`: amount = upstream
    × partial. For a seed, `amount` is 1 and `user` the Value itself. A write has no amount, but
    what the program wrote, in `written`.
    """

    kind: str
    frame: int
    user: str
    slot: int
    before: float
    after: float
    amount: float | None = None
    partial: float | None = None
    upstream: float | None = None
    written: WrittenGradient | None = None


class Ledger(NamedTuple):
    """The entries of the Value `of` in order; `held` is its gradient before the first of them."""

    of: str
    held: float
    entries: tuple[LedgerEntry, ...]

    @property
    def total(self) -> float:
        """The gradient after the last entry."""
        return self.entries[-1].after if self.entries else self.held


def ledger(trace: Trace, node: Node) -> Ledger:
    """The ledger of `node`, a Value of `trace` that has a gradient."""
    assert node.grad is not None
    entries = tuple(_entries(trace.frames, node.id))
    return Ledger(node.id, entries[0].before if entries else node.grad, entries)


def frames_of(trace: Trace, node: str) -> list[int]:
    """The frames that set the data or the gradient of `node`, or propagate its gradient."""
    return [
        at
        for at, (frame, changes) in enumerate(zip(trace.frames, trace.changes, strict=True))
        if node in changes.numbers or (frame.node == node and not frame.given)
    ]


def _entries(frames: Sequence[Frame], node: str) -> Iterator[LedgerEntry]:
    for at, frame in enumerate(frames):
        if frame.pass_ == "forward":
            continue
        if frame.node == node and frame.seed is not None:
            yield LedgerEntry(SEED, at, node, -1, frame.before, frame.after, frame.seed)
        elif frame.node == node and frame.written is not None:
            written = frame.written
            yield LedgerEntry(WRITE, at, node, -1, written.before, written.after, written=written)
        for c in frame.contributions:
            if c.to == node:
                made = c.amount, c.partial, c.upstream
                yield LedgerEntry(CONTRIBUTION, at, frame.node, c.slot, c.before, c.after, *made)
