"""Checkpointing: memory for recomputation, by simulating both passes in the order of the program.

The ops of the graph, in their order, are cut into segments of `every` ops. In the forward pass a
segment leaves behind its last number, the boundary, and what later segments need of the others; all
else is dropped. The backward pass takes the segments from the last to the first. In each it first
computes again what its rules read and was dropped, and what that follows from, out of the numbers
that are there; then the rules run, and what no earlier segment needs is dropped.

Counted are numbers that an op computed; leaves are there in any case. With segments of one op
nothing is dropped that a rule reads, and nothing is done again: this is the plain backward pass.
With a single segment everything is done again. Between them, for a chain of n equal ops, about √n
boundaries and √n numbers inside of one segment are the fewest (Griewank and Walther, Evaluating
Derivatives, chapter 12; Chen et al., Training Deep Nets with Sublinear Memory Cost, 2016).
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import isqrt
from typing import NamedTuple

from .memory import Memory, memory
from .model import Node
from .traced import Trace


class Checkpointing(NamedTuple):
    """Both passes with segments of `every` ops.

    `between` are the ids of the numbers kept from one pass to the next, leaves included; `again`
    those that the backward pass computes again, in the order in which it does. `peak` is the
    largest number of computed numbers that are there at once.
    """

    every: int
    segments: int
    between: tuple[str, ...]
    again: tuple[str, ...]
    peak: int


@dataclass(slots=True)
class _Plan:
    """A way through the segments: what each computes again, and the first one that needs a number.

    The backward pass comes last to the first segment that needs a number.
    """

    rebuilt: list[list[str]]
    first_need: dict[str, int] = field(default_factory=dict)


class Checkpoints:
    """The graph of a trace, prepared for simulations with segments of any length."""

    def __init__(self, trace: Trace, found: Memory | None = None) -> None:
        found = found or memory(trace)
        moving = set(found.numbers)
        self.nodes: Mapping[str, Node] = {node.id: node for node in trace.nodes}
        self.ops = [reading.node for reading in found.readings]
        self.keeps = {reading.node: reading.keeps for reading in found.readings}
        self.args = {
            of: tuple(arg for arg in self.nodes[of].args if arg in moving) for of in self.ops
        }
        self.numbers = found.numbers

    @property
    def root(self) -> int:
        """√n of n ops, to the nearest whole number, at least 1."""
        n = len(self.ops)
        low = isqrt(n)
        return max(1, low + (n > low * (low + 1)))

    def simulate(self, every: int) -> Checkpointing:
        """Both passes with segments of `every` ops, at least 1."""
        ops = self.ops
        parts = [ops[at : at + every] for at in range(0, len(ops), every)]
        plan = self._plan(parts)
        needs = sorted(at for of, at in plan.first_need.items() if of in self.keeps)
        peak = 0
        for at, rebuilt in enumerate(plan.rebuilt):
            read = {one for of in parts[at] for one in self.keeps[of]}
            kept = bisect_left(needs, at + 1)  # those that this segment or an earlier one needs
            peak = max(peak, kept + sum(of in read for of in rebuilt))
        between = tuple(of for of in self.numbers if of in plan.first_need)
        again = tuple(of for rebuilt in reversed(plan.rebuilt) for of in rebuilt)
        return Checkpointing(every, len(parts), between, again, peak)

    def _plan(self, parts: Sequence[Sequence[str]]) -> _Plan:
        """What each segment computes again, and what is kept for it, from the last to the first."""
        plan = _Plan([[] for _ in parts])
        for at in reversed(range(len(parts))):
            inside = set(parts[at])
            read = dict.fromkeys(one for of in parts[at] for one in self.keeps[of])
            if parts[at][-1] in read:
                plan.first_need[parts[at][-1]] = at
            rebuilt = self._closure(read, inside, plan, at)
            plan.rebuilt[at] = [of for of in parts[at] if of in rebuilt]
        return plan

    def _closure(self, read: Iterable[str], inside: set[str], plan: _Plan, at: int) -> set[str]:
        """The dropped numbers of a segment that are needed to have those `read`.

        What is needed from outside of it, or is kept for a later one, is kept for this one.
        """
        rebuilt: set[str] = set()
        waiting = list(read)
        while waiting:
            of = waiting.pop()
            if of in rebuilt:
                continue
            if of in inside and of not in plan.first_need:
                rebuilt.add(of)
                waiting.extend(self.args[of])
            else:
                plan.first_need[of] = at
        return rebuilt


def lengths(count: int, most: int, root: int) -> list[int]:
    """Lengths of segments of `count` ops: all of them if they are at most `most`, else some.

    1, `root` and `count` are among them; the others grow by about the same factor.
    """
    if count <= most:
        return list(range(1, count + 1))
    steps = max(most - 2, 1)
    found = {round(count ** (step / steps)) for step in range(steps + 1)}
    return sorted({1, min(root, count), count, *found})
