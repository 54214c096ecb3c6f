"""The true gradients of arrays: the reverse sweep over the recorded operations behind a loss.

With L the loss and y = f(x₁, …, xₖ) an operation on arrays, ∂L/∂xᵢ is the sum over all uses of xᵢ
of the vector-Jacobian product of ∂L/∂y, which the table of operations computes. An operation that
the table does not know, or that it computes otherwise than the program did, makes the gradients of
all that it was computed from unknown.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import isclose
from typing import NamedTuple

from engine.array_ops.algebra import Vjp, added, applied
from engine.array_ops.flat import Flat, Misfit
from engine.array_ops.ops import ARRAY_OPS
from engine.record.array_model import ArrayNode
from engine.reverse import Algebra, sweep

ROUNDED = 1e-4
"""What 32-bit floats may differ by, relatively."""
EXACT = 1e-7


class ArrayUse(NamedTuple):
    """The contribution of one use of an array: as argument `slot` of the node `user`."""

    user: int
    slot: int
    amount: Flat


@dataclass(frozen=True, slots=True)
class ArrayTruth:
    """The nodes that a loss was computed from, in order, with their gradients and their uses.

    A node whose gradient is not known has none, and so has one that no gradient reaches.
    """

    loss: int
    order: Sequence[int]
    gradients: Mapping[int, Flat]
    unknown: frozenset[int]
    uses: Mapping[int, Sequence[ArrayUse]]
    is_single: bool = False
    """Whether the run computed with 32-bit floats."""

    def noise(self, at: int) -> float:
        """What rounding may leave of contributions that cancel."""
        amounts = [self.gradients.get(use.user) for use in self.uses.get(at, ())]
        largest = max((abs(x) for g in amounts if g is not None for x in g.data), default=0.0)
        return 1e-12 + (1e-5 if self.is_single else 1e-12) * largest


def flat(node: ArrayNode) -> Flat:
    return Flat(node.shape, list(node.data))


def ancestors(nodes: Sequence[ArrayNode], at: int) -> list[int]:
    """The nodes that one was computed from, itself included, in the order computed."""
    seen, todo = {at}, [at]
    while todo:
        for arg in nodes[todo.pop()].args:
            if arg not in seen:
                seen.add(arg)
                todo.append(arg)
    return sorted(seen)


def truth(nodes: Sequence[ArrayNode], loss: int) -> ArrayTruth:
    """The gradients of the loss, a number, by all that it was computed from."""
    order = ancestors(nodes, loss)
    odd = {at for at in order if nodes[at].op is not None and not is_known(nodes, at)}
    unknown = {at for one in odd for at in ancestors(nodes, one) if at != one}
    uses: dict[int, list[ArrayUse]] = {}

    is_recorded = not nodes[loss].is_fixed

    def partials(at: int) -> Iterable[tuple[int, tuple[int, int]]]:
        if at in odd or nodes[at].op in CUT or (is_recorded and nodes[at].is_fixed):
            return ()
        return [(arg, (at, slot)) for slot, arg in enumerate(nodes[at].args)]

    def times(upstream: Flat | None, use: tuple[int, int]) -> Flat | None:
        user, slot = use
        amount = contribution(nodes, user, slot, upstream)
        if amount is not None:
            uses.setdefault(nodes[user].args[slot], []).append(ArrayUse(user, slot, amount))
        return amount

    seed = Flat(nodes[loss].shape, [1.0] * len(nodes[loss].data))
    gradients: dict[int, Flat | None] = {loss: seed}
    nothing: Flat | None = None
    algebra: Algebra[Flat | None, tuple[int, int], Flat | None] = Algebra(nothing, times, added)
    found = sweep(order, partials, gradients, algebra)
    known = {at: grad for at, grad in found.items() if grad is not None and at not in unknown}
    is_single = any("32" in nodes[at].dtype for at in order)
    return ArrayTruth(loss, order, known, frozenset(unknown), uses, is_single)


CUT = frozenset({"detach"})
"""Operations that pass no gradient on, on purpose."""


def contribution(
    nodes: Sequence[ArrayNode], user: int, slot: int, upstream: Flat | None
) -> Flat | None:
    """What argument `slot` of a node receives from it; None where nothing passes."""
    node = nodes[user]
    if upstream is None or node.op is None:
        return None
    if node.op == "cast":
        return upstream
    args = [flat(nodes[arg]) for arg in node.args]
    return applied(upstream, Vjp(ARRAY_OPS[node.op], args, flat(node), node.params, slot))


def is_known(nodes: Sequence[ArrayNode], at: int) -> bool:
    """Whether the table computes a node as the program did."""
    node = nodes[at]
    if node.op in CUT or node.op == "cast":
        return True
    op = ARRAY_OPS.get(node.op or "")
    if op is None:
        return False
    try:
        found = op.forward([flat(nodes[arg]) for arg in node.args], node.params)
    except (Misfit, ArithmeticError, ValueError, KeyError, IndexError, TypeError):
        return False
    near = (
        ROUNDED if "32" in node.dtype or any("32" in nodes[a].dtype for a in node.args) else EXACT
    )
    return found.shape == node.shape and are_close(found.data, node.data, near)


def are_close(
    found: Sequence[float], due: Sequence[float], near: float = 1e-6, noise: float = 1e-12
) -> bool:
    """Whether numbers are equal within `near` of the largest one of `due`, or within `noise`."""
    scale = max((abs(x) for x in due if abs(x) < float("inf")), default=0.0)
    return len(found) == len(due) and all(
        x == y or (x != x and y != y) or isclose(x, y, rel_tol=near, abs_tol=near * scale + noise)
        for x, y in zip(found, due, strict=True)
    )
