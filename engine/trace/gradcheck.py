"""Gradient checking: compares each leaf's gradient with a central difference of the output.

The central difference (f(x + h) − f(x − h)) / 2h has a truncation error of order h² and a rounding
error of order ε/h; h = ε^(1/3)·max(1, |x|) balances them (Nocedal & Wright, Numerical Optimization,
section 8.1). One-sided differences detect kinks: where they disagree, no derivative exists, and the
verdict says so.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from operator import itemgetter

from engine.formulas import Function
from engine.numbers import short
from engine.ops import OPS

from .model import Node
from .rerun import Rerun
from .slopes import from_zero, same
from .traced import Trace

STEP = sys.float_info.epsilon ** (1 / 3)
TOLERANCE = 1e-4
"""Tolerance of slope against gradient, relative to the larger of the two and 1."""


UNKNOWN = "unknown: a number on the way to the output could not be followed"


@dataclass(frozen=True, slots=True)
class Check:
    """The result for one leaf: gradient, measured slope and verdict.

    `verdict` begins with "agrees", "kink", "not finite", "the nudge leaves", "unknown", "differs".
    """

    node: str
    grad: float
    slope: float
    h: float
    verdict: str
    ok: bool


class Replay:
    """The graph of a trace as a function of one leaf, with all others fixed."""

    def __init__(self, nodes: Sequence[Node]) -> None:
        self.nodes = nodes
        self.index = {node.id: i for i, node in enumerate(nodes)}
        self.data = [node.data for node in nodes]
        self.steps: list[tuple[Function, Callable[[list[float]], Iterable[float]]]] = []
        """For each Value, its op's function and a getter of its args from a list like `data`."""
        self.users: list[list[int]] = [[] for _ in nodes]
        for i, node in enumerate(nodes):
            args = [self.index[arg] for arg in node.args]
            compute = OPS[node.op].compute if node.op else float
            self.steps.append((compute, _picker(args)))
            for arg in set(args):
                self.users[arg].append(i)
        self.is_current = all(
            same(compute(*pick(self.data)), x)
            for (compute, pick), x, node in zip(self.steps, self.data, nodes, strict=True)
            if node.op
        )
        """Whether every number follows from its args; it does not if a leaf was changed later."""
        self.unknown = {i for i, node in enumerate(nodes) if node.args and not node.op}
        """The Values of which it is not known how they were computed."""

    def dependents(self, leaf: int) -> list[int]:
        """The Values that depend on `leaf`, in topological order."""
        found: set[int] = set()
        stack = [leaf]
        while stack:
            for user in self.users[stack.pop()]:
                if user not in found:
                    found.add(user)
                    stack.append(user)
        return sorted(found)

    def output(self, leaf: int, x: float, dependents: Iterable[int], output: int) -> float:
        """The output with the leaf set to `x`."""
        data = self.data.copy()
        data[leaf] = x
        for i in dependents:
            compute, pick = self.steps[i]
            data[i] = compute(*pick(data))
        return data[output]

    def kink(self, dependents: Iterable[int]) -> str:
        """The verdict if one of the Values is at a kink of its op; "" if none is.

        The chain rule fails for subgradients, even where the composition is smooth:
        max(min(a, b), a) is a, but its gradient at a = b comes out as 0.75.
        """
        for i in dependents:
            op = self.nodes[i].op
            args = [self.data[self.index[arg]] for arg in self.nodes[i].args]
            if op and OPS[op].at_kink(*args):
                return f"kink on the path: the subgradient of {op} is a convention"
        return ""


def _picker(places: list[int]) -> Callable[[list[float]], Iterable[float]]:
    """A function that selects the items at `places` from a list, as fast as possible."""
    if len(places) > 1:
        return itemgetter(*places)
    return itemgetter(slice(places[0], places[0] + 1) if places else slice(0))


def is_due(trace: Trace) -> bool:
    """Whether the program has run a backward pass, whose gradients can be checked."""
    return any(frame.pass_ == "backward" for frame in trace.frames)


def cost(trace: Trace) -> int:
    """An upper bound of the operations that `check` computes."""
    leaves = sum(node.kind == "leaf" for node in trace.nodes)
    return 2 * leaves * len(trace.nodes)


def check(
    trace: Trace, leaves: Iterable[str] | None = None, rerun: Rerun | None = None
) -> list[Check]:
    """A Check for each leaf of `trace`, or for the ids in `leaves`.

    Where a number on the way to the output could not be followed, `rerun` measures the slope.
    Without a backward pass there is nothing to check; nor is there for a leaf without a gradient.
    """
    if trace.output is None or not is_due(trace):
        return []
    replay = Replay(trace.nodes)
    wanted = None if leaves is None else set(leaves)
    grads = from_zero(trace)
    return [
        _check(replay, node, grads.get(node.id, 0.0), replay.index[trace.output], rerun)
        for node in trace.nodes
        if node.kind == "leaf" and node.grad is not None and (wanted is None or node.id in wanted)
    ]


def _check(replay: Replay, node: Node, grad: float, output: int, rerun: Rerun | None) -> Check:
    x, leaf = node.data, replay.index[node.id]
    h = STEP * max(1.0, abs(x)) if math.isfinite(x) else STEP
    dependents = replay.dependents(leaf)
    if not replay.unknown.isdisjoint(dependents):
        return _checked_by_running(node, grad, replay.data[output], h, rerun)
    below, above = (replay.output(leaf, x + nudge, dependents, output) for nudge in (-h, h))
    here = replay.data[output]
    if not replay.is_current:
        here = replay.output(leaf, x, dependents, output)
    slope, verdict = _compared(x, grad, (below, here, above), h)
    if verdict.startswith("differs"):
        verdict = replay.kink(dependents) or verdict
    return Check(node.id, grad, slope, h, verdict, verdict.startswith(("agrees", "kink")))


def _checked_by_running(
    node: Node, grad: float, here: float, h: float, rerun: Rerun | None
) -> Check:
    """The check with the leaf moved in the program itself."""
    unknown = Check(node.id, grad, math.nan, h, UNKNOWN, False)
    if rerun is None or node.key is None:
        return unknown
    below = rerun.output(node.key, node.data, node.data - h)
    above = None if below is None else rerun.output(node.key, node.data, node.data + h)
    if below is None or above is None:
        return unknown
    slope, verdict = _compared(node.data, grad, (below, here, above), h)
    return Check(node.id, grad, slope, h, verdict, verdict.startswith(("agrees", "kink")))


def _compared(
    x: float, grad: float, outputs: tuple[float, float, float], h: float
) -> tuple[float, str]:
    """The slope and the verdict for the outputs at x - h, x and x + h."""
    below, here, above = outputs
    slope = (above - below) / ((x + h) - (x - h))
    left, right = (here - below) / h, (above - here) / h
    return slope, _verdict(grad, slope, left, right, here, h)


def _verdict(grad: float, slope: float, left: float, right: float, here: float, h: float) -> str:
    if not (math.isfinite(grad) and math.isfinite(here)):
        return "not finite: there is nothing to compare"
    if not math.isfinite(slope):
        return "the nudge leaves the domain, so the slope cannot be measured"
    scale = max(1.0, abs(grad), abs(slope))
    noise = 4 * sys.float_info.epsilon * abs(here) / h
    if abs(left - right) > TOLERANCE * 10 * scale + 4 * noise:
        slopes = f"{short(left)} from the left, {short(right)} from the right"
        return f"kink or sharp bend: the slope is {slopes}"
    if abs(slope - grad) <= TOLERANCE * scale + noise:
        return "agrees"
    return f"differs: the slope is {short(slope)}, the gradient {short(grad)}"
