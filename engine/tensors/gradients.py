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
from .tensor_array import TensorArray, plain

NOT_RECORDED = "element 0 of tensors does not require grad and does not have a grad_fn"


def is_recorded(x: Any) -> bool:
    """requires_grad"""
    return bool(x.requires_grad)


def backward(session: Session, x: Any, gradient: Any = None, *, retain_graph: bool = False) -> None:
    """A pass from `x`, or from Σ x·gradient. Raises RuntimeError as PyTorch does."""
    run(session, [x], [gradient], retain_graph=retain_graph)


def run(
    session: Session, outputs: Sequence[Any], weights: Sequence[Any], *, retain_graph: bool,
    only: Sequence[TensorArray] | None = None,
) -> dict[TensorNode, Numbers]:  # fmt: skip
    """A pass from tensors with their weights: the gradients that it hands on.

    Leaves add theirs up, unless `only` some are asked for. Raises RuntimeError as PyTorch does.
    """
    given = seeds(session, outputs, weights)
    order = graph.order_below(given)
    graph.check(order)
    _show(session, outputs, weights)
    wanted = None if only is None else {x.node for x in only}
    return graph.run(order, given, retain_graph=retain_graph, only=wanted)


def _show(session: Session, outputs: Sequence[Any], weights: Sequence[Any]) -> None:
    """A pass in the picture: of Values, from a tensor of one number, else of arrays."""
    cell = outputs[0].cell
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


def seeds(
    session: Session, outputs: Sequence[Any], weights: Sequence[Any]
) -> dict[TensorNode, Numbers]:
    """The gradients that a pass starts from: those given, else 1 of a number."""
    found: dict[TensorNode, Numbers] = {}
    for x, weight in zip(outputs, weights, strict=True):
        if not is_recorded(x):
            raise RuntimeError(NOT_RECORDED)
        array = session.array(x)
        numbers = [1.0] if weight is None else _weights(session, array, weight)
        if weight is None and array.size != 1:
            raise RuntimeError("grad can be implicitly created only for scalar outputs")
        held = found.get(array.node)
        found[array.node] = numbers if held is None else [
            a + b for a, b in zip(held, numbers, strict=True)
        ]  # fmt: skip
    return found


def _weights(session: Session, array: TensorArray, gradient: Any) -> Numbers:
    weights = session.array(gradient)
    if weights.shape != array.shape:
        raise RuntimeError(
            f"Mismatch in shape: grad_output[0] has a shape of {_size(weights)} and output[0] has "
            f"a shape of {_size(array)}."
        )
    return array.dtype.convert(weights.numbers())


def _size(array: TensorArray) -> str:
    return f"torch.Size({list(array.shape)})"


def gradient(session: Session, x: Any) -> TensorArray | None:
    """x.grad: None before the first pass, and for interior tensors that do not retain theirs."""
    return session.array(x).gradient


def set_gradient(session: Session, x: Any, value: Any) -> None:
    """`x.grad = value`, a tensor of the same shape or None."""
    array = session.array(x)
    new = None if value is None else session.array(value)
    if new is not None and new.shape != array.shape:
        raise RuntimeError(
            f"attempting to assign a gradient of size '{list(new.shape)}' to a tensor of size "
            f"'{list(array.shape)}'. Please ensure that the gradient and the tensor are the same "
            "size"
        )
    array.gradient = new


def reset(session: Session, x: Any, *, to_none: bool = True) -> None:
    """What `zero_grad()` does to one parameter."""
    array = session.array(x)
    if to_none:
        array.gradient = None
    elif array.gradient is not None:
        array.gradient.grid.write([0.0] * array.size)


def require(session: Session, x: Any, wanted: bool = True, refusal: str = NOT_FLOATS) -> Any:
    """Leaves begin or cease to record gradients."""
    array = session.array(x)
    if array.requires_grad == wanted:
        return x
    if not array.is_leaf:
        raise RuntimeError(ONLY_LEAVES)
    if wanted:
        become_leaf(session, array, refusal)
    else:
        array.node, array.storage.is_of_leaf = None, False
        if array.cell is not None:
            array.cell.recorded = False
    return x


ONLY_LEAVES = (
    "you can only change requires_grad flags of leaf variables. If you want to use a computed "
    "variable in a subgraph that doesn't require differentiation use var_no_grad = var.detach()."
)


def retain(session: Session, x: Any) -> None:
    """retain_grad(): an interior tensor keeps its gradient."""
    if not is_recorded(x):
        raise RuntimeError("can't retain_grad on Tensor that has requires_grad=False")
    array = session.array(x)
    if not array.is_leaf and array not in array.node.kept:
        array.node.kept.append(array)


def gradients_apart(
    session: Session, outputs: Sequence[Any], weights: Sequence[Any], inputs: Sequence[Any],
    *, retain_graph: bool,
) -> tuple[Any, ...]:  # fmt: skip
    """The gradients for `inputs`; x.grad stays what it was. None for what no gradient reaches."""
    arrays = [session.array(x) for x in inputs]
    found = run(session, outputs, weights, retain_graph=retain_graph, only=arrays)
    return tuple([
        plain(session, found[x.node][:], x.shape, x.dtype) if x.node in found else None
        for x in arrays
    ])  # fmt: skip
