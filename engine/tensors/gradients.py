"""Backward passes from tensors, and their gradients as programs read and set them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.ops import OPS

from . import graph
from .graph import Numbers, TensorNode
from .in_place import NOT_FLOATS, become_leaf
from .opened import synchronise
from .session import Session
from .tensor_array import Size, TensorArray

NOT_RECORDED = "element 0 of tensors does not require grad and does not have a grad_fn"


def backward(x: TensorArray, gradient: Any = None, *, retain_graph: bool = False) -> None:
    """A pass from `x`, or from Σ x·gradient. Raises RuntimeError as PyTorch does."""
    run([x], [gradient], retain_graph=retain_graph)


def run(
    outputs: Sequence[TensorArray], weights: Sequence[Any], *, retain_graph: bool,
    only: Sequence[TensorArray] | None = None,
) -> dict[TensorNode, Numbers]:  # fmt: skip
    """A pass from tensors with their weights: the gradients that it hands on.

    Leaves add theirs up, unless `only` some are asked for. Raises RuntimeError as PyTorch does.
    """
    given = seeds(outputs, weights)
    order = graph.order_below(given)
    graph.check(order)
    _show(outputs, weights)
    wanted = None if only is None else {x.node for x in only}
    return graph.run(order, given, retain_graph=retain_graph, only=wanted)


def _show(outputs: Sequence[TensorArray], weights: Sequence[Any]) -> None:
    """A pass in the picture: of Values, from a tensor of one number, else of arrays."""
    cell, session = outputs[0].cell, outputs[0].session
    if len(outputs) > 1 or cell is None:
        session.machine.passed(outputs[0])
        return
    show_leaves(session)
    if weights[0] is not None:
        cell = session.machine.apply(OPS["*"], cell, session.array(weights[0]).numbers()[0])
    session.machine.backward(cell)


def show_leaves(session: Session) -> None:
    """Give the leaves of the picture their numbers and gradients, which may have been changed."""
    for x in session.drawn:
        if x.cell is not None:
            synchronise(x)
            x.cell.grad = 0.0 if x.gradient is None else x.gradient.numbers()[0]


def seeds(outputs: Sequence[TensorArray], weights: Sequence[Any]) -> dict[TensorNode, Numbers]:
    """The gradients that a pass starts from: those given, else 1 of a number."""
    found: dict[TensorNode, Numbers] = {}
    for x, weight in zip(outputs, weights, strict=True):
        if not x.requires_grad:
            raise RuntimeError(NOT_RECORDED)
        numbers = [1.0] if weight is None else _weights(x, weight)
        if weight is None and x.size != 1:
            raise RuntimeError("grad can be implicitly created only for scalar outputs")
        held = found.get(x.node)
        found[x.node] = numbers if held is None else [
            a + b for a, b in zip(held, numbers, strict=True)
        ]  # fmt: skip
    return found


def _weights(x: TensorArray, gradient: Any) -> Numbers:
    weights = x.session.array(gradient)
    if weights.shape != x.shape:
        raise RuntimeError(
            f"Mismatch in shape: grad_output[0] has a shape of {Size(weights.shape)} and output[0] "
            f"has a shape of {Size(x.shape)}."
        )
    return x.dtype.convert(weights.numbers())


def set_gradient(x: TensorArray, value: Any) -> None:
    """`x.grad = value`, a tensor of the same shape or None."""
    new = None if value is None else x.session.array(value)
    if new is not None and new.shape != x.shape:
        raise RuntimeError(
            f"attempting to assign a gradient of size '{list(new.shape)}' to a tensor of size "
            f"'{list(x.shape)}'. Please ensure that the gradient and the tensor are the same size"
        )
    x.gradient = new


def reset(x: TensorArray, *, to_none: bool = True) -> None:
    """What `zero_grad()` does to one parameter."""
    if to_none:
        x.gradient = None
    elif x.gradient is not None:
        x.gradient.grid.write([0.0] * x.size)


def require(x: TensorArray, wanted: bool = True, refusal: str = NOT_FLOATS) -> Any:
    """Leaves begin or cease to record gradients."""
    if x.requires_grad == wanted:
        return x
    if not x.is_leaf:
        raise RuntimeError(ONLY_LEAVES)
    if wanted:
        become_leaf(x, refusal)
    else:
        x.node, x.storage.is_of_leaf = None, False
        if x.cell is not None:
            x.cell.recorded = False
    return x


ONLY_LEAVES = (
    "you can only change requires_grad flags of leaf variables. If you want to use a computed "
    "variable in a subgraph that doesn't require differentiation use var_no_grad = var.detach()."
)


def retain(x: TensorArray) -> None:
    """retain_grad(): an interior tensor keeps its gradient."""
    if not x.requires_grad:
        raise RuntimeError("can't retain_grad on Tensor that has requires_grad=False")
    if not x.is_leaf and x not in x.node.kept:
        x.node.kept.append(x)


def gradients_apart(
    outputs: Sequence[TensorArray], weights: Sequence[Any], inputs: Sequence[TensorArray], *,
    retain_graph: bool,
) -> tuple[Any, ...]:  # fmt: skip
    """The gradients for `inputs`; x.grad stays what it was. None for what no gradient reaches."""
    found = run(outputs, weights, retain_graph=retain_graph, only=inputs)
    return tuple(x.new(found[x.node][:]) if x.node in found else None for x in inputs)
