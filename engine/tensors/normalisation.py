"""Normalised tensors, dropout and padding: functions of torch.nn.functional."""

from __future__ import annotations

from operator import eq
from typing import Any

from engine.array_ops.places import padded

from .arrangement import axis_of, expand, get_item, reshape, unsqueeze
from .dtypes import BOOL
from .elementwise import clamp, elementwise, mapped, where
from .in_place import fill
from .reductions import length, mean, sum_of, variance
from .tensor_array import TensorArray, called, tensors
from .whole import by_steps, common_shape, picked, whole


def normalize(x: Any, p: float = 2.0, dim: int = 1, eps: float = 1e-12) -> Any:
    """Vectors along an axis divided by their lengths."""
    axis_of(dim, x.ndim)
    return x / clamp(length(x, p, dim, True), eps, None)


def cosine_similarity(x1: Any, x2: Any, dim: int = 1, eps: float = 1e-8) -> Any:
    """Σx·y / (|x|·|y|) along an axis."""
    shape = common_shape(tensors(x1, x2))
    x1, x2 = (expand(x, shape) for x in (x1, x2))
    one, other = (clamp(length(x, 2, dim), eps, None) for x in (x1, x2))
    return called(sum_of(x1 * x2, dim) / (one * other), "SumBackward1")


def _shape(given: Any) -> tuple[int, ...]:
    return (given,) if isinstance(given, int) else tuple(given)


def layer_norm(
    x: TensorArray, normalized_shape: Any, weight: Any = None, bias: Any = None,
    eps: float = 1e-5,
) -> Any:  # fmt: skip
    """(x − mean)/√(variance + eps) over the last axes, times weight, plus bias."""
    shape = _shape(normalized_shape)
    if x.shape[x.ndim - len(shape) :] != shape:
        raise RuntimeError(
            f"Given normalized_shape={list(shape)}, expected input with shape "
            f"[*, {', '.join(map(str, shape))}], but got input of size{list(x.shape)}"
        )
    dims = tuple(range(x.ndim - len(shape), x.ndim))
    return by_steps(
        "layer_norm", [x, weight, bias], {"count": len(shape), "eps": eps},
        "NativeLayerNormBackward0", lambda x, *scale: scaled(x, dims, eps, *scale),
    )  # fmt: skip


def scaled(
    x: Any, dims: tuple[int, ...], eps: float, weight: Any = None, bias: Any = None
) -> Any:  # fmt: skip
    """Elements normalised over axes, times weight, plus bias, each step rounded."""
    spread = variance(x, dims, False, True) + eps
    found = (x - mean(x, dims, True)) / elementwise("sqrt", spread)
    found = found if weight is None else found * weight
    return found if bias is None else found + bias


def rms_norm(x: Any, normalized_shape: Any, weight: Any = None, eps: Any = None) -> Any:
    """x over the root of its mean square along the last axes, times weight."""
    small = 2.0**-23 if x.dtype.bits == 32 else 2.0**-52
    params = {"count": len(_shape(normalized_shape)), "eps": small if eps is None else eps}
    return whole("rms_norm", [x, weight], params, made_by="MulBackward0")


def instance_norm(
    x: TensorArray, running_mean: Any = None, running_var: Any = None, weight: Any = None,
    bias: Any = None, use_input_stats: bool = True, momentum: float = 0.1, eps: float = 1e-5,
) -> Any:  # fmt: skip
    """Each channel of each sample to mean 0 and variance 1."""
    return whole("group_norm", [x, weight, bias], {"groups": x.shape[1], "eps": eps},
                 made_by="NativeBatchNormBackward0")  # fmt: skip


def by_channel(x: Any, rank: int) -> Any:
    """A number for each channel in a shape that stretches over the axes behind."""
    return x if x is None or rank == 2 else reshape(x, (-1, *(1,) * (rank - 2)))


def batch_norm(
    x: TensorArray, running_mean: Any, running_var: Any, weight: Any = None, bias: Any = None,
    training: bool = False, momentum: float = 0.1, eps: float = 1e-5,
) -> Any:  # fmt: skip
    """Each channel normalised over the batch, or by running statistics, which follow the batch.

    Ioffe and Szegedy 2015.
    """
    rank, channels = x.ndim, x.shape[1]
    if running_mean is not None and running_mean.size != channels:
        raise RuntimeError(
            f"running_mean should contain {channels} elements not {running_mean.size}"
        )
    if not training:
        centre, spread, *scale = (
            by_channel(x, rank) for x in (running_mean, running_var, weight, bias)
        )
        found = (x - centre) / elementwise("sqrt", spread + eps)
        found = found if scale[0] is None else found * scale[0]
        found = found if scale[1] is None else found + scale[1]
        return called(found, "NativeBatchNormBackward0")
    if x.size == channels:
        raise ValueError(
            "Expected more than 1 value per channel when training, got input size "
            f"torch.Size({list(x.shape)})"
        )
    dims = tuple(k for k in range(rank) if k != 1)
    if running_mean is not None:
        batch = x.detached()
        for held, new in ((running_mean, mean(batch, dims)), (running_var, variance(batch, dims))):
            pairs = zip(held.numbers(), new.numbers(), strict=True)
            fill(held, [(1 - momentum) * a + momentum * b for a, b in pairs])
    return by_steps(
        "batch_norm", [x, weight, bias], {"eps": eps}, "NativeBatchNormBackward0",
        lambda x, *scale: scaled(x, dims, eps, *(by_channel(w, rank) for w in scale)),
    )  # fmt: skip


def dropout(x: Any, p: float = 0.5, training: bool = True) -> Any:
    """Each element 0 with probability p, the others divided by 1 − p; in training only."""
    if not 0 <= p <= 1:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
    if not training or p == 0:
        return x
    kept, draw = 1 - p, x.session.generator.double
    drawn = [draw() < kept for _ in range(x.size)]
    mask = x.new(x.dtype.convert([1 / kept if one and kept else 0.0 for one in drawn]))
    return called(x * mask, "MulBackward0")


def pad(x: TensorArray, pad: Any, mode: str = "constant", value: Any = None) -> Any:
    """Constants before and after the last axes: (left, right, top, bottom, …)."""
    refuse, widths = x.session.machine.refuse, [int(n) for n in pad]
    if mode != "constant":
        refuse("pad adds constants here.", "Leave mode out.")
    if len(widths) % 2 or len(widths) > 2 * x.ndim:
        refuse("pad takes a pair of lengths for each of the last axes.")
    pairs = list(zip(widths[::2], widths[1::2], strict=True))[::-1]
    both = [(0, 0)] * (x.ndim - len(pairs)) + pairs
    x.session.room(tuple(max(0, n + sum(w)) for n, w in zip(x.shape, both, strict=True)))
    shape, places = padded([x.shape], {"widths": both})
    return picked(x, places, shape, "ConstantPadNdBackward0", 0 if value is None else value)


def embedding(x: TensorArray, weight: TensorArray, padding_idx: int | None = None) -> Any:
    """A row of a table for each index. Raises IndexError for one that is negative or too large.

    The row of padding receives no gradient.
    """
    if any(not 0 <= i < weight.shape[0] for i in x.numbers()):
        raise IndexError("index out of range in self")
    found = get_item(weight, x)
    if padding_idx is not None:
        padding = unsqueeze(mapped(eq, BOOL, x, padding_idx % weight.shape[0]), -1)
        found = where(padding, get_item(weight.detached(), x), found)
    return called(found, "EmbeddingBackward0")


def hardtanh(x: TensorArray, min_val: float = -1.0, max_val: float = 1.0) -> Any:
    limits = (min_val, max_val) if x.dtype.category == 2 else (int(min_val), int(max_val))
    return called(clamp(x, *limits, open=True), "HardtanhBackward0")
