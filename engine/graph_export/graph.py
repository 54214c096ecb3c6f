"""The graph of a trace as the exports write it, with the numbers that a program of it gives.

An export differentiates the graph anew. Where that gives other numbers than the traced program
itself, which may have kept gradients, written its own or set data by hand, `remarks` says so.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from engine.ops import OPS, Op
from engine.python_text import literal, one_line
from engine.real import as_float
from engine.reverse import NUMBERS, sweep
from engine.trace.identifiers import RESERVED
from engine.trace.model import Node, TraceData
from engine.trace.unrolled import Unrolled, unrolled
from engine.trace.unrolled_lines import HELD

NEAR = 1e-5
"""The relative difference up to which a number is that of its operation, rounded: 32 bits."""
EXACT = 1e-9
"""The relative difference from which a remark names both numbers."""
TITLE = 60
NOTHING = "The program computes nothing to export: it has no graph."


class NothingToExport(ValueError):
    """The program computes no graph."""


@dataclass(frozen=True)
class ExportGraph:
    """A trace with what the exports need of it."""

    trace: TraceData

    def __post_init__(self) -> None:
        if self.trace.output is None:
            notes = self.trace.notes
            raise NothingToExport(notes[0].message if notes else NOTHING)

    @cached_property
    def unrolled(self) -> Unrolled:
        return unrolled(self.trace)

    @cached_property
    def names(self) -> dict[str, str]:
        """The identifiers by node; numbers inside expressions have none."""
        return dict(self.unrolled.names)

    @cached_property
    def nodes(self) -> dict[str, Node]:
        return {node.id: node for node in self.trace.nodes}

    @cached_property
    def output(self) -> Node:
        return self.nodes[self.trace.output or ""]

    @cached_property
    def leaves(self) -> list[Node]:
        """The Values without args that have a gradient."""
        return [x for x in self.trace.nodes if not x.args and x.grad is not None]

    @cached_property
    def shown(self) -> list[Node]:
        """The named leaves, whose gradients the programs print."""
        return [x for x in self.leaves if x.label]

    @cached_property
    def cut(self) -> dict[str, str]:
        """The computed Values that stand in an export as numbers, with the reason."""
        return {x.id: why for x in self.trace.nodes if x.args and (why := self._why_cut(x))}

    def _why_cut(self, node: Node) -> str:
        if node.op is None:
            return "computed in a way that Seegrad could not trace"
        if not near(self.data[node.id], node.data):
            return "set by the program after it was computed"
        return ""

    @cached_property
    def data(self) -> dict[str, float]:
        """The numbers that the operations give, each from the number of its args in the export."""
        found: dict[str, float] = {}
        for node in self.trace.nodes:
            found[node.id] = as_float(node.data)
            if node.op is not None:
                given = OPS[node.op].compute(*[self._kept(found[a], a) for a in node.args])
                found[node.id] = given
        return found

    def _kept(self, x: float, node: str) -> float:
        data = as_float(self.nodes[node].data)
        return x if near(x, data) else data

    def number(self, node: Node) -> float:
        """The number of a Value in an export."""
        return as_float(node.data) if node.id in self.cut else self.data[node.id]

    def op(self, node: Node) -> Op | None:
        """The operation that an export applies; None for leaves and numbers."""
        return OPS[node.op] if node.op is not None and node.id not in self.cut else None

    def is_finite(self, node: Node) -> bool:
        """Whether a Value and its args are finite: libraries differ in their rules for others."""
        numbers = [self.number(x) for x in (node, *(self.nodes[arg] for arg in node.args))]
        return all(map(math.isfinite, numbers))

    @cached_property
    def held(self) -> dict[str, float]:
        """The gradients that the pass starts from, where they are not 0."""
        lines = self.unrolled.of("backward")
        return {x.node: as_float(x.number) for x in lines if x.note == HELD and x.number}

    def gradients(self, held: dict[str, float]) -> dict[str, float]:
        """The gradients by reverse accumulation, from the gradients `held` on."""
        grads = dict.fromkeys(self.nodes, 0.0) | held
        grads[self.output.id] = 1.0
        return sweep(list(self.nodes), self._partials, grads, NUMBERS)

    def _partials(self, name: str) -> Iterable[tuple[str, float]]:
        node = self.nodes[name]
        op = self.op(node)
        if op is None:
            return ()
        numbers = [self.number(self.nodes[arg]) for arg in node.args]
        return zip(node.args, op.partials_at(self.number(node), *numbers), strict=True)

    @cached_property
    def reached(self) -> set[str]:
        """The Values that the output depends on through operations."""
        found = {self.output.id}
        for node in reversed(self.trace.nodes):
            if node.id in found and self.op(node) is not None:
                found.update(node.args)
        return found

    def differing(self, held: dict[str, float]) -> list[str]:
        """Remarks on the numbers printed that are not those of the traced program."""
        return [*self._other_output(), *self._other_gradients(held)]

    def _other_output(self) -> Iterator[str]:
        own = as_float(self.output.data)
        if not near(self.number(self.output), own, EXACT):
            yield f"{self.title(self.output)} is {literal(own)} in the traced program."

    def _other_gradients(self, held: dict[str, float]) -> Iterator[str]:
        grads = self.gradients(held)
        for node in self.shown:
            own = as_float(node.grad or 0.0)
            if not near(grads[node.id], own, EXACT):
                yield (
                    f"The traced program itself ends with the gradient {literal(own)} of "
                    f"{self.title(node)}; the derivative is {literal(grads[node.id])}."
                )

    def title(self, node: Node) -> str:
        """The name of a Value on one line of at most TITLE letters."""
        name = node.name if node.label else self.names.get(node.id, node.id)
        line = one_line(name)
        return line if len(line) <= TITLE else f"{line[: TITLE - 1]}…"

    def free(self, word: str) -> str:
        """`word`, or with a number if a Value has that name."""
        used, free, count = {*self.names.values(), *RESERVED}, word, 1
        while free in used:
            count += 1
            free = f"{word}{count}"
        return free


def near(a: float, b: float, tolerance: float = NEAR) -> bool:
    """Whether two numbers differ by rounding alone; nan is near nan."""
    if a != a or b != b:
        return a != a and b != b
    return a == b or math.isclose(a, b, rel_tol=tolerance, abs_tol=1e-300)
