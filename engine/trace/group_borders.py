"""The border of an opened box: what its inputs receive through the operations inside, and by the
box as one function.

The first is the sum of the contributions that the reverse sweep brought. The second is the gradient
of the box's results times their derivatives by each input, which dual numbers carry forward through
the box: the chain rule from the other end, so that equal numbers are a check.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from engine.real import same

from . import slopes
from .model import Border, Node
from .traced import Trace

CALLS = ("mlp", "layer", "neuron", "function", "formula")
"""Kinds of groups that have a border like that of an operation."""
MOST = 20_000
"""Products of derivatives that one border may take."""
CLOSE, CLOSE_SINGLE = 1e-9, 1e-4
"""Differences, relative to the largest gradient of a border, that rounding accounts for."""


def group_borders(trace: Trace, groups: Collection[str]) -> dict[str, tuple[Border, ...]]:
    """The borders of some groups, by id, of the Values outside with a gradient.

    A group is left out whose numbers are not those of one recorded pass from zero through
    operations of the table, and one that is too large.
    """
    if slopes.is_by_hand(trace) or trace.stale or not groups:
        return {}
    own = slopes.from_zero(trace)
    is_single_pass = all(
        same(own.get(f.node, 0.0), c.upstream) for f in trace.frames for c in f.contributions
    )
    if not is_single_pass:
        return {}
    found = {}
    for group in groups:
        inside = _inside(trace, group)
        if inside and (border := _Box(trace, inside).borders()):
            found[group] = border
    return found


def is_equal(trace: Trace, borders: Sequence[Border]) -> bool:
    """Whether both numbers of each border of a group differ by rounding alone."""
    close = CLOSE_SINGLE if trace.single else CLOSE
    scale = max((abs(x) for b in borders for x in (b.through, b.by) if x == x), default=0.0)
    return all(same(b.through, b.by) or abs(b.through - b.by) <= close * scale for b in borders)


def _inside(trace: Trace, group: str) -> list[Node]:
    """The computed Values of a group and of those in it, in topological order."""
    parents = {other.id: other.parent for other in trace.groups}

    def is_within(home: str | None) -> bool:
        while home is not None and home != group:
            home = parents.get(home)
        return home == group

    homes = {home: is_within(home) for home in {node.group for node in trace.nodes}}
    return [node for node in trace.nodes if node.args and homes[node.group]]


class _Box:
    def __init__(self, trace: Trace, inside: Sequence[Node]) -> None:
        self.trace, self.inside = trace, inside
        self.ids = {node.id for node in inside}
        self.graph = slopes.Graph(trace.nodes)
        args = dict.fromkeys(arg for node in inside for arg in node.args if arg not in self.ids)
        self.inputs = [arg for arg in args if self.graph.nodes[arg].grad is not None]

    def borders(self) -> tuple[Border, ...]:
        """Empty if an operation is unknown, or there is too much to compute."""
        if len(self.inputs) * len(self.inside) > MOST or any(n.op is None for n in self.inside):
            return ()
        through = self._received(lambda node: node in self.ids)
        given = self._received(lambda node: node not in self.ids)
        tangents = self._tangents()
        by = dict.fromkeys(self.inputs, 0.0)
        for node in self.inside:
            if gradient := given.get(node.id, 0.0):
                for to, derivative in tangents[node.id].items():
                    by[to] += gradient * derivative
        return tuple([Border(to, through.get(to, 0.0), by[to]) for to in self.inputs])

    def _received(self, is_from: Callable[[str], bool]) -> dict[str, float]:
        """What each Value received from some Values; the output receives the seed from outside."""
        found: dict[str, float] = {}
        for frame in self.trace.frames:
            if frame.seed is not None and is_from(""):
                found[frame.node] = found.get(frame.node, 0.0) + frame.seed
            if is_from(frame.node):
                for c in frame.contributions:
                    found[c.to] = found.get(c.to, 0.0) + c.amount
        return found

    def _tangents(self) -> dict[str, dict[str, float]]:
        """The derivatives of each Value inside by the inputs, by dual numbers.

        In forward mode, so that what the reverse sweep gave is compared with another computation.
        """
        found: dict[str, dict[str, float]] = {to: {to: 1.0} for to in self.inputs}
        for node in self.inside:
            total: dict[str, float] = {}
            for arg, partial in self.graph.partials(node.id):
                for to, derivative in found.get(arg, {}).items():
                    total[to] = total.get(to, 0.0) + partial * derivative
            found[node.id] = total
        return found
