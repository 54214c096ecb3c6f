"""Losses of torch.nn.functional: of pairs of an element and its target, by class, by distance."""

from __future__ import annotations

from collections.abc import Callable
from operator import eq
from typing import Any

from engine.array_ops.flat import Flat, Misfit
from engine.array_ops.ops import ARRAY_OPS

from .dtypes import BOOL
from .elementwise import cast, clamp, elementwise, mapped, where
from .normalisation import cosine_similarity
from .reductions import length, mean, sum_of
from .softmaxes import log_softmax
from .tensor_array import Size, TensorArray, called, tensors
from .whole import by_steps, result_type

IGNORED = -100
"""The class of rows that are left out, as PyTorch has it."""


def reduced(losses: Any, reduction: str, name: str = "") -> Any:
    """The mean or the sum of losses, or all of them."""
    if reduction not in ("mean", "sum", "none"):
        raise ValueError(f"{reduction} is not a valid value for reduction")
    found = losses
    if reduction != "none":
        found = (mean if reduction == "mean" else sum_of)(losses)
    return called(found, name) if name else found


def _same_size(x: TensorArray, target: TensorArray, loss: str) -> None:
    if x.shape != target.shape:
        x.session.machine.note(
            f"{loss} got a target of size {list(target.shape)} and an input of size "
            f"{list(x.shape)}; they are broadcast, as in PyTorch, which warns of it."
        )


def _equal_size(x: TensorArray, target: TensorArray) -> None:
    if x.shape != target.shape:
        raise ValueError(
            f"Using a target size ({Size(target.shape)}) that is different to the input size "
            f"({Size(x.shape)}) is deprecated. Please ensure they have the same size."
        )


def _pairs(op: str, x: Any, target: Any, reduction: str, name: str, **params: float) -> Any:
    """A loss of pairs of an element and its target, rounded before they are reduced."""
    dtype = result_type(tensors(x, target))

    def compute(a: TensorArray, b: TensorArray) -> Any:
        given = [Flat(side.shape, side.numbers()) for side in (a, b)]
        each = ARRAY_OPS[op].forward(given, {**params, "reduction": "none"})
        return reduced(a.new(dtype.convert(each.data), each.shape, dtype), reduction)

    return by_steps(op, [x, target], {**params, "reduction": reduction}, name, compute)


def mse_loss(x: TensorArray, target: TensorArray, reduction: str = "mean") -> Any:
    """(x − target)²"""
    _same_size(x, target, "mse_loss")
    return by_steps("mse_loss", [x, target], {"reduction": reduction}, "MseLossBackward0",
                    lambda a, b: reduced((a - b) ** 2, reduction))  # fmt: skip


def l1_loss(x: TensorArray, target: TensorArray, reduction: str = "mean") -> Any:
    """|x − target|"""
    _same_size(x, target, "l1_loss")
    names = {"mean": "MeanBackward0", "sum": "SumBackward0"}
    return _pairs("l1_loss", x, target, reduction, names.get(reduction, "AbsBackward0"))


def smooth_l1_loss(x: Any, target: Any, reduction: str = "mean", beta: float = 1.0) -> Any:
    """d²/(2β) for d = |x − target| below β, d − β/2 above."""
    if beta < 0:
        raise ValueError(f"smooth_l1_loss does not support negative values for beta. Got: {beta}")
    return _pairs("smooth_l1_loss", x, target, reduction, "SmoothL1LossBackward0", beta=beta)


def huber_loss(x: Any, target: Any, reduction: str = "mean", delta: float = 1.0) -> Any:
    """d²/2 for d = |x − target| below δ, δ·(d − δ/2) above (Huber 1964)."""
    if delta <= 0:
        raise RuntimeError("huber_loss does not support non-positive values for delta.")
    return _pairs("huber_loss", x, target, reduction, "HuberLossBackward0", delta=delta)


def kl_div(x: Any, target: Any, reduction: str = "mean", log_target: bool = False) -> Any:
    """t·(log t − x) for log-probabilities x; 0 where t is 0."""
    _equal_size(x, target)
    batch = reduction == "batchmean"
    name = {"mean": "MeanBackward0", "none": "SubBackward0"}.get(reduction, "SumBackward0")
    reduction = "sum" if batch else reduction
    if log_target:
        found = reduced(elementwise("exp", target) * (target - x), reduction, name)
    else:
        found = _pairs("kl_div", x, target, reduction, name)
    return found / (x.shape[0] if x.shape else 1) if batch else found


def _weighted(x: Any, target: Any, reduction: str, weight: Any, op: str, **params: float) -> Any:
    """Losses of pairs, times a weight if there is one, reduced."""
    name = "".join(word.capitalize() for word in op.split("_")) + "Backward0"
    if weight is None:
        return _pairs(op, x, target, reduction, name, **params)
    return reduced(_pairs(op, x, target, "none", name, **params) * weight, reduction, name)


def binary_cross_entropy(
    x: TensorArray, target: TensorArray, weight: Any = None, reduction: str = "mean"
) -> Any:  # fmt: skip
    """−t·log p − (1 − t)·log(1 − p), with logarithms of at least −100, times a weight."""
    if any(not 0 <= p <= 1 for p in x.numbers()):
        raise RuntimeError("all elements of input should be between 0 and 1")
    _equal_size(x, target)
    return _weighted(x, target, reduction, weight, "binary_cross_entropy")


def binary_cross_entropy_with_logits(
    x: Any, target: Any, weight: Any = None, reduction: str = "mean",
    pos_weight: Any = None,
) -> Any:  # fmt: skip
    """(1 − t)·x + softplus(−x)·(1 + (w − 1)·t), with a weight w of what is positive."""
    if x.shape != target.shape:
        raise ValueError(
            f"Target size ({Size(target.shape)}) must be the same as input size ({Size(x.shape)})"
        )
    op, name = "binary_cross_entropy_with_logits", "BinaryCrossEntropyWithLogitsBackward0"
    if pos_weight is None or pos_weight.size == 1:
        params = {} if pos_weight is None else {"pos_weight": float(pos_weight.numbers()[0])}
        return _weighted(x, target, reduction, weight, op, **params)
    soft = elementwise("softplus", -x)
    losses = (1.0 - target) * x + (1.0 + (pos_weight - 1.0) * target) * soft
    return reduced(losses if weight is None else losses * weight, reduction, name)


# By class


def _weights(weight: Any, classes: int) -> list[float] | None:
    """The number of each class. Raises RuntimeError if they are not as many."""
    if weight is not None and weight.shape != (classes,):
        raise RuntimeError(
            f"weight tensor should be defined either for all {classes} classes or no classes but "
            f"got weight tensor of shape: {list(weight.shape)}"
        )
    return None if weight is None else [float(x) for x in weight.numbers()]


def _check_classes(x: TensorArray, labels: TensorArray) -> None:
    rows = x.shape[0] if x.ndim == 2 else 1
    if labels.size != rows or labels.ndim != x.ndim - 1:
        given = labels.shape[0] if labels.shape else 1
        raise ValueError(
            f"Expected input batch_size ({rows}) to match target batch_size ({given})."
        )
    if labels.dtype.category == 2 or labels.dtype is BOOL:
        raise RuntimeError(
            f"expected target dtype to be Long or Byte, but got {labels.dtype.title}"
        )


def nll_loss(
    x: TensorArray, target: TensorArray, weight: Any = None,
    ignore_index: int = IGNORED, reduction: str = "mean",
) -> Any:  # fmt: skip
    """Minus the log-probability of each row's class, times its weight.

    The mean is over the weights of the rows that are not left out.
    """
    if x.ndim < 3:
        _check_classes(x, target)
    axis = 1 if x.ndim > 1 else 0
    params = {"weight": _weights(weight, x.shape[axis]), "ignore_index": ignore_index,
              "reduction": reduction, "axis": axis}  # fmt: skip
    name = "NllLossBackward0" if x.ndim < 3 else "NllLoss2DBackward0"
    return _by_class("nll_loss", x, target, params, name, lambda x: x)


def cross_entropy(
    x: TensorArray, target: TensorArray, weight: Any = None,
    ignore_index: int = IGNORED, reduction: str = "mean",
    label_smoothing: float = 0.0,
) -> Any:  # fmt: skip
    """nll_loss(log_softmax(x)); targets are classes, or probabilities in the shape of x.

    With label smoothing ε, the target is 1 − ε at the class plus ε spread over all classes
    (Szegedy et al. 2016).
    """
    if not x.shape:
        raise IndexError("Dimension out of range (expected to be in range of [-1, 0], but got 1)")
    if not 0 <= label_smoothing <= 1:
        raise RuntimeError(
            f"label_smoothing must be between 0.0 and 1.0. Got: {float(label_smoothing)}"
        )
    if reduction not in ("mean", "sum", "none"):
        raise ValueError(f"{reduction} is not a valid value for reduction")
    axis = 1 if x.ndim > 1 else 0
    given = target.shape == x.shape and target.dtype.category == 2
    if not given and x.ndim < 3:
        _check_classes(x, target)
    params = {"weight": _weights(weight, x.shape[axis]), "ignore_index": ignore_index,
              "reduction": reduction, "label_smoothing": label_smoothing, "probabilities": given,
              "axis": axis}  # fmt: skip
    name = "NllLossBackward0" if x.ndim < 3 else "NllLoss2DBackward0"
    if given:
        name = "NegBackward0" if reduction != "mean" else "DivBackward1"
    elif label_smoothing:
        name = "AddBackward0"
    return _by_class("cross_entropy", x, target, params, name, lambda x: log_softmax(x, axis))


def _by_class(
    op: str, x: TensorArray, labels: TensorArray, params: dict[str, Any], name: str,
    logs: Callable[[Any], Any],
) -> Any:  # fmt: skip
    """A loss by class, of the log-probabilities `logs(x)`: rounded by row, then reduced."""

    def compute(a: TensorArray, t: TensorArray) -> Any:
        given = [Flat(side.shape, side.numbers()) for side in (logs(a), t)]
        each = ARRAY_OPS["nll_loss"].forward(given, {**params, "reduction": "none"})
        losses = a.new(a.dtype.convert(each.data), each.shape)
        if params["reduction"] == "none":
            return losses
        total = sum_of(losses)
        return total if params["reduction"] == "sum" else total / _divisor(t, params, losses.size)

    try:
        return by_steps(op, [x, labels], params, name, compute)
    except Misfit as misfit:
        words = misfit.of_torch
        raise (IndexError if words.startswith("Target") else ValueError)(words) from None


def _divisor(labels: TensorArray, params: dict[str, Any], rows: int) -> float:
    """What the mean is over: the weights of the rows that are not left out."""
    if params.get("probabilities"):
        return rows
    kept = [int(k) for k in labels.numbers() if k != params["ignore_index"]]
    weight = params["weight"]
    return len(kept) if weight is None else sum(weight[k] for k in kept)


# Written with other functions


def _limited(x: Any) -> Any:
    """max(x, 0), where PyTorch passes a gradient at 0."""
    return clamp(x, 0, None)


def hinge_embedding_loss(
    x: Any, target: Any, margin: float = 1.0, reduction: str = "mean"
) -> Any:  # fmt: skip
    """x where the target is 1, max(0, margin − x) where it is −1."""
    apart, alike = (mapped(eq, BOOL, target, sign) for sign in (-1, 1))
    return reduced(where(alike, x, where(apart, _limited(margin - x), 0.0)), reduction)


def margin_ranking_loss(
    input1: Any, input2: Any, target: Any, margin: float = 0.0, reduction: str = "mean"
) -> Any:
    """max(0, −t·(x₁ − x₂) + margin)"""
    return reduced(_limited(-target * (input1 - input2) + margin), reduction)


def gaussian_nll_loss(
    x: Any, target: Any, var: Any, full: bool = False, eps: float = 1e-6,
    reduction: str = "mean",
) -> Any:  # fmt: skip
    """(ln v + (x − t)²/v)/2"""
    spread = clamp(cast(x.session.array(var), x.dtype), eps, None)
    found = (elementwise("log", spread) + (x - target) ** 2 / spread) * 0.5
    return reduced(found + 0.9189385332046727 if full else found, reduction)


def cosine_embedding_loss(
    input1: Any, input2: Any, target: Any, margin: float = 0.0, reduction: str = "mean"
) -> Any:
    """1 − cos where the target is 1, max(0, cos − margin) where it is −1."""
    cosine = cosine_similarity(input1, input2, -1)
    far = _limited(cosine - margin)
    return reduced(where(mapped(eq, BOOL, target, 1), 1.0 - cosine, far), reduction)


def triplet_margin_loss(
    anchor: Any, positive: Any, negative: Any, margin: float = 1.0, p: float = 2,
    eps: float = 1e-6, swap: bool = False, reduction: str = "mean",
) -> Any:  # fmt: skip
    """max(0, |a − p| − |a − n| + margin)"""
    near, far = (length(anchor - other + eps, p, -1) for other in (positive, negative))
    return reduced(_limited(near - far + margin), reduction)


LOSSES: dict[str, Callable[..., Any]] = {f.__name__: f for f in (
    mse_loss, l1_loss, smooth_l1_loss, huber_loss, kl_div, binary_cross_entropy,
    binary_cross_entropy_with_logits, nll_loss, cross_entropy, hinge_embedding_loss,
    margin_ranking_loss, gaussian_nll_loss, cosine_embedding_loss, triplet_margin_loss,
)}  # fmt: skip
"""Names of torch.nn.functional."""
