"""The functions that are methods of tensors and names of torch alike: f(session, tensor, …)."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from . import (
    arrangement,
    class_losses,
    functional,
    normalisation,
    products,
    reductions,
    softmaxes,
)
from .combinations import COMBINED
from .composed import COMPOSED, expand_as, repeat
from .dtypes import BOOL, FLOAT32, FLOAT64, INT32, INT64, DType
from .elementwise import (
    COMPARISONS,
    cast,
    clamp,
    elementwise,
    mapped,
    modulo,
    stepwise,
    where,
    with_kernels,
)
from .selection import SELECTION
from .session import Session
from .table_functions import OF_TORCH
from .tensor_array import Size, TensorArray, called
from .whole import record

Function = Callable[..., Any]

_ALIASES = {"axis": "dim", "keepdims": "keepdim"}


def in_torch_words(options: dict[str, Any]) -> dict[str, Any]:
    """Options under PyTorch's names, which takes NumPy's for the same."""
    return {_ALIASES.get(name, name): x for name, x in options.items()} if options else options


def _of_tensor(session: Session, x: Any, name: str) -> TensorArray:
    """Raises TypeError for a plain number, as PyTorch does."""
    if not isinstance(x, TensorArray):
        raise TypeError(
            f"{name}(): argument 'input' (position 1) must be Tensor, not {type(x).__name__}"
        )
    return session.array(x)


def _unary(name: str, op: str) -> Function:
    def function(session: Session, input: Any) -> Any:  # noqa: A002 - PyTorch's name
        _of_tensor(session, input, name)
        return elementwise(session, op, input)

    return function


def _named(table: dict[str, Function]) -> dict[str, Function]:
    """`table`, each function under its own name, which Python's messages on arguments give."""
    for name, function in table.items():
        if "<" in function.__qualname__:  # a closure of this module, or a lambda
            function.__name__ = function.__qualname__ = name
    return table


def _binary(op: str) -> Function:
    def function(session: Session, input: Any, other: Any) -> Any:  # noqa: A002
        return elementwise(session, op, input, other)

    return function


def _scaled(op: str) -> Function:
    """add and sub, whose second operand may be scaled by alpha."""

    def function(session: Session, input: Any, other: Any, *, alpha: float = 1) -> Any:  # noqa: A002
        other = other if alpha == 1 else elementwise(session, "*", other, alpha)
        return elementwise(session, op, input, other)

    return function


def _comparison(name: str) -> Function:
    def function(session: Session, input: Any, other: Any) -> Any:  # noqa: A002
        return mapped(session, COMPARISONS[name], BOOL, input, other)

    return function


def _rounding(f: Callable[[float], float], name: str) -> Function:
    def stepped(a: Any) -> Any:
        if isinstance(a, int):
            return f(a)
        return math.copysign(f(a), a) if math.isfinite(a) and a else a

    def function(session: Session, x: Any, decimals: int = 0) -> Any:
        array = _of_tensor(session, x, name)
        if decimals:
            scale = 10.0**decimals
            scaled = elementwise(session, "*", array.detached(), scale)
            return elementwise(session, "/", function(session, scaled), scale)
        return stepwise(session, stepped, name, x)

    return function


def _is(f: Callable[[float], bool]) -> Function:
    return lambda session, x: mapped(session, f, BOOL, x)


def _cell_op(name: str, *before: float, made_by: str, reverse: bool = False) -> Function:
    def function(session: Session, x: Any) -> Any:
        operands = [*before, x] if not reverse else [x, *before]
        return elementwise(session, name, *operands, made_by=made_by)

    return function


def _extreme(largest: bool) -> Function:
    def function(
        session: Session, x: Any, other: Any = None, keepdim: bool = False, *, dim: Any = None
    ) -> Any:
        return reductions.extreme(session, x, other, keepdim, largest=largest, dim=dim)

    return function


def _arg_extreme(largest: bool) -> Function:
    def function(session: Session, x: Any, dim: Any = None, keepdim: bool = False) -> Any:
        if session.array(x).dtype is BOOL:
            name = "argmax" if largest else "argmin"
            raise RuntimeError(f"{name}(): does not support bool input")
        return reductions.arg_extreme(session, x, dim, keepdim, largest=largest)

    return function


def _amplitude(largest: bool) -> Function:
    def function(session: Session, x: Any, dim: Any = None, keepdim: bool = False) -> Any:
        return reductions.amplitude(session, x, dim, keepdim, largest=largest)

    return function


def _truth(every: bool) -> Function:
    def function(session: Session, x: Any, dim: Any = None, keepdim: bool = False) -> Any:
        return reductions.truth(session, x, dim, keepdim, every=every)

    return function


def sum_(
    session: Session, x: Any, dim: Any = None, keepdim: bool = False, *, dtype: DType | None = None
) -> Any:
    x = x if dtype is None else cast(session, x, dtype)
    return reductions.sum_of(session, x, dim, keepdim)


def mean(
    session: Session, x: Any, dim: Any = None, keepdim: bool = False, *, dtype: DType | None = None
) -> Any:
    x = x if dtype is None else cast(session, x, dtype)
    return reductions.mean(session, x, dim, keepdim)


def _spread(f: Function) -> Function:
    def function(
        session: Session,
        x: Any,
        dim: Any = None,
        unbiased: bool = True,
        keepdim: bool = False,
        correction: float | None = None,
    ) -> Any:
        by = (1.0 if unbiased else 0.0) if correction is None else correction
        if isinstance(dim, bool):
            dim, by = None, float(dim)
        return f(session, x, dim, keepdim, by)

    return function


def _clamp(session: Session, x: Any, min: Any = None, max: Any = None) -> Any:  # noqa: A002
    return clamp(session, x, min, max)


def softmax(session: Session, x: Any, dim: int | None = None, dtype: DType | None = None) -> Any:
    x = x if dtype is None else cast(session, x, dtype)
    return softmaxes.softmax(session, x, -1 if dim is None else dim)


def log_softmax(
    session: Session, x: Any, dim: int | None = None, dtype: DType | None = None
) -> Any:
    x = x if dtype is None else cast(session, x, dtype)
    return softmaxes.log_softmax(session, x, -1 if dim is None else dim)


def norm(session: Session, x: Any, p: Any = 2, dim: Any = None, keepdim: bool = False) -> Any:
    dtype = session.array(x).dtype
    if dtype.category < 2:
        raise RuntimeError(
            "linalg.vector_norm: Expected a floating point or complex tensor as input. Got "
            f"{dtype.title}"
        )
    return reductions.length(session, x, dim, keepdim, p)


def masked_fill(session: Session, x: Any, mask: Any, value: Any) -> Any:
    array = session.array(x)
    if not session.array(value).requires_grad:  # which the type of x holds
        (value,) = array.dtype.convert(session.array(value).numbers())
    filled = cast(session, where(session, mask, value, x), array.dtype)
    return called(filled, "MaskedFillBackward0")


def clone(session: Session, x: Any) -> Any:
    """A copy; the gradient passes through it unchanged."""
    array = session.array(x)
    out = session.tensor(array.numbers(), array.shape, array.dtype)
    return record(session, "copy", out, [array], {}, "CloneBackward0", saves=False)


def size(session: Session, x: Any, dim: int | None = None) -> Any:
    shape = session.array(x).shape
    return Size(shape) if dim is None else shape[arrangement.axis_of(dim, len(shape))]


def equal(session: Session, x: Any, other: Any) -> bool:
    a, b = session.array(x), session.array(other)
    return a.shape == b.shape and a.numbers() == b.numbers()


def allclose(session: Session, x: Any, other: Any, rtol: float = 1e-5, atol: float = 1e-8) -> bool:
    def close(a: float, b: float) -> bool:
        return a == b or abs(a - b) <= atol + rtol * abs(b)

    found = mapped(session, close, BOOL, x, other)
    return all(found.numbers())


def sort(session: Session, x: Any, dim: int = -1, descending: bool = False) -> Any:
    values, indices = reductions.ordering(session, x, dim, descending)
    return reductions.Extremes(values, indices, "sort")


def _of_tensors(name: str) -> Function:
    """An op of two tensors, where PyTorch takes no plain number."""

    def function(session: Session, input: Any, other: Any) -> Any:  # noqa: A002
        _of_tensor(session, input, name)
        if not isinstance(other, TensorArray):
            given = type(other).__name__
            raise TypeError(f"{name}(): argument 'other' (position 2) must be Tensor, not {given}")
        return elementwise(session, name, input, other)

    return function


_OF_OPS = {
    "exp": "exp", "log": "log", "sqrt": "sqrt", "sin": "sin", "cos": "cos", "tan": "tan",
    "tanh": "tanh", "sigmoid": "sigmoid", "relu": "relu", "abs": "abs", "absolute": "abs",
    "neg": "neg", "negative": "neg", "deg2rad": "radians", "rad2deg": "degrees",
    **{name: name for name in (
        "exp2", "expm1", "log1p", "log2", "log10", "sinh", "cosh", "erf", "erfc",
    )},
    **{f"{arc}{name}": f"a{name}" for arc in ("a", "arc") for name in (
        "sin", "cos", "tan", "sinh", "cosh", "tanh",
    )},
}  # fmt: skip

FUNCTIONS: dict[str, Function] = with_kernels(_named({
    **{name: _unary(name, op) for name, op in _OF_OPS.items()},
    **{name: _comparison(name) for name in COMPARISONS},
    "add": _scaled("+"), "sub": _scaled("-"), "mul": _binary("*"), "multiply": _binary("*"),
    "subtract": _scaled("-"), "pow": _binary("**"), "maximum": _binary("max"),
    "minimum": _binary("min"), "remainder": modulo, "square": _cell_op(
        "**", 2, made_by="PowBackward0", reverse=True
    ),
    "reciprocal": _cell_op("/", 1, made_by="ReciprocalBackward0"),
    "rsqrt": _cell_op("**", -0.5, made_by="RsqrtBackward0", reverse=True),
    "atan2": _of_tensors("atan2"), "arctan2": _of_tensors("atan2"),
    "floor": _rounding(math.floor, "floor"), "ceil": _rounding(math.ceil, "ceil"),
    "round": _rounding(round, "round"), "trunc": _rounding(math.trunc, "trunc"),
    "sign": _rounding(lambda x: (x > 0) - (x < 0), "sign"),
    "sgn": _rounding(lambda x: (x > 0) - (x < 0), "sgn"),
    "positive": lambda session, x: x,
    "isnan": _is(lambda x: x != x), "isfinite": _is(math.isfinite), "isinf": _is(math.isinf),
    "sum": sum_, "mean": mean, "prod": reductions.product, "cumsum": reductions.cumulative,
    "var": _spread(reductions.variance), "std": _spread(reductions.deviation), "norm": norm,
    "max": _extreme(True), "min": _extreme(False), "amax": _amplitude(True),
    "amin": _amplitude(False), "argmax": _arg_extreme(True), "argmin": _arg_extreme(False),
    "all": _truth(True), "any": _truth(False), "sort": sort,
    "softmax": softmax, "log_softmax": log_softmax, "logsumexp": softmaxes.logsumexp,
    "matmul": products.matmul, "mm": products.mm, "mv": products.matmul, "dot": products.dot,
    "inner": products.inner, "outer": products.outer, "bmm": products.matmul,
    "reshape": arrangement.reshape, "flatten": arrangement.flatten, "t": arrangement.t,
    "transpose": arrangement.transpose, "permute": arrangement.permute,
    "squeeze": arrangement.squeeze, "unsqueeze": arrangement.unsqueeze,
    "unbind": lambda session, x, dim=0: tuple(arrangement.unbind(session, x, dim)),
    "clamp": _clamp, "clip": _clamp, "masked_fill": masked_fill, "clone": clone,
    "numel": lambda session, x: session.array(x).size, "equal": equal, "allclose": allclose,
    **COMBINED, **OF_TORCH, **SELECTION, "cumprod": reductions.running_product, **COMPOSED,
}))  # fmt: skip
"""Names of torch that are methods of tensors too."""


def _to(dtype: DType) -> Function:
    return lambda session, x: cast(session, x, dtype)


def _unchanged(session: Session, x: Any, *args: Any, **kwargs: Any) -> Any:
    return x


def _contiguous(session: Session, x: Any, *args: Any) -> Any:
    """A copy in row-major order; the tensor itself if it is in that order."""
    return x if session.array(x).grid.is_contiguous else clone(session, x)


def to(session: Session, x: Any, *args: Any, **kwargs: Any) -> Any:
    """x.to(dtype) or x.to("cpu")."""
    wanted = [arg for arg in (*args, *kwargs.values()) if isinstance(arg, DType)]
    return cast(session, x, wanted[0]) if wanted else x


def type_(session: Session, x: Any, dtype: Any = None) -> Any:
    """x.type(dtype), or the name of the type: "torch.FloatTensor"."""
    if dtype is None:
        return f"torch.{session.array(x).dtype.title}Tensor"
    return to(session, x, dtype)


METHODS: dict[str, Function] = _named({
    **FUNCTIONS,
    "view": arrangement.view, "expand": arrangement.expand, "repeat": repeat,
    "view_as": lambda session, x, other: arrangement.view(session, x, session.array(other).shape),
    "reshape_as": lambda session, x, other: arrangement.reshape(
        session, x, session.array(other).shape
    ),
    "expand_as": expand_as, "contiguous": _contiguous, "cpu": _unchanged,
    "size": size, "to": to, "type": type_,
    "dim": lambda session, x: session.array(x).ndim, "double": _to(FLOAT64),
    "ndimension": lambda session, x: session.array(x).ndim,
    "nelement": lambda session, x: session.array(x).size,
    "float": _to(FLOAT32), "long": _to(INT64), "int": _to(INT32), "bool": _to(BOOL),
    "type_as": lambda session, x, other: cast(session, x, session.array(other).dtype),
    "where": lambda session, x, condition, other: where(session, condition, x, other),
})  # fmt: skip
"""Methods of tensors that compute new ones."""

ACTIVATIONS: dict[str, Function] = with_kernels(_named({
    "gelu": functional.gelu, "leaky_relu": functional.leaky_relu, "silu": _unary("silu", "silu"),
    "softplus": _unary("softplus", "softplus"), "linear": products.linear,
    "normalize": normalisation.normalize, "cosine_similarity": normalisation.cosine_similarity,
    "layer_norm": normalisation.layer_norm, "dropout": normalisation.dropout,
    "pad": normalisation.pad, "embedding": normalisation.embedding,
    "hardtanh": normalisation.hardtanh,
}))  # fmt: skip
LOSSES: dict[str, Function] = {
    "mse_loss": functional.mse_loss, "l1_loss": functional.l1_loss,
    "cross_entropy": class_losses.cross_entropy, "nll_loss": class_losses.nll_loss,
    "binary_cross_entropy": functional.binary_cross_entropy,
    "binary_cross_entropy_with_logits": functional.binary_cross_entropy_with_logits,
    "smooth_l1_loss": functional.smooth_l1_loss, "huber_loss": functional.huber_loss,
    "kl_div": functional.kl_div,
}  # fmt: skip
"""Names of torch.nn.functional."""
