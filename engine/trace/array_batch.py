"""The batch of a program of whole arrays: the axis along which samples do not mix.

An operation carries axis 0 of an argument on if row k of its result is computed from row k of the
argument alone, as rows of `X @ W` are from those of X. Arrays joined so have the batch as axis 0.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from engine.array_ops.ops import ARRAY_OPS
from engine.array_ops.pointwise import Pointwise

from .array_trace import ArrayTrace, TracedArray

MOST = 400
"""Arrays of a graph in which a batch is looked for."""


class Batch(NamedTuple):
    """How many samples there are, and the arrays whose axis 0 they are."""

    length: int
    nodes: frozenset[str]

    def sample(self, node: TracedArray, cell: int) -> int | None:
        """The sample that a cell belongs to; None if its array has no batch axis."""
        return cell // self.stride(node) if node.id in self.nodes else None

    def stride(self, node: TracedArray) -> int:
        """The cells of one sample."""
        return max(len(node.data.data) // self.length, 1)


def batch_of(trace: ArrayTrace) -> Batch | None:
    """The batch: the most arrays that carry an axis on, through an operation that mixes others."""
    if len(trace.nodes) > MOST:
        return None
    home: dict[str, str] = {}
    mixed = set[str]()

    def root(id_: str) -> str:
        while home.get(id_, id_) != id_:
            id_ = home[id_]
        return id_

    for user, arg, mixes in _carried(trace):
        one, other = root(user), root(arg)
        home[one] = other
        mixed |= {other} if mixes or one in mixed else set()
    members: dict[str, list[str]] = {}
    for node in trace.nodes:
        members.setdefault(root(node.id), []).append(node.id)
    found = max((members[id_] for id_ in mixed if root(id_) == id_), key=len, default=[])
    if not found:
        return None
    length = next(n.data.shape[0] for n in trace.nodes if n.id == found[0])
    return Batch(length, frozenset(found))


def _carried(trace: ArrayTrace) -> Iterator[tuple[str, str, bool]]:
    """Results and the arguments that they carry on, and whether other axes are mixed there."""
    nodes = {node.id: node for node in trace.nodes}
    for node in trace.nodes:
        op = ARRAY_OPS.get(node.op or "")
        shape = node.data.shape
        if op is None or not shape or shape[0] < 2 or not node.data.data:
            continue
        args = [nodes[arg] for arg in node.args]
        mixes = not isinstance(getattr(op.forward, "__self__", None), Pointwise)
        for slot, arg in enumerate(args):
            if arg.data.shape[:1] == shape[:1] and not arg.is_constant and _keeps(node, args, slot):
                yield node.id, arg.id, mixes and len(arg.data.shape) > 1


def _keeps(node: TracedArray, args: list[TracedArray], slot: int) -> bool:
    """Whether the first and the last row of a result are made of these rows of an argument."""
    op, shapes = ARRAY_OPS[node.op or ""], [arg.data.shape for arg in args]
    rows = node.data.shape[0]
    wide, own = len(node.data.data) // rows, len(args[slot].data.data) // rows
    for row in (0, 1, rows - 1):
        for cell in (row * wide, (row + 1) * wide - 1):
            read = op.reads(cell, shapes, node.params)[slot]
            if not read or any(place // own != row for place in read):
                return False
    return True
