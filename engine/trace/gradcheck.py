"""Gradient checking: compares the gradient of each Value with the measured slope of the output.

The slope is measured on the graph itself, by central differences with a step that suits the number
(`engine.trace.measure`); where the graph is not known, by running the program again.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from engine.numbers import in_equation
from engine.reverse import SIZES

from .measure import DifferenceQuotients, MeasuredSlope, at_step, measure
from .model import Node
from .replay import Replay
from .rerun import Rerun
from .resolution import too_fine
from .slopes import by_chain_rule, from_zero
from .traced import Trace

TOLERANCE = 1e-6
"""Difference of slope and gradient, relative to the larger one, that counts as none."""
LOST = 0.1
"""Uncertainty, relative to gradient and slope, from which on nothing can be said."""
CANCELS, CANCELS_SINGLE = 1e-10, 1e-6
"""Rounding error of a gradient relative to the sum of the sizes of its paths, which may cancel."""
EVALUATIONS = 6  # of the graph for one Value, as a rule
STEPS = tuple(10.0 ** (-k / 4) for k in range(4, 49))
"""The steps of a sweep, from 1e-1 to 1e-12."""

UNKNOWN = "unknown: a number on a path to the output could not be traced"
NOT_FINITE = "not finite: there is nothing to compare"
ROUNDED = "agrees, but for the rounding of 32-bit numbers"
TOO_FINE = "too small to measure: {} varies between one number and the next"
TOO_SMALL = "too small to measure: the change of the output is lost in its rounding"


@dataclass(frozen=True, slots=True)
class GradientCheck:
    """The result for one Value: gradient, measured slope, relative error and verdict.

    `verdict` begins with "agrees", "kink", "not finite", "the nudge leaves", "too small",
    "unknown" or "differs". `error` is |slope − grad| over the larger of both, 0 if both are 0.
    """

    node: str
    grad: float
    slope: float
    h: float
    verdict: str
    ok: bool
    error: float = math.nan


def is_due(trace: Trace) -> bool:
    """Whether the program has run a backward pass, whose gradients can be checked."""
    return any(frame.pass_ == "backward" for frame in trace.frames)


def leaves(trace: Trace) -> list[str]:
    """The ids of the leaves with a gradient."""
    return [node.id for node in trace.nodes if node.kind == "leaf" and node.grad is not None]


def values(trace: Trace) -> list[str]:
    """The ids of the Values with a gradient, except for the output, whose slope is 1."""
    return [n.id for n in trace.nodes if n.grad is not None and n.id != trace.output]


def cost(trace: Trace, ids: Iterable[str] | None = None) -> int:
    """The operations that `check` computes as a rule; the graph is evaluated several times."""
    count = len(leaves(trace) if ids is None else list(ids))
    return EVALUATIONS * count * len(trace.nodes)


def check(
    trace: Trace, ids: Iterable[str] | None = None, rerun: Rerun | None = None
) -> list[GradientCheck]:
    """A Check for each leaf of `trace`, or for the Values `ids`, in the order of the trace.

    Where a number on a path to the output could not be traced, `rerun` measures the slope.
    Without a backward pass there is nothing to check; nor is there for a Value without a gradient.
    """
    if trace.output is None or not is_due(trace):
        return []
    wanted = set(leaves(trace) if ids is None else ids)
    lines = Lines(trace, rerun)
    return [
        lines.check(node) for node in trace.nodes if node.id in wanted and node.grad is not None
    ]


class Lines:
    """The output of a trace as a function of each of its Values."""

    def __init__(self, trace: Trace, rerun: Rerun | None = None) -> None:
        self.trace, self.replay, self.rerun = trace, Replay(trace.nodes), rerun
        self.output = self.replay.index[trace.drawn]
        self.grads, self.slopes = from_zero(trace), by_chain_rule(trace)
        self.sizes = by_chain_rule(trace, SIZES)

    def check(self, node: Node) -> GradientCheck:
        """The measured slope of a Value beside its gradient."""
        grad = self.grads.get(node.id, 0.0)
        found = self._line(node)
        if found is None:
            return GradientCheck(node.id, grad, math.nan, math.nan, UNKNOWN, False)
        line, here, rounding = found
        if not (math.isfinite(grad) and math.isfinite(here) and math.isfinite(node.data)):
            return GradientCheck(node.id, grad, math.nan, math.nan, NOT_FINITE, False)
        try:
            measured = measure(line, node.data, here, rounding)
        except _Unknown:
            return GradientCheck(node.id, grad, math.nan, math.nan, UNKNOWN, False)
        verdict = compared(grad, measured, CANCELS * self.sizes.get(node.id, 0.0))
        if verdict.startswith("differs"):
            verdict = self._at_kink(node) or self._rounded(node, grad, measured) or verdict
        if verdict.startswith(("differs", "kink or")):
            verdict = self._too_fine(node) or verdict
        ok = verdict.startswith(("agrees", "kink"))
        return GradientCheck(
            node.id, grad, measured.slope, measured.h, verdict, ok, error(grad, measured.slope)
        )

    def sweep(self, node: Node, steps: Iterable[float] = STEPS) -> Iterator[DifferenceQuotients]:
        """The difference quotients of the output by a Value at each of `steps`."""
        found = self._line(node)
        if found is None or not math.isfinite(node.data):
            return
        line, here, _ = found
        for h in steps:
            try:
                yield at_step(line, node.data, here, h)
            except _Unknown:
                return

    def _line(self, node: Node) -> tuple[Callable[[float], float], float, float] | None:
        """The output by a Value, its present value, and its rounding error; None if unknown."""
        replay, value = self.replay, self.replay.index[node.id]
        dependents = replay.dependents(value)
        here = replay.data[self.output]
        if replay.unknown.isdisjoint(dependents):
            # Only what leads to the output: the rest would be computed in vain.
            rounding = replay.rounding(dependents, self.slopes)
            rounding = max(rounding, sys.float_info.epsilon * abs(here))

            def line(x: float) -> float:
                return replay.output(value, x, dependents, self.output)

            return line, here if replay.is_current else line(node.data), rounding
        rerun, key = self.rerun, node.key
        if rerun is None or key is None:
            return None

        def run(x: float) -> float:
            found = rerun.output(key, node.data, x)
            if found is None:
                raise _Unknown
            return found

        return run, here, 4 * sys.float_info.epsilon * abs(here)

    def _at_kink(self, node: Node) -> str:
        """The verdict if a Value on a path is at a kink of its op; "" if none is.

        The chain rule fails for subgradients, even where the composition is smooth:
        max(min(a, b), a) is a, but its gradient at a = b comes out as 0.75.
        """
        replay = self.replay
        op = replay.kink(replay.dependents(replay.index[node.id]))
        return f"kink on the path: the subgradient of {op} is a convention" if op else ""

    def _too_fine(self, node: Node) -> str:
        """The verdict if no step is small enough for an op on a path; "" if steps are."""
        replay, value = self.replay, self.replay.index[node.id]
        dependents = replay.dependents(value)
        op = "" if replay.kink(dependents) else too_fine(replay, value, dependents)
        return TOO_FINE.format(op) if op else ""

    def _rounded(self, node: Node, grad: float, measured: MeasuredSlope) -> str:
        """The verdict on a 32-bit gradient that differs by rounding alone, else "".

        The chain rule gives the gradient at the numbers of the trace, and the slope at those that
        64 bits would have given.
        """
        if node.id not in self.trace.single:
            return ""
        size = self.sizes.get(node.id, 0.0)
        follows = abs(grad - self.slopes.get(node.id, 0.0)) <= CANCELS_SINGLE * size
        exact = self._exact.get(node.id, 0.0)
        agrees = compared(exact, measured, CANCELS * size) == "agrees"
        return ROUNDED if follows and agrees else ""

    @cached_property
    def _exact(self) -> dict[str, float]:
        """The derivative with respect to each Value, in 64 bits."""
        nodes = zip(self.trace.nodes, self.replay.exact(), strict=True)
        exact = tuple([node._replace(data=x) for node, x in nodes])
        return by_chain_rule(replace(self.trace, nodes=exact))


class _Unknown(Exception):
    """The program cannot be run again with a Value moved."""


def error(grad: float, slope: float) -> float:
    """|slope − grad| relative to the larger of both; 0 if both are 0, nan without a slope."""
    if not math.isfinite(slope):
        return math.nan
    size = max(abs(grad), abs(slope))
    return abs(slope - grad) / size if size else 0.0


def compared(grad: float, found: MeasuredSlope, cancelled: float) -> str:
    """The verdict; `cancelled` is the rounding error of a gradient whose contributions cancel."""
    if not math.isfinite(found.slope):
        return _edge(found)
    if found.kink:
        slopes = (
            f"{in_equation(found.left)} from the left, {in_equation(found.right)} from the right"
        )
        return f"kink or sharp bend: the slope is {slopes}"
    difference, size = abs(found.slope - grad), max(abs(grad), abs(found.slope))
    if difference <= TOLERANCE * size or difference <= cancelled:
        return "agrees"
    if found.uncertainty >= LOST * size and difference <= 2 * found.uncertainty:
        return TOO_SMALL
    if difference <= 2 * found.uncertainty:
        return "agrees"
    return f"differs: the slope is {in_equation(found.slope)}, the gradient {in_equation(grad)}"


def _edge(found: MeasuredSlope) -> str:
    says = "the nudge leaves the domain, so the slope cannot be measured"
    for side, slope in (("left", found.left), ("right", found.right)):
        if math.isfinite(slope):
            return f"{says} on both sides; from the {side} it is {in_equation(slope)}"
    return says
