"""The paths from a Value to the output, and their products of partials.

By the chain rule the derivative of the output by a Value is the sum, over all paths between them,
of the product of the partials along the path. A path is a sequence of uses, so `a * a` is two
paths. Their number grows exponentially with the depth of a graph; counting them, and the derivative
itself, take one sweep in reverse topological order.

A closed formula is one operation, which uses each of its args once: the factor of that use is the
derivative of its result by the arg, over all paths inside.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate
from math import fsum, isfinite, prod
from operator import mul
from sys import float_info
from typing import NamedTuple, Protocol

from engine.ops import OPS
from engine.reverse import SIZES, UNKNOWN, Algebra, sweep

from . import slopes
from .model import Node
from .traced import Trace

FEW = 12
"""More paths are counted, not listed."""
LONGEST = 5_000
"""Uses on all listed paths together, beyond which none is."""
DOUBLE, SINGLE = float_info.epsilon, 2.0**-23
"""Machine epsilon, double and single; most tensors hold 32-bit floats."""


def _one_longer(paths: tuple[int, int], _: int) -> tuple[int, int]:
    return paths[0], paths[1] + paths[0]


def _together(one: tuple[int, int], other: tuple[int, int]) -> tuple[int, int]:
    return one[0] + other[0], one[1] + other[1]


LONGER = Algebra((0, 0), _one_longer, _together)
"""Pairs of the number of paths and of the uses on them; an edge adds one use to each path."""


class Closed(Protocol):
    """A formula that counts as one operation: its Values but the result, and its args."""

    @property
    def inner(self) -> frozenset[str]: ...
    @property
    def args(self) -> tuple[str, ...]: ...


class Use(NamedTuple):
    """One use of the Value `source`: as arg `slot` of `to`, -1 if that is a closed formula.

    `factor` is the partial of `to` by that arg, None if it is unknown how `to` was computed.
    `at_kink` says that it is a subgradient, a convention. `size` bounds the numbers that were added
    up to the factor, `steps` the roundings along it.
    """

    source: str
    to: str
    slot: int
    factor: float | None
    at_kink: bool = False
    size: float = 0.0
    steps: int = 1


class GraphPath(NamedTuple):
    """The uses along one path; none for the output itself. `product` is None if a factor is."""

    uses: tuple[Use, ...]
    product: float | None


@dataclass(frozen=True, slots=True)
class PathSum:
    """The paths from the Value `of`; `listed` is None if they are too many, or too long.

    `derivative` is the gradient by one pass from zero, None where it is unknown. `agrees` says
    whether the listed products sum to it but for rounding; None if there is nothing to compare, as
    where a number is not finite.
    """

    of: str
    count: int
    listed: tuple[GraphPath, ...] | None
    total: float | None
    derivative: float | None
    agrees: bool | None


@dataclass(frozen=True)
class PathCounts:
    """The number of paths from each Value of a trace to the output, and their lengths.

    `closed` are the closed formulas by their results.
    """

    trace: Trace
    closed: Mapping[str, Closed] = field(default_factory=dict)

    @cached_property
    def args(self) -> dict[str, tuple[str, ...]]:
        """The args of each Value, those of a formula for its result, in topological order."""
        inner = {value for formula in self.closed.values() for value in formula.inner}
        return {
            node.id: self.closed[node.id].args if node.id in self.closed else node.args
            for node in self.trace.nodes
            if node.id not in inner
        }

    @cached_property
    def counts(self) -> dict[str, int]:
        """The exact number of paths by Value, 1 for the output; without those that have none."""
        return {of: count for of, (count, _) in self._sums.items()}

    @cached_property
    def lengths(self) -> dict[str, int]:
        """The uses on all paths from each Value together."""
        return {of: length for of, (_, length) in self._sums.items()}

    @cached_property
    def _sums(self) -> dict[str, tuple[int, int]]:
        """The number of paths and the uses on them, by the sweep that sums derivatives."""
        args = self.args
        return sweep(
            [*args], lambda of: [(x, 1) for x in args[of]], {self.trace.drawn: (1, 0)}, LONGER
        )

    @cached_property
    def uses(self) -> Mapping[str, list[tuple[Node, int]]]:
        """The uses of each Value on a path to the output, in the order of a backward pass."""
        found: dict[str, list[tuple[Node, int]]] = {}
        for node in reversed(self.trace.nodes):
            if node.id in self.counts:
                for slot, arg in enumerate(self.args[node.id]):
                    found.setdefault(arg, []).append((node, -1 if node.id in self.closed else slot))
        return found


def path_sum(trace: Trace, node: Node, counts: PathCounts | None = None) -> PathSum:
    """The paths from `node` to the output of `trace`, listed while they are few."""
    counts = counts or PathCounts(trace)
    count = counts.counts.get(node.id, 0)
    derivative = _derivative(trace, node)
    if count > FEW or counts.lengths.get(node.id, 0) > LONGEST:
        return PathSum(node.id, count, None, None, derivative, None)
    listed = tuple(_paths(trace, node, counts)) if count else ()
    products = [path.product for path in listed]
    known = [product for product in products if product is not None]
    if len(known) < len(products):
        return PathSum(node.id, count, listed, None, derivative, None)
    total = _sum(known)
    agrees = _agrees(total, derivative, listed, SINGLE if trace.rule == "pytorch" else DOUBLE)
    return PathSum(node.id, count, listed, total, derivative, agrees)


def _derivative(trace: Trace, node: Node) -> float | None:
    """The gradient of `node` by one pass from zero, None where it is unknown.

    Gradients that the program writes by itself may be anything, so theirs is the true one.
    """
    is_due = any(frame.pass_ == "backward" for frame in trace.frames)
    if slopes.is_by_hand(trace) or not is_due:
        return trace.true_grads.get(node.id)
    return slopes.from_zero(trace).get(node.id, 0.0)


def _paths(trace: Trace, start: Node, counts: PathCounts) -> Iterator[GraphPath]:
    """Depth first without recursion, as a path may be long."""
    factors = _Factors(trace, counts.closed)
    trail: list[Use] = []
    if start.id == trace.drawn:
        yield GraphPath((), 1.0)
    pending = [iter(counts.uses.get(start.id, ()))]
    sources = [start.id]
    while pending:
        found = next(pending[-1], None)
        if found is None:
            pending.pop()
            sources.pop()
            if trail:
                trail.pop()
            continue
        user, slot = found
        trail.append(factors.use(sources[-1], user, slot))
        if user.id == trace.drawn:
            yield _path(trail)
            trail.pop()
            continue
        pending.append(iter(counts.uses.get(user.id, ())))
        sources.append(user.id)


def _path(trail: list[Use]) -> GraphPath:
    factors = [use.factor for use in reversed(trail) if use.factor is not None]
    return GraphPath(tuple(trail), prod(factors, start=1.0) if len(factors) == len(trail) else None)


class _Factors:
    """The partials of the uses of Values: those that the pass recorded, else the op table's."""

    def __init__(self, trace: Trace, closed: Mapping[str, Closed]) -> None:
        self.closed = closed
        self.nodes = {node.id: node for node in trace.nodes}
        self.recorded = {
            (frame.node, c.slot): c.partial for frame in trace.frames for c in frame.contributions
        }
        self.formulas: dict[str, dict[str, Use]] = {}

    def use(self, source: str, user: Node, slot: int) -> Use:
        if slot < 0:
            return self._formula(user)[source]
        factor = self._partial(user, slot)
        at_kink = user.op is not None and slopes.is_at_kink(user, self.nodes)
        return Use(source, user.id, slot, factor, at_kink, abs(factor or 0.0))

    def _partial(self, user: Node, slot: int) -> float | None:
        if user.op is None:
            return None
        factor = self.recorded.get((user.id, slot))
        if factor is not None:
            return factor
        args = [self.nodes[arg].data for arg in user.args]
        return OPS[user.op].derive[slot](user.data, *args)

    def _formula(self, result: Node) -> dict[str, Use]:
        """The uses of a closed formula by their sources: a sweep over the Values inside."""
        if result.id not in self.formulas:
            formula = self.closed[result.id]
            members = [node for node in self.nodes.values() if node.id in formula.inner]
            partials = {
                node.id: [(arg, self._partial(node, slot)) for slot, arg in enumerate(node.args)]
                for node in (*members, result)
            }
            order = list(partials)
            known = {of: [(arg, x or 0.0) for arg, x in uses] for of, uses in partials.items()}
            by = sweep(order, partials.__getitem__, {result.id: 1.0}, UNKNOWN)
            sizes = sweep(order, known.__getitem__, {result.id: 1.0}, SIZES)
            at_kink = any(slopes.is_at_kink(node, self.nodes) for node in (result, *members))
            steps = 2 * len(members) + 2
            self.formulas[result.id] = {
                arg: Use(arg, result.id, -1, by.get(arg), at_kink, sizes.get(arg, 0.0), steps)
                for arg in formula.args
            }
        return self.formulas[result.id]


def _sum(products: list[float]) -> float:
    """The sum, rounded once where all products are finite."""
    if all(map(isfinite, products)):
        try:
            return fsum(products)
        except OverflowError:
            pass
    return sum(products)


def _agrees(
    total: float, derivative: float | None, listed: tuple[GraphPath, ...], epsilon: float
) -> bool | None:
    """Whether the sum is the derivative but for rounding, by `epsilon` relative to each number.

    A product of k factors has a relative error of k/2 epsilon at most, and so has its part in the
    sweep; a sum adds half an epsilon of what is summed for each term. Where products are not finite
    or lose digits to underflow, sum and sweep may differ, as inf − inf is nan.
    """
    products = [path.product or 0.0 for path in listed]
    if derivative is None or not all(map(isfinite, (total, derivative, *products))):
        return None
    if any(map(_underflows, listed)):
        return None
    longest = max(sum(use.steps for use in path.uses) for path in listed) if listed else 0
    scale = sum(prod(use.size for use in path.uses) for path in listed)
    return abs(total - derivative) <= 2 * (longest + len(listed)) * epsilon * scale


def _underflows(path: GraphPath) -> bool:
    """Whether a product on the way is below the normal numbers, unless a factor is 0."""
    factors = [use.factor or 0.0 for use in reversed(path.uses)]
    products = accumulate(factors, mul, initial=1.0)
    return 0.0 not in factors and any(abs(product) < float_info.min for product in products)
