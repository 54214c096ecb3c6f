"""The second derivatives of a trace's output by its leaves, and their check.

Forward over reverse: the gradients are cells of a graph, and one forward sweep through it for each
leaf gives a column of the matrix (Griewank and Walther, Evaluating Derivatives, section 5.2). No
step is involved, so it is exact but for rounding. Each entry off the diagonal comes out twice, by
different sweeps. The check measures the slope of each gradient by central differences.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from engine.numbers import in_equation
from engine.trace import gradcheck
from engine.trace.measure import measure
from engine.trace.model import Node
from engine.trace.traced import Trace

from .backward import Derivative, derivative
from .cells import adjoints, tangents
from .gradients import LeafGradients

MOST = 8
"""Leaves of a matrix."""
KINK = "kink on the path: the gradient jumps there, and has no slope"
TINIEST = 2.0**-1074
DIFFERS = "differs: the slope of the gradient is {slope}, the second derivative {exact}"
SWEEPS = 16
"""The cost of the check of one column, in operations for each Value of the graph."""


class HessianEntry(NamedTuple):
    """The second derivative with respect to two leaves, and the measured slope of a gradient.

    `verdict` begins as that of a gradient check does; `error` is relative to the larger of both.
    """

    row: str
    column: str
    exact: float
    slope: float
    h: float
    error: float
    verdict: str
    ok: bool


@dataclass
class Hessian:
    """The matrix of a trace for `leaves`. Raises NotDifferentiable."""

    trace: Trace
    leaves: Sequence[Node]

    @cached_property
    def derivative(self) -> Derivative:
        return derivative(self.trace, [leaf.id for leaf in self.leaves])

    @cached_property
    def rows(self) -> list[list[float]]:
        """Row i, column j: the derivative of the gradient of leaf i with respect to leaf j."""
        found = self.derivative
        sweeps = [tangents(found.cells, found.places[leaf.id]) for leaf in self.leaves]
        return [[self._by(sweep, leaf) for sweep in sweeps] for leaf in self.leaves]

    def _by(self, sweep: dict[int, float], leaf: Node) -> float:
        at = self.derivative.gradients.get(leaf.id)
        return 0.0 if at is None else sweep.get(at, 0.0)

    @property
    def asymmetry(self) -> float:
        """The largest difference between mirrored entries, relative to the largest entry."""
        pairs = [(a, b) for a, b in zip(self.rows, zip(*self.rows, strict=True), strict=True)]
        gaps = [abs(x - y) for a, b in pairs for x, y in zip(a, b, strict=True)]
        size = max((abs(x) for row in self.rows for x in row), default=0.0)
        return max(gaps, default=0.0) / size if size else 0.0

    def check(self) -> list[HessianEntry]:
        """Each entry with the slope measured, row by row."""
        gradients = LeafGradients(self.trace, [leaf.id for leaf in self.leaves])
        found: dict[tuple[int, int], HessianEntry] = {}
        for j in range(len(self.leaves)):
            for i in range(len(self.leaves)):
                found[i, j] = self._entry(gradients, i, j)
        return [found[key] for key in sorted(found)]

    def _entry(self, gradients: LeafGradients, i: int, j: int) -> HessianEntry:
        row, column, exact = self.leaves[i], self.leaves[j], self.rows[i][j]
        ids, x = (row.id, column.id), column.data

        def line(at: float) -> float:
            return gradients.at({column.id: at})[i]

        here = line(x)
        if not (math.isfinite(exact) and math.isfinite(here)):
            return HessianEntry(
                *ids, exact, math.nan, math.nan, math.nan, gradcheck.NOT_FINITE, ok=False
            )
        measured = measure(line, x, here, self._rounding(i))
        cancels = gradcheck.CANCELS * self._by(self._sizes[j], row)
        verdict = gradcheck.compared(exact, measured, cancels)
        if verdict != "agrees" and self._is_at_kink(gradients, column):
            verdict = KINK
        if verdict.startswith("differs"):
            numbers = {"slope": in_equation(measured.slope), "exact": in_equation(exact)}
            verdict = DIFFERS.format(**numbers)
        ok = verdict.startswith(("agrees", "kink"))
        error = gradcheck.error(exact, measured.slope)
        return HessianEntry(*ids, exact, measured.slope, measured.h, error, verdict, ok)

    @cached_property
    def _sizes(self) -> list[dict[int, float]]:
        found = self.derivative
        return [tangents(found.cells, found.places[leaf.id], abs) for leaf in self.leaves]

    def _rounding(self, i: int) -> float:
        """The rounding error of the gradient of leaf i, as `Replay.rounding` has it; not below
        that of the smallest number, to which products may underflow."""
        return max(self._roundings[i], TINIEST)

    @cached_property
    def _roundings(self) -> list[float]:
        found, errors = self.derivative, []
        for leaf in self.leaves:
            at = found.gradients.get(leaf.id)
            slopes = {} if at is None else adjoints(found.cells, at)
            terms = [slope * found.cells[place].data for place, slope in slopes.items()]
            sizes = (abs(x) for x in terms if math.isfinite(x))
            errors.append(math.fsum(sys.float_info.epsilon * size for size in sizes))
        return errors

    def _is_at_kink(self, gradients: LeafGradients, leaf: Node) -> bool:
        replay = gradients.replay
        return bool(replay.kink(replay.dependents(replay.index[leaf.id])))


def cost(trace: Trace, count: int) -> int:
    """The operations that a checked matrix for `count` leaves takes, as a rule."""
    return SWEEPS * count * len(trace.nodes)
