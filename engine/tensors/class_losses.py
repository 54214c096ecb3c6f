"""Losses of classes: nll_loss and cross_entropy, with weights of classes and rows left out."""

from __future__ import annotations

from typing import Any

from engine.ops import OPS

from . import blocks
from .arrangement import permute, reshape
from .dtypes import BOOL
from .elementwise import elementwise
from .functional import reduced
from .reductions import sum_of, total
from .session import Session
from .softmaxes import log_softmax
from .tensor_array import TensorArray, called
from .whole import whole

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
    classes, live = array.shape[-1], session.is_live(array)
    weights = _weights(session, weight, classes)
    params = {"weight": weights, "ignore_index": ignore_index, "reduction": reduction}
    if all(k == ignore_index or 0 <= k < classes for k in labels.numbers()):
        found = blocks.of_large(
            session, "nll_loss", [array, labels], params, "NllLossBackward0",
            lambda a, b: nll_loss(session, a, b, weight, ignore_index, reduction),
        )  # fmt: skip
        if found is not None:
            return found
    cells, losses, given = session.cells(array), [], []
    for row, label in enumerate(labels.numbers()):
        if label == ignore_index:
            losses.append(0.0)
            continue
        if not 0 <= label < classes:
            raise IndexError(f"Target {label} is out of bounds.")
        loss = session.apply(OPS["neg"], array.dtype, cells[row * classes + label])
        if weights is not None:
            loss = session.apply(OPS["*"], array.dtype, loss, weights[label])
        losses.append(loss)
        given.append(1 if weights is None else weights[label])
    name = "NllLossBackward0" * live
    if reduction == "none":
        return session.tensor(losses, labels.shape, array.dtype, name)
    loss = losses[0] if len(losses) == 1 else total(session, losses, array.dtype)
    if reduction == "mean" and (labels.shape or weights is not None or not given):
        loss = session.apply(OPS["/"], array.dtype, loss, sum(given))
    return session.tensor([loss], (), array.dtype, name)


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
    if weight is not None and (label_smoothing or labels.dtype.category == 2):
        given = labels.dtype.category == 2
        classes = array.shape[1 if array.ndim > 1 else 0]
        for label in [] if given else labels.numbers():
            if label != ignore_index and not 0 <= label < classes:
                raise IndexError(f"Target {label} is out of bounds.")
        axis = 1 if array.ndim > 1 else 0
        return whole(session, "nll_loss", [log_softmax(session, x, axis), target], {
            "weight": _weights(session, weight, array.shape[axis]),
            "ignore_index": ignore_index, "reduction": reduction,
            "label_smoothing": label_smoothing, "probabilities": given,
        }, made_by="DivBackward1" if given else "AddBackward0")  # fmt: skip
    if array.ndim > 2:  # classes stand along axis 1
        return _by_places(session, x, target, weight, ignore_index, reduction, label_smoothing)
    logs = log_softmax(session, x, -1)
    if labels.shape == array.shape and labels.dtype.category == 2:
        return _of_probabilities(
            session, logs, _smoothed(session, target, label_smoothing), reduction
        )
    losses = nll_loss(session, logs, target, weight, ignore_index, reduction)
    if not label_smoothing:
        return losses
    if ignore_index in labels.numbers():
        message = "Label smoothing leaves out no rows here."
        session.machine.refuse(message, "Leave out ignore_index=.")
    spread = elementwise(session, "neg", sum_of(session, logs, -1))
    spread = reduced(session, spread, reduction, "")
    share = label_smoothing / array.shape[-1]
    kept = elementwise(session, "*", losses, 1 - label_smoothing)
    return elementwise(session, "+", kept, elementwise(session, "*", spread, share))


def _by_places(
    session: Session,
    x: Any,
    target: Any,
    weight: Any,
    ignored: int,
    reduction: str,
    smoothing: float,
) -> Any:
    """Losses where each example has several places, each with its scores along axis 1."""
    array, labels = session.array(x), session.array(target)
    order = [0, *range(2, array.ndim), 1]
    scores = reshape(session, permute(session, x, order), (-1, array.shape[1]))
    if labels.dtype.category == 2:
        wanted = reshape(session, permute(session, target, order), (-1, array.shape[1]))
    else:
        wanted = reshape(session, target, -1)
    wanted_as = "sum" if reduction == "mean" and labels.dtype.category == 2 else reduction
    found = cross_entropy(session, scores, wanted, weight, ignored, wanted_as, smoothing)
    if reduction == "none":
        return reshape(session, found, (array.shape[0], *array.shape[2:]))
    if wanted_as == reduction:
        return called(found, "NllLoss2DBackward0") if labels.dtype.category < 2 else found
    return elementwise(session, "/", found, array.size // array.shape[1], made_by="DivBackward1")


def _smoothed(session: Session, target: Any, smoothing: float) -> Any:
    if not smoothing:
        return target
    share = smoothing / session.array(target).shape[-1]
    return elementwise(session, "+", elementwise(session, "*", target, 1 - smoothing), share)


def _of_probabilities(session: Session, logs: Any, target: Any, reduction: str) -> Any:
    weighted = elementwise(session, "*", logs, target)
    total_of = sum_of(session, weighted, -1 if reduction == "none" else None)
    losses = elementwise(session, "neg", total_of)
    if reduction != "mean":
        return losses
    array = session.array(logs)
    rows = array.shape[0] if array.ndim == 2 else 1
    return elementwise(session, "/", losses, rows, made_by="DivBackward1")
