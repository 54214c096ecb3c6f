"""Losses recorded on placeholder Values and differentiated as expression graphs on pairs.

The loss of one sample is evaluated once on placeholders, which records its operations (a Wengert
list). Reverse-mode differentiation of the record, with the formulas and partials of the table,
gives the code of both passes; no derivative is written by hand.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce

from engine.ops import OPS
from engine.reverse import sweep, symbols
from engine.training.losses import Loss
from engine.value import Constant, Value, args_first

from .formula import ExpressionGraph, Node


@dataclass(frozen=True, slots=True)
class Recorded:
    """A differentiated loss, as nodes of `graph`."""

    graph: ExpressionGraph
    outputs: tuple[Node, ...]
    targets: tuple[Node, ...]
    seed: Node  # ∂(objective)/∂(this sample's loss)
    loss: Node
    gradient: tuple[Node, ...]  # ∂(objective)/∂(outputs)


def record(loss: Loss, outputs: int, accumulate: bool = True) -> Recorded:
    """The loss of one sample with `outputs` outputs, and its gradient with respect to them.

    With `accumulate` false, a contribution overwrites earlier ones instead of being added.
    """
    given = [Value(0.5) for _ in range(outputs)]
    wanted = [Value(1.0) for _ in range(outputs)]
    result = loss.sample(given, wanted)
    graph = ExpressionGraph()
    out = tuple(graph.leaf(f"output {i}") for i in range(outputs))
    target = tuple(graph.leaf(f"target {i}") for i in range(outputs))
    seed = graph.leaf("seed")
    nodes = dict(zip([*given, *wanted], [*out, *target], strict=True))
    order = args_first(result)
    forward(graph, order, nodes)
    gradients = backward(graph, order, nodes, given, seed, accumulate)
    zero = graph.number(0.0)
    gradient = tuple(gradients.get(value, zero) for value in given)
    return Recorded(graph, out, target, seed, nodes[result], gradient)


def forward(graph: ExpressionGraph, order: Sequence[Value], nodes: dict[Value, Node]) -> None:
    """Add a node for every Value of `order`, from the formula of its operation."""
    for value in order:
        if value.op is not None:
            names = _named(value, nodes)
            nodes[value] = graph.text(value.op.formula, names)
        elif value not in nodes:
            assert isinstance(value, Constant), "a leaf is a placeholder or a constant"
            nodes[value] = graph.number(value.data)


def backward(
    graph: ExpressionGraph,
    order: Sequence[Value],
    nodes: Mapping[Value, Node],
    leaves: Sequence[Value],
    seed: Node,
    accumulate: bool,
) -> dict[Value, Node]:
    """The gradient of the last Value of `order`, seeded with `seed`, with respect to `leaves`."""
    needed = set(leaves)
    for value in order:
        if not needed.isdisjoint(value.args):
            needed.add(value)

    def partials(value: Value) -> Iterable[tuple[Value, Node]]:
        if value.op is None:
            return
        names = {**_named(value, nodes), "y": nodes[value]}
        for arg, partial in zip(value.args, value.op.partials, strict=True):
            if arg in needed:
                yield arg, graph.text(partial, names)

    algebra = symbols(graph.mul, graph.add if accumulate else lambda _, amount: amount)
    return sweep(order, partials, {order[-1]: seed}, algebra)


def _named(value: Value, nodes: Mapping[Value, Node]) -> dict[str, Node]:
    assert value.op is not None
    return dict(zip(value.op.params, [nodes[arg] for arg in value.args], strict=True))


def penalty(
    graph: ExpressionGraph, parameter: Node, l1: Node | None, l2: Node | None
) -> tuple[Node, Node]:
    """The penalty l1·|p| + l2·p² of one parameter, and its derivative.

    A factor of None omits its term: 0·p² would be nan where p² overflows.
    """
    names = {"x": parameter, "a": parameter, "b": graph.number(2.0)}
    terms = [
        (factor, op) for factor, op in ((l1, OPS["abs"]), (l2, OPS["**"])) if factor is not None
    ]
    values = [graph.mul(factor, graph.text(op.formula, names)) for factor, op in terms]
    slopes = [graph.mul(factor, graph.text(op.partials[0], names)) for factor, op in terms]
    return reduce(graph.add, values), reduce(graph.add, slopes)
