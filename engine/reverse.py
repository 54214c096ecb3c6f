"""Reverse accumulation over a list of operations (Linnainmaa 1970), whatever its numbers are.

For an output L and the operations y = f(x₁, …, xₖ) that it was computed by, the gradients
g(x) = ∂L/∂x obey g(L) = 1 and, over all uses of x,

    g(x) = Σ g(y) · ∂y/∂x.

In reverse order of a Wengert list every g(y) is complete before it is passed on, so that one sweep
gives all gradients, without recursion. An `Algebra` says what · and + are: those of numbers, of
sizes, of numbers of which some are unknown, or of symbols, which write the backward pass down.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Hashable, Iterable, Sequence
from math import nan
from operator import add, mul
from typing import Any, Generic, NamedTuple, TypeVar

N = TypeVar("N", bound=Hashable)
G = TypeVar("G")
P = TypeVar("P")
C = TypeVar("C")


class Algebra(NamedTuple, Generic[G, P, C]):
    """The arithmetic of a sweep with gradients G, partials P and contributions C.

    `zero` is the gradient before the first contribution, `times(gradient, partial)` a contribution,
    `plus(gradient, contribution)` the gradient after it.
    """

    zero: G
    times: Callable[[G, P], C]
    plus: Callable[[G, C], G]


def sweep(
    order: Sequence[N],
    partials: Callable[[N], Iterable[tuple[N, P]]],
    gradients: dict[N, G],
    algebra: Algebra[G, P, C],
) -> dict[N, G]:
    """Pass gradients on from the last node of `order` to the first; return `gradients`.

    `order` is topological: every node after its args. `partials(node)` gives each arg of a node
    with the partial with respect to it, twice if it is used twice; nothing for a leaf. `gradients`
    are those before the sweep, the seed included, as {output: 1.0}, and are changed in place. A
    node that has none when its turn comes passes nothing on. Raises what `partials` raises.
    """
    zero, times, plus = algebra
    for node in reversed(order):
        if node in gradients:
            upstream = gradients[node]
            for arg, partial in partials(node):
                gradients[arg] = plus(gradients.get(arg, zero), times(upstream, partial))
    return gradients


def _known_product(gradient: float | None, partial: float | None) -> float | None:
    if gradient == 0.0:
        return 0.0
    return None if gradient is None or partial is None else gradient * partial


def _known_sum(gradient: float | None, amount: float | None) -> float | None:
    return None if gradient is None or amount is None else gradient + amount


NUMBERS: Algebra[Any, Any, Any] = Algebra(0, mul, add)
"""Numbers of any kind: floats by IEEE 754, where 0·∞ is nan; Fractions exactly; intervals."""
SIZES: Algebra[float, float, float] = Algebra(0.0, lambda gradient, x: gradient * abs(x), add)
"""The sum of the sizes of all paths, which bounds what cancels in a gradient."""
UNKNOWN: Algebra[Any, Any, Any] = Algebra(0.0, _known_product, _known_sum)
"""Floats, or None for what is unknown, which makes all unknown that it is multiplied with or added
to. But a gradient of 0 passes 0 on, whatever the partial is, unknown or infinite."""
ASSIGNED: Algebra[float, float, float] = Algebra(0.0, mul, lambda _, amount: amount)
"""A well-known mistake: `=` in place of `+=`, so that only the last contribution stays."""
UNSCALED: Algebra[float, float, float] = Algebra(0.0, lambda _, partial: partial, add)
"""A well-known mistake: partials are added without the factor that is the gradient of the user."""


def symbols(times: Callable[[G, P], G], plus: Callable[[G, G], G]) -> Algebra[G, P, G]:
    """The algebra of what has no zero, such as expressions: the first contribution is the gradient.

    A node has the gradient None before it.
    """
    nothing: Any = None
    return Algebra(nothing, times, lambda g, term: term if g is nothing else plus(g, term))


class Contribution(NamedTuple, Generic[N]):
    """The contribution of one use of a node to its gradient: amount = upstream × partial."""

    to: N
    slot: int
    partial: float
    upstream: float
    amount: float
    before: float
    after: float


def contributions(
    order: Sequence[N],
    partials: Callable[[N], Iterable[tuple[N, float]]],
    gradients: dict[N, float],
    receivers: Container[N],
    algebra: Algebra[float, float, float] = NUMBERS,
    rounded: Callable[[N, float], float] = lambda _, x: x,
) -> list[tuple[N, Contribution[N]]]:
    """The contributions of a `sweep` to `receivers`, in its order, each with its user.

    `gradients` is changed in place. `rounded(node, x)` is x in the precision of a node: that of the
    user for a contribution, that of the arg for a sum.
    """
    found: list[tuple[N, Contribution[N]]] = []

    def uses(user: N) -> Iterable[tuple[N, tuple[N, N, int, float]]]:
        for slot, (arg, partial) in enumerate(partials(user)):
            if arg in receivers:
                yield arg, (user, arg, slot, partial)

    def times(upstream: float, use: tuple[N, N, int, float]) -> tuple[N, Contribution[N]]:
        user, arg, slot, partial = use
        amount = rounded(user, algebra.times(upstream, partial))
        return user, Contribution(arg, slot, partial, upstream, amount, nan, nan)

    def plus(before: float, sent: tuple[N, Contribution[N]]) -> float:
        user, c = sent
        after = rounded(c.to, algebra.plus(before, c.amount))
        found.append((user, c._replace(before=before, after=after)))
        return after

    sweep(order, uses, gradients, Algebra(algebra.zero, times, plus))
    return found
