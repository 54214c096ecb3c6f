"""Normalised tensors, dropout and padding: functions of torch.nn.functional."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.array_ops import folding
from engine.array_ops.grid import from_items
from engine.ops import OPS

from . import blocks
from .arrangement import axis_of, expand, get_item
from .elementwise import clamp, composed, elementwise
from .reductions import mean, root, sum_of, variance
from .session import Session
from .tensor_array import TensorArray, called
from .whole import whole


def length(session: Session, x: Any, dim: Any, keepdim: bool, p: Any = 2) -> Any:
    """√Σx² along an axis, or Σ|x| for p = 1."""
    if p == 1:
        found = sum_of(session, elementwise(session, "abs", x), dim, keepdim)
        return called(found, "LinalgVectorNormBackward0")
    if p not in (2, "fro"):
        if p <= 0:
            session.machine.refuse("Norms are those of p > 0 here.", "Write x.norm().")
        given = {} if dim is None else {"axes": (dim,) if isinstance(dim, int) else tuple(dim)}
        return whole(session, "norm", [x], {"p": float(p), "keepdims": keepdim, **given})
    squares = sum_of(session, elementwise(session, "**", x, 2), dim, keepdim)
    return root(session, squares, "LinalgVectorNormBackward0")


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
    return scaled(session, x, dims, weight, bias, eps, "NativeLayerNormBackward0")


def scaled(
    session: Session, x: Any, dims: tuple[int, ...], weight: Any, bias: Any, eps: float, name: str
) -> Any:
    """Elements normalised over axes, times weight, plus bias."""
    centred = elementwise(session, "-", x, mean(session, x, dims, True))
    spread = elementwise(session, "+", variance(session, x, dims, True, 0), eps)
    found = elementwise(session, "/", centred, elementwise(session, "sqrt", spread))
    if weight is not None:
        found = elementwise(session, "*", found, weight)
    if bias is not None:
        found = elementwise(session, "+", found, bias)
    return called(found, name)


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
    mask = TensorArray(session, from_items(factors, array.shape), array.dtype)
    return called(elementwise(session, "*", x, mask), "MulBackward0")


def pad(session: Session, x: Any, pad: Any, mode: str = "constant", value: Any = None) -> Any:
    """Constants before and after the last axes: (left, right, top, bottom, …)."""
    array = session.array(x)
    if mode != "constant":
        session.machine.refuse("pad adds constants here.", "Leave mode out.")
    widths = [int(n) for n in pad]
    if len(widths) % 2 or len(widths) > 2 * array.ndim or min(widths, default=0) < 0:
        session.machine.refuse("pad takes a pair of lengths for each of the last axes.")
    (fill,) = array.dtype.convert([0 if value is None else value])
    pairs = list(zip(widths[::2], widths[1::2], strict=True))[::-1]
    params = {"widths": [(0, 0)] * (array.ndim - len(pairs)) + pairs, "value": fill}
    found = blocks.of_large(
        session, "pad", [array], params, "ConstantPadNdBackward0",
        lambda plain: pad_with(session, plain, pad, mode, value), saves=False,
    )  # fmt: skip
    if found is not None:
        return found
    whole = from_items(session.cells(array), array.shape)
    for k in range(len(widths) // 2):
        before, after = widths[2 * k : 2 * k + 2]
        axis = array.ndim - 1 - k
        shape = list(whole.shape)
        shape[axis] += before + after
        session.room(tuple(shape))
        whole = folding.along(whole, axis, _between([fill] * before, [fill] * after))
    name = "ConstantPadNdBackward0" if session.is_live(array) else ""
    return session.tensor(whole.items(), whole.shape, array.dtype, name)


pad_with = pad


def _between(before: list[Any], after: list[Any]) -> Callable[[list[Any]], list[Any]]:
    return lambda row: before + row + after


def embedding(session: Session, input: Any, weight: Any) -> Any:  # noqa: A002 - PyTorch's name
    """A row of a table for each index."""
    return called(get_item(session, weight, session.array(input)), "EmbeddingBackward0")


def hardtanh(session: Session, x: Any, min_val: float = -1.0, max_val: float = 1.0) -> Any:
    if session.array(x).dtype.category < 2:
        min_val, max_val = int(min_val), int(max_val)
    return called(clamp(session, x, min_val, max_val, open=True), "HardtanhBackward0")


def mish(session: Session, x: Any) -> Any:
    """x·tanh(softplus(x))"""
    bent = elementwise(session, "tanh", elementwise(session, "softplus", x))
    return called(elementwise(session, "*", x, bent), "MishBackward0")


SELU_ALPHA, SELU_SCALE = 1.6732632423543772, 1.0507009873554805  # Klambauer et al. 2017


def selu(session: Session, x: Any) -> Any:
    """s·x above 0, s·α·(eˣ − 1) below."""
    array = session.array(x)

    def cell_of(cell: Any) -> Any:
        number = getattr(cell, "data", cell)

        def op(sign: str, *cells: Any) -> Any:
            return session.apply(OPS[sign], array.dtype, *cells)

        if number > 0:
            return op("*", cell, SELU_SCALE)
        return op("*", op("-", op("exp", cell), 1.0), SELU_SCALE * SELU_ALPHA)

    return composed(session, x, cell_of, "EluBackward0", "selu")
