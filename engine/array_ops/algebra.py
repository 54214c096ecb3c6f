"""The reverse sweep over arrays: a partial is a vector-Jacobian product, · applies it.

`engine.reverse.sweep` asks for the partials of a node with respect to its arguments. For arrays a
partial is a `Vjp`, which remembers the operation, its arguments and its result; a contribution is
what the operation's `vjp` makes of the incoming gradient.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import add
from typing import NamedTuple

from engine.reverse import Algebra

from .flat import Flat
from .table import ArrayOp, Params


class Vjp(NamedTuple):
    """∂y/∂x of one use of an array x, applied to the gradient with respect to y."""

    op: ArrayOp
    args: Sequence[Flat]
    result: Flat
    params: Params
    slot: int


def applied(upstream: Flat | None, partial: Vjp) -> Flat | None:
    """What the argument receives; None for one that receives no gradient."""
    op, args, result, params, slot = partial
    if upstream is None:
        return None
    wanted = [i == slot for i in range(len(args))]
    return op.vjp(upstream, args, result, params, wanted)[slot]


def added(before: Flat | None, amount: Flat | None) -> Flat | None:
    """A gradient with a contribution more; None is 0."""
    if before is None or amount is None:
        return amount if before is None else before
    return Flat(before.shape, list(map(add, before.data, amount.data)))


_nothing: Flat | None = None
ARRAYS: Algebra[Flat | None, Vjp, Flat | None] = Algebra(_nothing, applied, added)
"""The arithmetic of a sweep whose gradients are `Flat`s, None for zero."""
