"""The reverse sweep over arrays: a partial is a vector-Jacobian product, · applies it.

`engine.reverse.sweep` asks for the partials of a node with respect to its arguments. For arrays a
partial is a `Vjp`, which remembers the operation, its arguments and its result; a contribution is
what the operation's `vjp` makes of the incoming gradient, computed once for all arguments.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import add
from typing import Any, NamedTuple

from engine.reverse import Algebra

from .flat import Flat, Numbers
from .table import ArrayOp, Params


class Vjp(NamedTuple):
    """∂y/∂x of one use of an array x, applied to the gradient with respect to y."""

    op: ArrayOp
    args: Sequence[Flat]
    result: Flat
    params: Params
    slot: int


def array_algebra(
    rounded: Callable[[Numbers], Numbers] = lambda data: data,
) -> Algebra[Any, Vjp, Flat | None]:
    """The arithmetic of a sweep whose gradients are `Flat`s, None for zero.

    `rounded` gives numbers in the precision of the arrays. An argument that receives no gradient
    has the contribution None, and keeps what it had.
    """

    def times(upstream: Flat, partial: Vjp) -> Flat | None:
        op, args, result, params, slot = partial
        wanted = [i == slot for i in range(len(args))]
        found = op.vjp(upstream, args, result, params, wanted)[slot]
        return found and Flat(found.shape, rounded(found.data))

    def plus(before: Flat | None, amount: Flat | None) -> Flat | None:
        if before is None or amount is None:
            return amount if before is None else before
        return Flat(before.shape, rounded(list(map(add, before.data, amount.data))))

    return Algebra(None, times, plus)
