"""Losses of classes: nll_loss and cross_entropy, with weights of classes and rows left out."""

from __future__ import annotations

from typing import Any

from engine.array_ops.flat import Flat, Misfit
from engine.array_ops.ops import ARRAY_OPS

from .dtypes import BOOL
from .elementwise import elementwise
from .reductions import sum_of
from .session import Session
from .softmaxes import log_softmax
from .tensor_array import TensorArray
from .whole import by_steps

IGNORED = -100
"""The class of rows that are left out, as PyTorch has it."""


def nll_loss(
    session: Session,
    x: Any,
    target: Any,
    weight: Any = None,
    ignore_index: int = IGNORED,
    reduction: str = "mean",
) -> Any:
    """Minus the log-probability of each row's class, times its weight.

    The mean is over the weights of the rows that are not left out.
    """
    array, labels = session.array(x), session.array(target)
    _check_classes(array, labels)
    params = {
        "weight": _weights(session, weight, array.shape[-1]), "ignore_index": ignore_index,
        "reduction": reduction, "axis": array.ndim - 1,
    }  # fmt: skip
    return _by_class(session, "nll_loss", array, labels, params, "NllLossBackward0", lambda x: x)


def _by_class(
    session: Session, op: str, array: TensorArray, labels: TensorArray, params: dict[str, Any],
    name: str, logs: Any,
) -> Any:  # fmt: skip
    """A loss by class, of the log-probabilities `logs(x)`: rounded by row, then reduced."""

    def compute(x: TensorArray, t: TensorArray) -> Any:
        given = [Flat(side.shape, side.numbers()) for side in (logs(x), t)]
        each = ARRAY_OPS["nll_loss"].forward(given, {**params, "reduction": "none"})
        losses = session.tensor(array.dtype.convert(each.data), each.shape, array.dtype)
        if params["reduction"] == "none":
            return losses
        total = sum_of(session, losses)
        if params["reduction"] == "sum":
            return total
        return elementwise(session, "/", total, _divisor(t, params, losses.size))

    try:
        return by_steps(session, op, [array, labels], params, name, compute)
    except Misfit as misfit:
        words = misfit.of_torch
        raise (IndexError if words.startswith("Target") else ValueError)(words) from None


def _divisor(labels: TensorArray, params: dict[str, Any], rows: int) -> float:
    """What the mean is over: the weights of the rows that are not left out."""
    weight = params["weight"]
    if params.get("probabilities"):
        return rows
    kept = [int(k) for k in labels.numbers() if k != params["ignore_index"]]
    return len(kept) if weight is None else sum(weight[k] for k in kept)


def _weights(session: Session, weight: Any, classes: int) -> list[float] | None:
    """The number of each class. Raises RuntimeError if they are not as many."""
    if weight is None:
        return None
    found = session.array(weight)
    if found.shape != (classes,):
        raise RuntimeError(
            f"weight tensor should be defined either for all {classes} classes or no classes but "
            f"got weight tensor of shape: {list(found.shape)}"
        )
    return [float(x) for x in found.numbers()]


def _check_classes(array: TensorArray, labels: TensorArray) -> None:
    if array.ndim not in (1, 2):
        raise ValueError(f"Expected 1 or 2 dimensions (got {array.ndim})")
    rows = array.shape[0] if array.ndim == 2 else 1
    if labels.size != rows or labels.ndim != array.ndim - 1:
        given = labels.shape[0] if labels.shape else 1
        raise ValueError(
            f"Expected input batch_size ({rows}) to match target batch_size ({given})."
        )
    if labels.dtype.category == 2 or labels.dtype is BOOL:
        raise RuntimeError(
            f"expected target dtype to be Long or Byte, but got {labels.dtype.title}"
        )


def cross_entropy(
    session: Session,
    x: Any,
    target: Any,
    weight: Any = None,
    ignore_index: int = IGNORED,
    reduction: str = "mean",
    label_smoothing: float = 0.0,
) -> Any:
    """nll_loss(log_softmax(x)); targets are classes, or probabilities in the shape of x.

    With label smoothing ε, the target is 1 − ε at the class plus ε spread over all classes
    (Szegedy et al. 2016).
    """
    array, labels = session.array(x), session.array(target)
    if not array.shape:
        raise IndexError("Dimension out of range (expected to be in range of [-1, 0], but got 1)")
    if not 0 <= label_smoothing <= 1:
        raise RuntimeError(
            f"label_smoothing must be between 0.0 and 1.0. Got: {float(label_smoothing)}"
        )
    if reduction not in ("mean", "sum", "none"):
        raise ValueError(f"{reduction} is not a valid value for reduction")
    axis = 1 if array.ndim > 1 else 0
    given = labels.shape == array.shape and labels.dtype.category == 2
    if not given and array.ndim < 3:
        _check_classes(array, labels)
    params = {
        "weight": _weights(session, weight, array.shape[axis]), "ignore_index": ignore_index,
        "reduction": reduction, "label_smoothing": label_smoothing, "probabilities": given,
        "axis": axis,
    }  # fmt: skip
    name = "NllLossBackward0" if array.ndim < 3 else "NllLoss2DBackward0"
    if given:
        name = "NegBackward0" if reduction != "mean" else "DivBackward1"
    elif label_smoothing:
        name = "AddBackward0"
    return _by_class(session, "cross_entropy", array, labels, params, name,
                     lambda x: log_softmax(session, x, axis))  # fmt: skip
