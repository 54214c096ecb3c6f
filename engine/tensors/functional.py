"""Activations and losses of torch.nn.functional that are operations of the table of arrays."""

from __future__ import annotations

from typing import Any

from engine.array_ops.flat import Flat
from engine.array_ops.ops import ARRAY_OPS

from .elementwise import elementwise
from .reductions import mean, sum_of
from .session import Session
from .tensor_array import TensorArray, called
from .whole import by_steps, result_type, whole


def gelu(session: Session, x: Any, approximate: str = "none") -> Any:
    """x·Φ(x), or with "tanh" x/2·(1 + tanh(√(2/π)·(x + 0.044715x³))).

    Hendrycks and Gimpel 2016.
    """
    if approximate == "none":
        return elementwise(session, "gelu", x)
    if approximate != "tanh":
        raise RuntimeError("approximate argument must be either none or tanh.")
    return whole(session, "gelu_tanh", [x])


def leaky_relu(session: Session, x: Any, negative_slope: float = 0.01) -> Any:
    if negative_slope == 0.01:
        return elementwise(session, "leaky_relu", x)
    return whole(session, "leaky", [x], {"slope": negative_slope})


# Losses


def reduced(session: Session, losses: Any, reduction: str, name: str) -> Any:
    """The mean or the sum of losses, or all of them."""
    if reduction not in ("mean", "sum", "none"):
        raise ValueError(f"{reduction} is not a valid value for reduction")
    if reduction == "mean":
        result = mean(session, losses)
    else:
        result = losses if reduction == "none" else sum_of(session, losses)
    return called(result, name)


def _same_size(session: Session, x: Any, target: Any, loss: str) -> None:
    a, b = session.array(x), session.array(target)
    if a.shape != b.shape:
        session.machine.note(
            f"{loss} got a target of size {list(b.shape)} and an input of size {list(a.shape)}; "
            "they are broadcast, as in PyTorch, which warns of it."
        )


def pointwise_loss(
    session: Session, op: str, x: Any, target: Any, reduction: str, name: str, **params: float
) -> Any:
    """A loss of pairs of an element and its target, rounded before they are reduced."""
    dtype = result_type([session.array(x), session.array(target)])

    def compute(a: TensorArray, b: TensorArray) -> Any:
        each = ARRAY_OPS[op].forward(
            [Flat(side.shape, side.numbers()) for side in (a, b)], {**params, "reduction": "none"}
        )
        losses = session.tensor(dtype.convert(each.data), each.shape, dtype)
        return reduced(session, losses, reduction, name)

    return by_steps(session, op, [x, target], {**params, "reduction": reduction}, name, compute)


def mse_loss(session: Session, x: Any, target: Any, reduction: str = "mean") -> Any:
    """(x − target)²"""
    _same_size(session, x, target, "mse_loss")
    name = "MseLossBackward0"

    def compute(a: Any, b: Any) -> Any:
        squares = elementwise(session, "**", elementwise(session, "-", a, b), 2)
        return reduced(session, squares, reduction, name)

    return by_steps(session, "mse_loss", [x, target], {"reduction": reduction}, name, compute)


def smooth_l1_loss(
    session: Session, x: Any, target: Any, reduction: str = "mean", beta: float = 1.0
) -> Any:
    """d²/(2β) for d = |x − target| below β, d − β/2 above."""
    if beta < 0:
        raise ValueError(f"smooth_l1_loss does not support negative values for beta. Got: {beta}")
    return pointwise_loss(session, "smooth_l1_loss", x, target, reduction,
                          "SmoothL1LossBackward0", beta=beta)  # fmt: skip


def huber_loss(
    session: Session, x: Any, target: Any, reduction: str = "mean", delta: float = 1.0
) -> Any:
    """d²/2 for d = |x − target| below δ, δ·(d − δ/2) above (Huber 1964)."""
    if delta <= 0:
        raise RuntimeError("huber_loss does not support non-positive values for delta.")
    return pointwise_loss(session, "huber_loss", x, target, reduction, "HuberLossBackward0",
                          delta=delta)  # fmt: skip


def kl_div(
    session: Session, x: Any, target: Any, reduction: str = "mean", log_target: bool = False
) -> Any:
    """t·(log t − x) for log-probabilities x; 0 where t is 0."""
    _equal_size(session, x, target)
    batch = reduction == "batchmean"
    name = {"mean": "MeanBackward0", "none": "SubBackward0"}.get(reduction, "SumBackward0")
    reduction = "sum" if batch else reduction
    if log_target:
        gap = elementwise(session, "-", target, x)
        losses = elementwise(session, "*", elementwise(session, "exp", target), gap)
        found = reduced(session, losses, reduction, name)
    else:
        found = pointwise_loss(session, "kl_div", x, target, reduction, name)
    rows = session.array(x).shape[0] if session.array(x).shape else 1
    return elementwise(session, "/", found, rows) if batch else found


def l1_loss(session: Session, x: Any, target: Any, reduction: str = "mean") -> Any:
    """|x − target|"""
    _same_size(session, x, target, "l1_loss")
    names = {"mean": "MeanBackward0", "sum": "SumBackward0"}
    name = names.get(reduction, "AbsBackward0")
    return pointwise_loss(session, "l1_loss", x, target, reduction, name)


def _equal_size(session: Session, x: Any, target: Any) -> None:
    array, labels = session.array(x), session.array(target)
    if array.shape != labels.shape:
        raise ValueError(
            f"Using a target size ({_size(labels)}) that is different to the input size "
            f"({_size(array)}) is deprecated. Please ensure they have the same size."
        )


def _size(array: TensorArray) -> str:
    return f"torch.Size({list(array.shape)})"


def binary_cross_entropy(
    session: Session, x: Any, target: Any, reduction: str = "mean", weight: Any = None
) -> Any:
    """−t·log p − (1 − t)·log(1 − p), with logarithms of at least −100, times a weight."""
    if any(not 0 <= p <= 1 for p in session.array(x).numbers()):
        raise RuntimeError("all elements of input should be between 0 and 1")
    _equal_size(session, x, target)
    return _weighted(session, x, target, reduction, weight, "binary_cross_entropy")


def _weighted(
    session: Session, x: Any, target: Any, reduction: str, weight: Any, op: str, **params: float
) -> Any:
    """Losses of pairs, times a weight if there is one, reduced."""
    name = "".join(word.capitalize() for word in op.split("_")) + "Backward0"
    if weight is None:
        return pointwise_loss(session, op, x, target, reduction, name, **params)
    losses = pointwise_loss(session, op, x, target, "none", name, **params)
    return reduced(session, elementwise(session, "*", losses, weight), reduction, name)


def binary_cross_entropy_with_logits(
    session: Session, x: Any, target: Any, reduction: str = "mean", weight: Any = None,
    pos_weight: Any = None,
) -> Any:  # fmt: skip
    """(1 − t)·x + softplus(−x)·(1 + (w − 1)·t), with a weight w of what is positive."""
    a, b = session.array(x), session.array(target)
    if a.shape != b.shape:
        raise ValueError(f"Target size ({_size(b)}) must be the same as input size ({_size(a)})")
    name, params = "BinaryCrossEntropyWithLogitsBackward0", {}
    if pos_weight is not None and session.array(pos_weight).size == 1:
        params = {"pos_weight": float(session.array(pos_weight).numbers()[0])}
    elif pos_weight is not None:
        one = elementwise(session, "-", 1.0, target)
        more = elementwise(session, "*", elementwise(session, "-", pos_weight, 1.0), target)
        factor = elementwise(session, "+", 1.0, more)
        soft = elementwise(session, "softplus", elementwise(session, "neg", x))
        right = elementwise(session, "*", factor, soft)
        losses = elementwise(session, "+", elementwise(session, "*", one, x), right)
        if weight is not None:
            losses = elementwise(session, "*", losses, weight)
        return reduced(session, losses, reduction, name)
    op = "binary_cross_entropy_with_logits"
    return _weighted(session, x, target, reduction, weight, op, **params)
