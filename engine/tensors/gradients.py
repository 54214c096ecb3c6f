"""Backward passes from tensors, and their gradients as programs read and set them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.array_ops.grid import from_items
from engine.ops import OPS
from engine.value import topological_order

from . import blocks, hooks, saved
from .blocks import FREED
from .dtypes import DType
from .in_place import become_leaves, gradients_of
from .reductions import total
from .scalar import Tensor
from .session import Session
from .tensor_array import GradientList, Leaves, TensorArray

NOT_RECORDED = "element 0 of tensors does not require grad and does not have a grad_fn"


def is_recorded(x: Any) -> bool:
    """requires_grad"""
    return bool(x.requires_grad)


def backward(session: Session, x: Any, gradient: Any = None, *, retain_graph: bool = False) -> None:
    """A pass from `x`, or from Σ x·gradient. Raises RuntimeError as PyTorch does."""
    if not is_recorded(x):
        raise RuntimeError(NOT_RECORDED)
    run(session, weighted(session, x, gradient), retain_graph=retain_graph)


def run(session: Session, output: Any, *, retain_graph: bool) -> None:
    """A pass from one element. Raises RuntimeError as PyTorch does."""
    if not isinstance(output, Tensor):
        raise RuntimeError(NOT_RECORDED)
    order: list[Any] = list(topological_order(output))
    session.count = 0
    if blocks.has_block(order):
        order = blocks.nodes_below(output)
        saved.check(order)
        hooks.prepare(session)
        blocks.run(order, retain_graph=retain_graph)
        _hand_out(session, order)
        return
    if any(isinstance(value, Tensor) and value.freed for value in order):
        raise RuntimeError(FREED)
    saved.check(order)
    hooks.prepare(session)
    session.machine.backward(output, retain_graph=retain_graph)
    _hand_out(session, order)


def _hand_out(session: Session, order: Sequence[Any]) -> None:
    values = [node for node in order if isinstance(node, Tensor) and node.recorded]
    for value in values:
        value.reached = True
    hooks.hand_out(session, values)


def weighted(session: Session, x: Any, gradient: Any = None) -> Any:
    """Σ xᵢ·gᵢ, whose gradients are those of a pass from x with the gradient g; x without one."""
    array = session.array(x)
    if gradient is None:
        if array.size != 1:
            raise RuntimeError("grad can be implicitly created only for scalar outputs")
        return array.cells()[0]
    weights = session.array(gradient)
    if weights.shape != array.shape:
        raise RuntimeError(
            f"Mismatch in shape: grad_output[0] has a shape of {_size(weights)} and output[0] has "
            f"a shape of {_size(array)}."
        )
    terms = [
        session.apply(OPS["*"], array.dtype, cell, weight)
        for cell, weight in zip(array.cells(), weights.numbers(), strict=True)
    ]
    return total(session, terms, array.dtype)


def _size(array: TensorArray) -> str:
    return f"torch.Size({list(array.shape)})"


def gradient(session: Session, x: Any) -> TensorArray | None:
    """x.grad: None before the first pass, and for interior tensors that do not retain theirs."""
    array = session.array(x)
    if not array.requires_grad:
        return array.gradient
    if array.block is not None:
        kept = array.block.kept
        if kept is None:
            return None
        return TensorArray(session, from_items(kept[:], array.shape), array.dtype)
    if not any(value.reached and (array.is_leaf or value.retains) for value in array.values()):
        return None
    if array.gradient is None:
        array.gradient = gradients_of(array)
    return array.gradient


def set_gradient(session: Session, x: Any, value: Any) -> None:
    """`x.grad = value`, a tensor of the same shape or None."""
    array = session.array(x)
    if value is None:
        forget(array)
        return
    new = session.array(value)
    if new.shape != array.shape:
        raise RuntimeError(
            f"attempting to assign a gradient of size '{list(new.shape)}' to a tensor of size "
            f"'{list(array.shape)}'. Please ensure that the gradient and the tensor are the same "
            "size"
        )
    if not array.requires_grad:
        array.gradient = new
        return
    numbers = new.numbers()
    forget(array)
    for cell, number in zip(array.grid.items(), numbers, strict=True):
        if isinstance(cell, Tensor):
            cell.grad, cell.reached = cell.rounded(float(number)), True


def forget(array: TensorArray) -> None:
    """Gradients of None; tensors that hold the former ones keep their numbers."""
    if array.gradient is not None and isinstance(array.gradient.grid.flat, GradientList):
        array.gradient.grid.flat.freeze()
    array.gradient = None
    for value in array.values():
        value.grad, value.reached = 0.0, False


def reset(session: Session, x: Any, *, to_none: bool = True) -> None:
    """What `zero_grad()` does to one parameter."""
    array = session.array(x)
    if to_none:
        forget(array)
        return
    for value in array.values():
        value.grad = 0.0


def require(session: Session, x: Any, wanted: bool = True) -> Any:
    """requires_grad_(): leaves begin or cease to record gradients."""
    array = session.array(x)
    if array.requires_grad == wanted:
        return x
    if not array.is_leaf:
        raise RuntimeError(ONLY_LEAVES)
    if wanted and array.cell is not None and array.cell.op is None:
        array.requires_grad = array.cell.recorded = True
        array.grid.flat = Leaves(array.grid.flat)
    elif wanted:
        become_leaves(session, array)
    else:
        array.requires_grad = False
        for cell in array.values():
            cell.recorded = False
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
    if array.block is not None:
        array.block.retains = True
        return
    for value in array.values():
        value.retains = True


def leaf(session: Session, number: float, dtype: DType, *, recorded: bool) -> TensorArray:
    """A new tensor of one number, a leaf of the picture."""
    cell = Tensor(number, single=dtype.bits == 32, recorded=recorded)
    session.machine.leaf(cell)
    held: list[Any] = Leaves([cell]) if recorded else [cell]
    return TensorArray(session, from_items(held, ()), dtype, recorded)


def gradients_apart(
    session: Session, output: Any, inputs: Any, retain_graph: bool
) -> tuple[Any, ...]:
    """The gradients of one element for `inputs`; afterwards x.grad is what it was before."""
    cells = [cell for x in inputs for cell in session.array(x).values()]
    held = [(cell.grad, cell.reached, cell.retains) for cell in cells]
    for cell in cells:
        cell.grad, cell.reached, cell.retains = 0.0, False, True
    run(session, output, retain_graph=retain_graph)
    found = []
    for x in inputs:
        grad = gradient(session, x)
        if grad is not None:
            grad = TensorArray(session, from_items(grad.numbers(), grad.shape), grad.dtype)
        found.append(grad)
    for cell, (grad_before, reached, retains) in zip(cells, held, strict=True):
        cell.grad, cell.reached, cell.retains = grad_before, reached, retains
    return tuple(found)
