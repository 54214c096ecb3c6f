"""Activations and losses of torch.nn.functional that are not single ops."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from engine.ops import OPS

from . import blocks
from .elementwise import composed, elementwise
from .reductions import mean, numbers_of, sum_of
from .session import Session
from .tensor_array import TensorArray, called


class _Cells:
    """Ops on the elements of one tensor's type."""

    def __init__(self, session: Session, array: TensorArray) -> None:
        self.session, self.dtype = session, array.dtype

    def __call__(self, name: str, *cells: Any) -> Any:
        return self.session.apply(OPS[name], self.dtype, *cells)


def gelu(session: Session, x: Any, approximate: str = "none") -> Any:
    """x·Φ(x), or with "tanh" x/2·(1 + tanh(√(2/π)·(x + 0.044715x³))).

    Hendrycks and Gimpel 2016.
    """
    if approximate == "none":
        return elementwise(session, "gelu", x)
    if approximate != "tanh":
        raise RuntimeError("approximate argument must be either none or tanh.")
    op = _Cells(session, session.array(x))

    def approximated(cell: Any) -> Any:
        cubic = op("+", cell, op("*", op("**", cell, 3.0), 0.044715))
        bent = op("tanh", op("*", cubic, math.sqrt(2 / math.pi)))
        return op("*", op("*", cell, 0.5), op("+", bent, 1.0))

    return composed(session, x, approximated, "GeluBackward0", "gelu_tanh")


def leaky_relu(session: Session, x: Any, negative_slope: float = 0.01) -> Any:
    if negative_slope == 0.01:
        return elementwise(session, "leaky_relu", x)
    op = _Cells(session, session.array(x))

    def leaking(cell: Any) -> Any:
        below = op("*", op("relu", op("neg", cell)), negative_slope)
        return op("-", op("relu", cell), below)

    return composed(session, x, leaking, "LeakyReluBackward0", "leaky", slope=negative_slope)


def elu(session: Session, x: Any, alpha: float = 1.0) -> Any:
    """x above 0, α(e^x − 1) below."""
    op = _Cells(session, session.array(x))

    def bent(cell: Any) -> Any:
        if numbers_of([cell])[0] > 0:
            return op("*", cell, 1.0)
        return op("*", op("-", op("exp", cell), 1.0), alpha)

    return composed(session, x, bent, "EluBackward0", "elu", alpha=alpha)


def log_sigmoid(session: Session, x: Any) -> Any:
    """−softplus(−x)"""
    op = _Cells(session, session.array(x))
    return composed(
        session, x, lambda cell: op("neg", op("softplus", op("neg", cell))), "LogSigmoidBackward0",
        "logsigmoid",
    )  # fmt: skip


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


def mse_loss(session: Session, x: Any, target: Any, reduction: str = "mean") -> Any:
    """(x − target)²"""
    _same_size(session, x, target, "mse_loss")
    squares = elementwise(session, "**", elementwise(session, "-", x, target), 2)
    return reduced(session, squares, reduction, "MseLossBackward0")


def smooth_l1_loss(
    session: Session, x: Any, target: Any, reduction: str = "mean", beta: float = 1.0
) -> Any:
    """d²/(2β) for d = |x − target| below β, d − β/2 above."""
    if beta < 0:
        raise ValueError(f"smooth_l1_loss does not support negative values for beta. Got: {beta}")
    return _bent(session, x, target, reduction, beta, 1 / beta if beta else 0.0, "SmoothL1Loss")


def huber_loss(
    session: Session, x: Any, target: Any, reduction: str = "mean", delta: float = 1.0
) -> Any:
    """d²/2 for d = |x − target| below δ, δ·(d − δ/2) above (Huber 1964)."""
    if delta <= 0:
        raise RuntimeError("huber_loss does not support non-positive values for delta.")
    return _bent(session, x, target, reduction, delta, 1.0, "HuberLoss")


def _bent(
    session: Session, x: Any, target: Any, reduction: str, bend: float, slope: float, name: str
) -> Any:
    """slope·d²/2 below the bend, a straight line above it."""
    distances = elementwise(session, "abs", elementwise(session, "-", x, target))
    op = _Cells(session, session.array(distances))

    def loss(cell: Any) -> Any:
        if numbers_of([cell])[0] < bend:
            return op("*", op("*", op("**", cell, 2.0), 0.5), slope)
        return op("*", op("-", cell, 0.5 * bend), slope * bend if slope else 1.0)

    losses = composed(session, distances, loss, f"{name}Backward0")
    return reduced(session, losses, reduction, f"{name}Backward0")


def kl_div(
    session: Session, x: Any, target: Any, reduction: str = "mean", log_target: bool = False
) -> Any:
    """t·(log t − x) for log-probabilities x; 0 where t is 0."""
    op = _Cells(session, session.array(x))

    def loss(cell: Any, label: Any) -> Any:
        if log_target:
            return op("*", op("exp", label), op("-", label, cell))
        if numbers_of([label])[0] <= 0:
            return op("+", op("*", cell, 0.0), 0.0)  # 0, not -0
        return op("*", label, op("-", op("log", label), cell))

    batch = reduction == "batchmean"
    found = _paired(
        session, x, target, loss, "sum" if batch else reduction,
        {"mean": "MeanBackward0", "none": "SubBackward0"}.get(reduction, "SumBackward0"),
    )  # fmt: skip
    rows = session.array(x).shape[0] if session.array(x).shape else 1
    return elementwise(session, "/", found, rows) if batch else found


def l1_loss(session: Session, x: Any, target: Any, reduction: str = "mean") -> Any:
    """|x − target|"""
    _same_size(session, x, target, "l1_loss")
    distances = elementwise(session, "abs", elementwise(session, "-", x, target))
    names = {"mean": "MeanBackward0", "sum": "SumBackward0"}
    return reduced(session, distances, reduction, names.get(reduction, "AbsBackward0"))


def _paired(
    session: Session, x: Any, target: Any, f: Callable[..., Any], reduction: str, name: str,
    op: str = "",
) -> Any:  # fmt: skip
    """`f` of pairs of an element and its target, reduced; `op` is it in the table of arrays."""
    array, labels = session.array(x), session.array(target)
    if array.shape != labels.shape:
        raise ValueError(
            f"Using a target size ({_size(labels)}) that is different to the input size "
            f"({_size(array)}) is deprecated. Please ensure they have the same size."
        )
    found = op and blocks.of_large(
        session, op, [array, labels], {"reduction": reduction}, name,
        lambda a, b: _paired(session, a, b, f, reduction, name),
    )  # fmt: skip
    if isinstance(found, TensorArray):
        return found
    pairs = zip(session.cells(array), session.cells(labels), strict=True)
    items = [f(cell, label) for cell, label in pairs]
    losses = session.tensor(items, array.shape, array.dtype, name * session.is_live(array, labels))
    return reduced(session, losses, reduction, name)


def _size(array: TensorArray) -> str:
    return f"torch.Size({list(array.shape)})"


def binary_cross_entropy(
    session: Session, x: Any, target: Any, reduction: str = "mean", weight: Any = None
) -> Any:
    """−t·log p − (1 − t)·log(1 − p), with logarithms of at least −100, times a weight."""
    op = _Cells(session, session.array(x))
    if any(not 0 <= p <= 1 for p in session.array(x).numbers()):
        raise RuntimeError("all elements of input should be between 0 and 1")

    def limited(p: Any) -> Any:
        return -100.0 if numbers_of([p])[0] == 0 else op("log", p)

    def loss(p: Any, label: Any) -> Any:
        wrong = op("*", op("-", label, 1.0), limited(op("-", 1.0, p)))
        return op("-", wrong, op("*", label, limited(p)))

    return _weighted(session, x, target, loss, reduction, weight, "binary_cross_entropy")


def _weighted(
    session: Session, x: Any, target: Any, loss: Callable[..., Any], reduction: str, weight: Any,
    op: str,
) -> Any:  # fmt: skip
    """Losses of pairs, times a weight if there is one, reduced."""
    name = "".join(word.capitalize() for word in op.split("_")) + "Backward0"
    if weight is None:
        return _paired(session, x, target, loss, reduction, name, op)
    losses = _paired(session, x, target, loss, "none", name)
    return reduced(session, elementwise(session, "*", losses, weight), reduction, name)


def binary_cross_entropy_with_logits(
    session: Session, x: Any, target: Any, reduction: str = "mean", weight: Any = None,
    pos_weight: Any = None,
) -> Any:  # fmt: skip
    """(1 − t)·x + softplus(−x)·(1 + (w − 1)·t), with a weight w of what is positive."""
    op = _Cells(session, session.array(x))
    a, b = session.array(x), session.array(target)
    if a.shape != b.shape:
        raise ValueError(f"Target size ({_size(b)}) must be the same as input size ({_size(a)})")
    name = "BinaryCrossEntropyWithLogitsBackward0"
    if pos_weight is not None:
        one = elementwise(session, "-", 1.0, target)
        more = elementwise(session, "*", elementwise(session, "-", pos_weight, 1.0), target)
        factor = elementwise(session, "+", 1.0, more)
        soft = elementwise(session, "softplus", elementwise(session, "neg", x))
        right = elementwise(session, "*", factor, soft)
        losses = elementwise(session, "+", elementwise(session, "*", one, x), right)
        if weight is not None:
            losses = elementwise(session, "*", losses, weight)
        return reduced(session, losses, reduction, name)

    def loss(cell: Any, label: Any) -> Any:
        return op("+", op("*", op("-", 1.0, label), cell), op("softplus", op("neg", cell)))

    op_name = "binary_cross_entropy_with_logits"
    return _weighted(session, x, target, loss, reduction, weight, op_name)
