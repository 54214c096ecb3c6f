"""Normalised tensors, dropout and padding: functions of torch.nn.functional."""

from __future__ import annotations

from typing import Any

from engine.array_ops.places import padded

from .arrangement import axis_of, expand, get_item
from .elementwise import clamp, elementwise
from .reductions import length, mean, sum_of, variance
from .session import Session
from .tensor_array import called
from .whole import by_steps, picked


def normalize(session: Session, x: Any, p: float = 2.0, dim: int = 1, eps: float = 1e-12) -> Any:
    """Vectors along an axis divided by their lengths."""
    axis_of(dim, session.array(x).ndim)
    lengths = clamp(session, length(session, x, dim, True, p), eps, None)
    return called(elementwise(session, "/", x, lengths), "DivBackward0")


def cosine_similarity(session: Session, x1: Any, x2: Any, dim: int = 1, eps: float = 1e-8) -> Any:
    """Σx·y / (|x|·|y|) along an axis."""
    shape = session.common_shape([session.array(x) for x in (x1, x2)])
    x1, x2 = (expand(session, x, shape) for x in (x1, x2))
    products = sum_of(session, elementwise(session, "*", x1, x2), dim)
    lengths = [clamp(session, length(session, x, dim, False), eps, None) for x in (x1, x2)]
    whole = elementwise(session, "*", *lengths)
    return called(elementwise(session, "/", products, whole), "SumBackward1")


def layer_norm(
    session: Session, x: Any, normalized_shape: Any, weight: Any = None, bias: Any = None,
    eps: float = 1e-5,
) -> Any:  # fmt: skip
    """(x − mean)/√(variance + eps) over the last axes, times weight, plus bias."""
    array = session.array(x)
    shape = (normalized_shape,) if isinstance(normalized_shape, int) else tuple(normalized_shape)
    if array.shape[array.ndim - len(shape) :] != shape:
        raise RuntimeError(
            f"Given normalized_shape={list(shape)}, expected input with shape "
            f"[*, {', '.join(map(str, shape))}], but got input of size{list(array.shape)}"
        )
    dims = tuple(range(array.ndim - len(shape), array.ndim))
    return by_steps(
        session, "layer_norm", [x, weight, bias], {"count": len(shape), "eps": eps},
        "NativeLayerNormBackward0",
        lambda x, *scale: scaled(session, x, dims, eps, *scale),
    )  # fmt: skip


def scaled(
    session: Session, x: Any, dims: tuple[int, ...], eps: float, weight: Any = None,
    bias: Any = None,
) -> Any:  # fmt: skip
    """Elements normalised over axes, times weight, plus bias, each step rounded."""
    centred = elementwise(session, "-", x, mean(session, x, dims, True))
    spread = elementwise(session, "+", variance(session, x, dims, True, 0), eps)
    found = elementwise(session, "/", centred, elementwise(session, "sqrt", spread))
    found = found if weight is None else elementwise(session, "*", found, weight)
    return found if bias is None else elementwise(session, "+", found, bias)


def dropout(session: Session, x: Any, p: float = 0.5, training: bool = True) -> Any:
    """Each element 0 with probability p, the others divided by 1 − p; in training only."""
    if not 0 <= p <= 1:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
    if not training or p == 0:
        return x
    array = session.array(x)
    kept = 1 - p
    draws = [session.generator.double() < kept for _ in range(array.size)]
    factors = array.dtype.convert([1 / kept if drawn and kept else 0.0 for drawn in draws])
    mask = session.tensor(factors, array.shape, array.dtype)
    return called(elementwise(session, "*", x, mask), "MulBackward0")


def pad(session: Session, x: Any, pad: Any, mode: str = "constant", value: Any = None) -> Any:
    """Constants before and after the last axes: (left, right, top, bottom, …)."""
    array = session.array(x)
    if mode != "constant":
        session.machine.refuse("pad adds constants here.", "Leave mode out.")
    widths = [int(n) for n in pad]
    if len(widths) % 2 or len(widths) > 2 * array.ndim or min(widths, default=0) < 0:
        session.machine.refuse("pad takes a pair of lengths for each of the last axes.")
    pairs = list(zip(widths[::2], widths[1::2], strict=True))[::-1]
    params = {"widths": [(0, 0)] * (array.ndim - len(pairs)) + pairs}
    session.room(
        tuple(n + sum(width) for n, width in zip(array.shape, params["widths"], strict=True))
    )
    shape, places = padded([array.shape], params)
    fill = 0 if value is None else value
    return picked(session, array, places, shape, "ConstantPadNdBackward0", fill)


def embedding(session: Session, input: Any, weight: Any) -> Any:  # noqa: A002 - PyTorch's name
    """A row of a table for each index. Raises IndexError for one that is negative or too large."""
    index = session.array(input)
    if any(not 0 <= i < weight.shape[0] for i in index.numbers()):
        raise IndexError("index out of range in self")
    return called(get_item(session, weight, index), "EmbeddingBackward0")


def hardtanh(session: Session, x: Any, min_val: float = -1.0, max_val: float = 1.0) -> Any:
    if session.array(x).dtype.category < 2:
        min_val, max_val = int(min_val), int(max_val)
    return called(clamp(session, x, min_val, max_val, open=True), "HardtanhBackward0")
