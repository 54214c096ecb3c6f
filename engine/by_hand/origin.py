"""Where a wrong gradient begins: the first array of its chain that is no gradient of the loss.

Most arrays of a backward pass have names that say nothing: `tmp`, `delta`, `dvalues`. Their numbers
do: an array of the chain is known by being a true gradient, or the contribution of one use, up to a
constant factor. After the mistake nothing on the way to the wrong gradient is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.array_ops.flat import Flat

from .judge import HandPass, factor_of, is_telling
from .matching import NEAR, same_shape
from .model import HandGradient
from .truth import ancestors, are_close, flat

SURE = 3
"""Elements from which an array that is proportional to a gradient is so by no accident."""


def first_wrong(passed: HandPass, row: HandGradient) -> int | None:
    """The node of the first named array from which on the chain of a gradient is wrong.

    None if nothing before it is known to be right, so that the chain may begin wrong.
    """
    nodes, forward = passed.nodes, set(passed.matched.truth.order)
    chain = [at for at in ancestors(nodes, row.node) if at not in forward]
    if passed.points:  # one number may be a gradient by accident: there names count
        known = {it.node for it in passed.gradients if is_telling(it)} & {*chain}
    else:
        known = {at for at in chain if at != row.node and _is_gradient(passed, flat(nodes[at]))}
    before = _with_ancestor(passed, chain, known)
    lost = set(chain) - {a for at in known for a in ancestors(nodes, at)}
    named = {it.of for it in passed.run.array_record.names} | {row.node}
    return min((at for at in lost & before & named), default=None)


def _with_ancestor(passed: HandPass, chain: Sequence[int], known: set[int]) -> set[int]:
    """Those of a chain that are computed from one of `known`."""
    found: set[int] = set()
    for at in chain:
        if any(arg in known or arg in found for arg in passed.nodes[at].args):
            found.add(at)
    return found


def _is_gradient(passed: HandPass, array: Flat) -> bool:
    """Whether an array is a gradient or a contribution; a multiple of one if it is large enough."""
    if not any(array.data):
        return False
    return any(
        same_shape(array.shape, due.shape)
        and (
            are_close(array.data, due.data, NEAR)
            or (len(array.data) >= SURE and factor_of(array, due) != 1.0)
        )
        for due in _true_arrays(passed)
    )


def _true_arrays(passed: HandPass) -> Iterator[Flat]:
    truth = passed.matched.truth
    for at, due in truth.gradients.items():
        if not passed.nodes[at].is_constant:
            yield due
    for uses in truth.uses.values():
        if len(uses) > 1:
            for use in uses:
                yield use.amount
