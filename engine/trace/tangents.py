"""Forward mode: the tangents of all Values by one input, swept through the graph of a trace.

Each Value carries a dual number: its data, and its tangent ẏ, the derivative of the Value by the
chosen input. The input has the tangent 1, every other leaf 0, and an op y = f(x₁, …, xₖ) gives

    ẏ = ∂y/∂x₁ · ẋ₁ + … + ∂y/∂xₖ · ẋₖ

with the partials of the table of operations, in the order in which the program computed. The last
tangent is the derivative of the output by the input: one sweep for one input. The backward pass
multiplies the same partials from the other end: one sweep for one output.

Both sweeps count the work that they do. A partial that the table gives as 1 or −1 takes no
multiplication, and of several terms the first one takes no addition. The partials themselves cost
the same in both, and are left out. Constants of an expression take part in neither sweep, nor does
what is computed from them alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from math import isfinite
from typing import NamedTuple

from engine.ops import OPS
from engine.reverse import SIZES, sweep, symbols

from .memory import variables
from .model import Node
from .nudge import movable
from .slopes import Graph, by_chain_rule
from .traced import Trace

SIGNS = {"1": 1.0, "-1": -1.0}
"""The texts of partials that take no multiplication."""


class UnknownInput(ValueError):
    """The id is not that of a leaf from which the output is followed."""


@dataclass(slots=True)
class Work:
    """The multiplications and additions of a sweep, counted as it does them."""

    multiplications: int = 0
    additions: int = 0

    @property
    def total(self) -> int:
        """Multiplications and additions together."""
        return self.multiplications + self.additions

    def product(self, text: str, partial: float, number: float) -> float:
        """partial × number; `text` is the partial's in the table."""
        if text in SIGNS:
            return SIGNS[text] * number
        self.multiplications += 1
        return partial * number

    def sum(self, before: float | None, term: float) -> float:
        """`term` added to what is there, None before the first one."""
        if before is None:
            return term
        self.additions += 1
        return before + term


class TangentTerm(NamedTuple):
    """One input of an op: amount = partial × tangent of the Value `of`."""

    of: str
    partial: float
    tangent: float
    amount: float


class TangentSum(NamedTuple):
    """The tangent of an op's result, the sum of its terms."""

    node: str
    terms: tuple[TangentTerm, ...]
    tangent: float


@dataclass(frozen=True, slots=True)
class ForwardSweep:
    """A forward sweep for one input: the ops in order, every Value's tangent by id, the work."""

    input: str
    rows: tuple[TangentSum, ...]
    tangents: Mapping[str, float]
    work: Work = field(default_factory=Work)


@dataclass(frozen=True, slots=True)
class Reverse:
    """A reverse sweep: the derivative with respect to every Value, by id, and the work."""

    gradients: Mapping[str, float]
    work: Work = field(default_factory=Work)


def inputs(trace: Trace) -> list[Node]:
    """The leaves that a sweep can start from, in the order of the trace.

    Empty if a Value on a path to the output was computed in an unknown way.
    """
    return movable(trace)


def forward(trace: Trace, input_: str) -> ForwardSweep:
    """The tangents of all variables with respect to the leaf with this id. Raises UnknownInput.

    A Value that does not depend on the input has the tangent 0 whatever its partials are: 0 × inf
    and 0 × nan are 0 here, as the Value does not move.
    """
    if input_ not in {leaf.id for leaf in inputs(trace)}:
        raise UnknownInput(input_)
    graph = Variables(trace)
    tangents = {input_: 1.0}  # of the Values that depend on the input
    work, rows = Work(), []
    for node in graph.computed:
        row = _row(node, graph, tangents, work)
        rows.append(row)
        if any(term.of in tangents for term in row.terms):
            tangents[node] = row.tangent
    whole = {of: tangents.get(of, 0.0) for of in graph.variables}
    return ForwardSweep(input_, tuple(rows), whole, work)


def _row(node: str, graph: Variables, tangents: Mapping[str, float], work: Work) -> TangentSum:
    terms, tangent = [], None
    for of, partial, text in graph.written(node):
        amount = work.product(text, partial, tangents.get(of, 0.0))
        amount = amount if of in tangents else 0.0
        tangent = work.sum(tangent, amount)
        terms.append(TangentTerm(of, partial, tangents.get(of, 0.0), amount))
    return TangentSum(node, tuple(terms), tangent or 0.0)


def reverse(trace: Trace) -> Reverse:
    """The derivative of the output by every Value with a gradient: one sweep from the output.

    The first contribution that a Value receives is taken unchanged, each further one is added.
    """
    if trace.output is None:
        return Reverse({})
    graph, work = Variables(trace), Work()

    def product(gradient: float, use: tuple[str, float]) -> float:
        return work.product(*use, gradient)

    def uses(node: str) -> Iterator[tuple[str, tuple[str, float]]]:
        return ((of, (text, partial)) for of, partial, text in graph.written(node))

    counted = symbols(product, work.sum)
    return Reverse(sweep(graph.computed, uses, {trace.output: 1.0}, counted), work)


class Variables(Graph):
    """The variables of a trace, and the partials between them.

    Variables are the Values with a gradient, and what is computed from them; a class of the
    program's own has numbers inside of its formulas that belong to no object and hold no gradient.
    """

    def __init__(self, trace: Trace) -> None:
        super().__init__(trace.nodes)
        self.variables = variables(trace)
        self.computed = [node.id for node in trace.nodes if node.op and node.id in self.variables]

    def written(self, name: str) -> list[tuple[str, float, str]]:
        """For each variable that is an input of an op: its id, the partial by it, its text."""
        texts = OPS[self.nodes[name].op or ""].partials
        uses = zip(self.partials(name), texts, strict=True)
        return [(arg, x, text) for (arg, x), text in uses if arg in self.variables]


class Modes(NamedTuple):
    """The work of both modes for all derivatives of `outputs` outputs by `inputs` inputs.

    Forward mode takes one sweep for each input, reverse mode one for each output.
    """

    inputs: int
    outputs: int
    forward: Work
    """Of one forward sweep."""
    reverse: Work
    """Of one reverse sweep."""

    @property
    def by_forward(self) -> Work:
        """The work of a forward sweep for each input."""
        return _times(self.inputs, self.forward)

    @property
    def by_reverse(self) -> Work:
        """The work of a reverse sweep for each output."""
        return _times(self.outputs, self.reverse)

    @property
    def cheaper(self) -> str:
        """The mode with less work: "forward", "reverse", or "" if they are equal."""
        gap = self.by_forward.total - self.by_reverse.total
        return "reverse" if gap > 0 else "forward" if gap < 0 else ""


def modes(trace: Trace, inputs_: int | None = None, outputs: int = 1) -> Modes:
    """The work of both modes, by counting one sweep of each.

    Without numbers of its own, for the inputs of the program and its one output. The work of a
    forward sweep is the same for each input. Raises UnknownInput if the output is followed from no
    leaf.
    """
    found = inputs(trace)
    if not found:
        raise UnknownInput("no leaf")
    count = len(found) if inputs_ is None else inputs_
    return Modes(count, outputs, forward(trace, found[0].id).work, reverse(trace).work)


def rounding(trace: Trace, input_: str) -> float:
    """A bound on the difference of both modes by rounding, for the input with this id.

    Each of the paths from the input to the output is a product of at most as many factors as the
    graph has Values, and is rounded at each of them.
    """
    sizes = by_chain_rule(trace, SIZES)
    unit = 2.0**-23 if trace.single else 2.0**-52
    size = sizes.get(input_, 0.0)
    return len(trace.nodes) * unit * size if isfinite(size) else 0.0


def _times(count: int, work: Work) -> Work:
    return Work(count * work.multiplications, count * work.additions)
