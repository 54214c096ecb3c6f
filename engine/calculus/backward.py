"""The backward pass of a trace as a graph: gradients as cells, computed from the cells of Values.

The gradient of x is the sum over the uses of x of partial × gradient of the user. Only what lies
between the leaves asked for and the output has one.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from engine.graph_export.graph import near
from engine.ops import OPS
from engine.python_text import literal
from engine.reverse import Algebra, sweep
from engine.trace.cases import EXPONENTS, specialised
from engine.trace.identifiers import identifiers
from engine.trace.model import Node
from engine.trace.traced import Trace

from .cells import Cell, Cells

_PREFIXED = re.compile(r"d([2-9]?)_")
TERMS = 6
"""Terms of a sum in one expression."""
NO_GRAPH = "The program computes nothing that could be differentiated."
UNKNOWN = "Seegrad could not trace how {} was computed."
STALE = "{} was set to another number after it was computed."
NOT_FINITE = "{} is not a finite number."


class NotDifferentiable(ValueError):
    """The backward pass cannot be written as a graph; the message is a sentence for visitors."""


@dataclass(frozen=True, slots=True)
class Derivative:
    """Both passes as cells: `places` of the Values by id, `gradients` of some of them.

    A Value without a gradient has the derivative 0. `prefix` stands before the name of a Value in
    that of its gradient. `unnamed` are the places of Values that the program has no name for.
    """

    cells: Cells
    places: dict[str, int]
    unnamed: frozenset[int]
    gradients: dict[str, int]
    prefix: str
    output: str


def derivative(trace: Trace, leaves: Collection[str]) -> Derivative:
    """The backward pass for the leaves of these ids. Raises NotDifferentiable."""
    if trace.output is None:
        raise NotDifferentiable(NO_GRAPH)
    cells, places = _forward(trace)
    active = _between(trace, leaves)
    _require_known(trace, active, cells, places)
    names = [cell.name for cell in cells if cell.name]
    prefix = _prefix(names)
    nodes = {node.id: node for node in trace.nodes}
    terms: dict[str, tuple[int, ...]] = {trace.output: (cells.number(1.0),)}
    gradients: dict[str, int] = {}

    def products(of: str) -> Iterable[tuple[str, tuple[int, int]]]:
        if not terms[of]:
            return
        name = f"{prefix}{cells[places[of]].name}"
        gradient = gradients[of] = _summed(cells, terms[of], name)
        for slot, arg in enumerate(nodes[of].args):
            if arg in active:
                yield arg, (_partial(cells, nodes[of], slot, places, nodes), gradient)

    def times(_: tuple[int, ...], product: tuple[int, int]) -> int | None:
        return cells.times(*product)

    order = [node.id for node in trace.nodes if node.id in active]
    sweep(order, products, terms, Algebra((), times, _with))
    output = cells[places[trace.output]].name
    unnamed = frozenset(places[node.id] for node in trace.nodes if not node.label)
    return Derivative(cells, places, unnamed, gradients, prefix, output)


def _forward(trace: Trace) -> tuple[Cells, dict[str, int]]:
    """The Values as cells, each with the number that its op gives in 64 bits."""
    names = identifiers([node for node in trace.nodes if not _is_inline(node)])
    cells = Cells()
    places: dict[str, int] = {}
    for node in trace.nodes:
        args = [places[arg] for arg in node.args]
        if node.op is not None:
            places[node.id] = cells.apply(node.op, *args, name=names[node.id])
        else:
            text = literal(node.data) if node.id in names else ""
            places[node.id] = cells.number(float(node.data), text)
            if text:
                cells.named(places[node.id], names[node.id])
    return cells, places


def _is_inline(node: Node) -> bool:
    return node.kind == "constant" and not node.label and not node.args


def _between(trace: Trace, leaves: Collection[str]) -> set[str]:
    """The Values that depend on one of `leaves` and that the output depends on."""
    after = set(leaves)
    for node in trace.nodes:
        if not after.isdisjoint(node.args):
            after.add(node.id)
    before = {trace.output}
    for node in reversed(trace.nodes):
        if node.id in before:
            before.update(node.args)
    return {node.id for node in trace.nodes if node.id in after and node.id in before}


def _require_known(
    trace: Trace, active: Collection[str], cells: Sequence[Cell], places: dict[str, int]
) -> None:
    for node in trace.nodes:
        number = cells[places[node.id]].data
        if node.id in active and node.args and node.op is None:
            raise NotDifferentiable(UNKNOWN.format(node.name))
        if node.id in trace.stale or not near(number, float(node.data)):
            raise NotDifferentiable(STALE.format(node.name))
        if node.id in active and not math.isfinite(number):
            raise NotDifferentiable(NOT_FINITE.format(node.name))


def _prefix(names: Iterable[str]) -> str:
    """`d_`, or after names that begin with it `d2_`, after these `d3_`, and so on."""
    found = [_PREFIXED.match(name) for name in names]
    last = max((int(match[1] or 1) for match in found if match), default=0)
    return f"d{last + 1}_" if last else "d_"


def _partial(
    cells: Cells, node: Node, slot: int, places: dict[str, int], nodes: dict[str, Node]
) -> int:
    """The cells of a partial: the formula of the table over the cells of the Values."""
    assert node.op is not None
    op, text = OPS[node.op], OPS[node.op].partials[slot]
    exponent = EXPONENTS.get(node.op)
    if exponent is not None and exponent != slot and _is_inline(nodes[node.args[exponent]]):
        number = float(nodes[node.args[exponent]].data)
        text = specialised(text, op.params[exponent], number)
    given = dict(zip(op.params, (places[arg] for arg in node.args), strict=True))
    return cells.formula(text, given | {"y": places[node.id]})


def _with(terms: tuple[int, ...], term: int | None) -> tuple[int, ...]:
    return terms if term is None else (*terms, term)


def _summed(cells: Cells, terms: Sequence[int], name: str) -> int:
    """The sum of the terms, under a name unless it is a constant or has one."""
    total = terms[0]
    for count, term in enumerate(terms[1:], 1):
        total = cells.plus(total, term)
        if count % TERMS == 0 and not cells.is_constant(total):
            cells.named(total, name)
    return total if cells[total].name or cells.is_constant(total) else cells.named(total, name)
