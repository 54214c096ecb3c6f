"""Contributions on the edges: how much gradient has come along each, and how strong its line is.

The width of a line grows with the square root of the size of its contribution; the largest one of
the whole pass has the widest line, so that the widths of two frames compare.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil, isfinite, sqrt
from typing import NamedTuple

from app.picture.grains import FrameSpan
from app.picture.grouping import Edge, ValueUse
from app.picture.steps import Folded
from engine.numbers import compact, full, with_minus
from engine.trace.flows import Flow, flows
from engine.trace.model import Node
from engine.trace.traced import Trace

LEVELS = 8
"""Widths of lines; level 0 is that of a contribution of 0."""
ODD = "odd"
"""The level of a contribution that is not finite."""
DIGITS = 3
"""Significant digits of a sample."""
SAMPLES = 3
"""Lines in the caption that say what the widths mean."""


@dataclass(frozen=True, slots=True)
class Carried:
    """What has come along an edge: how many contributions, their sum and the strength of the line.

    `amount` is None if they went to several Values, so that no sum means anything. `is_new` says
    that the current frame brought one.
    """

    count: int
    amount: float | None
    level: str
    is_new: bool


class Arrival(NamedTuple):
    """A contribution to the arg in `slot`, None for a write, and what has come with it."""

    frame: int
    slot: int | None
    carried: Carried


@dataclass(frozen=True)
class Contributions:
    """The contributions of a trace with these nodes."""

    nodes: Mapping[str, Node]
    flows: Mapping[tuple[str, str], list[Flow]]
    users: Mapping[str, str]
    """The result of the closed formula that each inner Value is in."""
    largest: float

    def arrivals(self, edge: Edge) -> list[Arrival]:
        """The contributions along `edge` by their frames, each with what has come by then."""
        come = [(flow, link.source) for link in edge.links for flow in self._along(edge, link)]
        come.sort(key=lambda one: _order(one[0]))
        found: list[Arrival] = []
        sources = set[str]()
        total = largest = 0.0
        for count, (flow, source) in enumerate(come, start=1):
            sources.add(source)
            total = total + flow.amount if found else flow.amount
            largest = max(largest, flow.amount, key=_size)
            amount = total if len(sources) == 1 else None
            level = self.level(largest if amount is None else amount)
            found.append(Arrival(flow.frame, flow.slot, Carried(count, amount, level, is_new=True)))
        return found

    def at(self, edge: Edge, at: int | FrameSpan) -> Carried | None:
        """What has come along `edge` up to a frame or step; None if nothing has."""
        step = at if isinstance(at, FrameSpan) else FrameSpan(at, (at,))
        come = [one for one in self.arrivals(edge) if _has_come(one, step)]
        if not come:
            return None
        return replace(come[-1].carried, is_new=any(_is_of(one, step) for one in come))

    def _along(self, edge: Edge, link: ValueUse) -> Iterator[Flow]:
        """The contributions that a use brings."""
        yield from (f for f in self.flows.get((link.to, link.source), ()) if f.slot == link.slot)
        user = self.users.get(link.to, link.to)
        if written := [f for f in self.flows.get((user, link.source), ()) if f.slot is None]:
            turns = self._turns(edge, link.source, user)
            yield from written[turns.index((link.to, link.slot)) :: len(turns)]

    def _turns(self, edge: Edge, source: str, user: str) -> list[tuple[str, int]]:
        """The uses among which the writes for `source` by the operation of `user` take turns."""
        if user in self.users.values():
            uses = [link for link in edge.links if self.users.get(link.to, link.to) == user]
            return [(link.to, link.slot) for link in uses if link.source == source]
        return [(user, slot) for slot, arg in enumerate(self.nodes[user].args) if arg == source]

    def level(self, amount: float) -> str:
        """The strength of a line, as a class: s0 to s8, or odd."""
        if not isfinite(amount):
            return ODD
        if amount == 0 or self.largest == 0:
            return "s0"
        return f"s{min(LEVELS, max(1, ceil(LEVELS * sqrt(abs(amount) / self.largest))))}"

    def samples(self) -> list[tuple[str, str]]:
        """Sizes of contributions for the caption, each with the class of its line."""
        return [(self.level(size), compact(size, DIGITS)) for size in _samples(_sizes(self.flows))]


def _order(flow: Flow) -> tuple[int, int]:
    return flow.frame, -1 if flow.slot is None else flow.slot


def _has_come(one: Arrival, step: FrameSpan) -> bool:
    """Whether a contribution has come by the end of a step."""
    own = step.slot is None or one.slot is None or one.slot <= step.slot
    return one.frame < step.frame or (one.frame == step.frame and own)


def _is_of(one: Arrival, step: FrameSpan) -> bool:
    """Whether a step brought a contribution that has come."""
    return one.frame >= step.frames[0] and step.slot in (None, one.slot)


def contributions(trace: Trace, closed: Mapping[str, Folded]) -> Contributions:
    """The contributions of `trace`; `closed` are its closed formulas by their results."""
    found = flows(trace)
    users = {inner: result for result, fold in closed.items() for inner in fold.inner}
    nodes = {node.id: node for node in trace.nodes}
    return Contributions(nodes, found, users, max(_sizes(found), default=0.0))


def words(carried: Carried, to: str, through: str) -> str:
    """A sentence about an edge, with numbers in full."""
    many = "" if carried.count == 1 else f" in {carried.count:,} contributions"
    if carried.amount is None:
        return f"{carried.count:,} contributions to several Values"
    return f"{to} receives {with_minus(full(carried.amount))} through {through}{many}"


def _size(amount: float) -> float:
    return abs(amount) if amount == amount else float("inf")


def _sizes(found: Mapping[tuple[str, str], list[Flow]]) -> list[float]:
    """The distinct sizes of contributions that are neither 0 nor infinite, sorted."""
    amounts = {abs(flow.amount) for come in found.values() for flow in come}
    return sorted(size for size in amounts if isfinite(size) and size > 0)


def _samples(sizes: Sequence[float]) -> Iterable[float]:
    """The least, the middle and the largest."""
    if len(sizes) <= SAMPLES:
        return sizes
    return sizes[0], sizes[len(sizes) // 2], sizes[-1]
