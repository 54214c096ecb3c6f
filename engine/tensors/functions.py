"""The functions that are methods of tensors and names of torch alike: f(tensor, …)."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

from . import arrangement, products, reductions, softmaxes
from .composed import COMPOSED, expand_as, is_close, repeat
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
)  # fmt: skip
from .selection import SELECTION
from .table_functions import OF_TORCH
from .tensor_array import Size, TensorArray, called
from .whole import record

Function = Callable[..., Any]


def named(table: dict[str, Function]) -> dict[str, Function]:
    """`table`, each function under its own name, which Python's messages on arguments give."""
    for name, function in table.items():
        if "<" in function.__qualname__:  # a closure, or a lambda
            function.__name__ = function.__qualname__ = name
    return table


def _unary(op: str) -> Function:
    return lambda x: elementwise(op, x)


def _binary(op: str) -> Function:
    return lambda x, other: elementwise(op, x, other)


def _scaled(op: str) -> Function:
    """add and sub, whose second operand may be scaled by alpha."""

    def function(x: Any, other: Any, *, alpha: float = 1) -> Any:
        return elementwise(op, x, other if alpha == 1 else elementwise("*", other, alpha))

    return function


def _truths(f: Callable[..., Any]) -> Function:
    """A function of single elements that gives truth values."""
    return lambda *operands: mapped(f, BOOL, *operands)


def _comparison(name: str) -> Function:
    return lambda x, other: mapped(COMPARISONS[name], BOOL, x, other)


def _rounding(name: str, f: Callable[[float], float]) -> Function:
    def stepped(a: Any) -> Any:
        if isinstance(a, int):
            return f(a)
        return math.copysign(f(a), a) if math.isfinite(a) and a else a

    def function(x: Any, decimals: int = 0) -> Any:
        if decimals:
            return function(x * 10.0**decimals) / 10.0**decimals
        return stepwise(stepped, name, x)

    return function


def _sign(x: float) -> float:
    return (x > 0) - (x < 0)


def _clamp(x: Any, min: Any = None, max: Any = None) -> Any:  # noqa: A002
    return clamp(x, min, max)


def masked_fill(x: TensorArray, mask: Any, value: Any) -> Any:
    held = x.session.array(value)
    if not held.requires_grad:  # which the type of x holds
        (value,) = x.dtype.convert(held.numbers())
    return called(cast(where(mask, value, x), x.dtype), "MaskedFillBackward0")


def clone(x: TensorArray) -> Any:
    """A copy; the gradient passes through it unchanged."""
    return record("copy", x.new(x.numbers()), [x], {}, "CloneBackward0", saves=False)


def size(x: TensorArray, dim: int | None = None) -> Any:
    return Size(x.shape) if dim is None else x.shape[arrangement.axis_of(dim, x.ndim)]


def equal(x: TensorArray, other: TensorArray) -> bool:
    return x.shape == other.shape and x.numbers() == other.numbers()


def _of_tensors(name: str) -> Function:
    """An op of two tensors, where PyTorch takes no plain number."""

    def function(x: Any, other: Any) -> Any:
        if not isinstance(other, TensorArray):
            given = type(other).__name__
            raise TypeError(f"{name}(): argument 'other' (position 2) must be Tensor, not {given}")
        return elementwise(name, x, other)

    return function


_OF_OPS = {
    "absolute": "abs", "negative": "neg", "deg2rad": "radians", "rad2deg": "degrees",
    **{name: name for name in (
        "exp", "log", "sqrt", "sin", "cos", "tan", "tanh", "sigmoid", "relu", "abs", "neg", "exp2",
        "expm1", "log1p", "log2", "log10", "sinh", "cosh", "erf", "erfc",
    )},
    **{f"{arc}{name}": f"a{name}" for arc in ("a", "arc") for name in (
        "sin", "cos", "tan", "sinh", "cosh", "tanh",
    )},
}  # fmt: skip
_OTHER_COMPARISONS = {
    "greater": "gt", "greater_equal": "ge", "less": "lt", "less_equal": "le", "not_equal": "ne",
}  # fmt: skip
OF_NUMBERS = frozenset({"pow", "remainder", "xlogy", "isin"})
"""Functions whose first argument may be a plain number."""

FUNCTIONS: dict[str, Function] = with_kernels(named({
    **{name: _unary(op) for name, op in _OF_OPS.items()},
    **{name: _comparison(name) for name in COMPARISONS},
    **{name: _comparison(same) for name, same in _OTHER_COMPARISONS.items()},
    "add": _scaled("+"), "sub": _scaled("-"), "mul": _binary("*"), "multiply": _binary("*"),
    "subtract": _scaled("-"), "pow": _binary("**"), "maximum": _binary("max"),
    "minimum": _binary("min"), "remainder": modulo, "square": lambda x: x**2,
    "reciprocal": lambda x: elementwise("/", 1, x, made_by="ReciprocalBackward0"),
    "rsqrt": lambda x: elementwise("**", x, -0.5, made_by="RsqrtBackward0"),
    "atan2": _of_tensors("atan2"), "arctan2": _of_tensors("atan2"),
    **{name: _rounding(name, f) for name, f in (
        ("floor", math.floor), ("ceil", math.ceil), ("round", round), ("trunc", math.trunc),
        ("sign", _sign), ("sgn", _sign),
    )},
    "positive": lambda x: x, "isnan": _truths(lambda a: a != a),
    "isfinite": _truths(math.isfinite), "isinf": _truths(math.isinf),
    "logical_and": _truths(lambda a, b: bool(a and b)), "logical_not": _truths(operator.not_),
    "logical_or": _truths(lambda a, b: bool(a or b)),
    "logical_xor": _truths(lambda a, b: bool(a) != bool(b)),
    "sum": reductions.sum_of, "mean": reductions.mean, "prod": reductions.product,
    "cumsum": reductions.cumulative, "cumprod": reductions.running_product,
    "var": reductions.variance, "std": reductions.deviation, "norm": reductions.length,
    "max": reductions.extreme("max"), "min": reductions.extreme("min"),
    "amax": reductions.amplitude("amax"), "amin": reductions.amplitude("amin"),
    "argmax": reductions.arg_extreme("argmax"), "argmin": reductions.arg_extreme("argmin"),
    "all": reductions.truth(all), "any": reductions.truth(any), "sort": reductions.sort,
    "softmax": softmaxes.softmax, "log_softmax": softmaxes.log_softmax,
    "logsumexp": softmaxes.logsumexp,
    "matmul": products.matmul, "mm": products.mm, "mv": products.matmul, "dot": products.dot,
    "inner": products.inner, "outer": products.outer, "bmm": products.matmul,
    "reshape": arrangement.reshape, "flatten": arrangement.flatten, "t": arrangement.t,
    "transpose": arrangement.transpose, "permute": arrangement.permute,
    "squeeze": arrangement.squeeze, "unsqueeze": arrangement.unsqueeze,
    "unbind": arrangement.unbind, "clamp": _clamp, "clip": _clamp, "masked_fill": masked_fill,
    "clone": clone, "numel": lambda x: x.size, "equal": equal,
    "allclose": lambda *args, **options: all(is_close(*args, **options).numbers()),
    **OF_TORCH, **SELECTION, **COMPOSED,
}))  # fmt: skip
"""Names of torch that are methods of tensors too."""


def _to(dtype: DType) -> Function:
    return lambda x: cast(x, dtype)


def _contiguous(x: TensorArray, *args: Any) -> Any:
    """A copy in row-major order; the tensor itself if it is in that order."""
    return x if x.grid.is_contiguous else clone(x)


def to(x: TensorArray, *args: Any, **kwargs: Any) -> Any:
    """x.to(dtype), x.to("cpu") or x.to(other)."""
    for arg in (*args, *kwargs.values()):
        if isinstance(arg, DType | TensorArray):
            return cast(x, arg.dtype if isinstance(arg, TensorArray) else arg)
    return x


def type_(x: TensorArray, dtype: Any = None) -> Any:
    """x.type(dtype), or the name of the type: "torch.FloatTensor"."""
    return f"torch.{x.dtype.title}Tensor" if dtype is None else to(x, dtype)


METHODS: dict[str, Function] = named({
    **FUNCTIONS,
    "view": arrangement.view, "expand": arrangement.expand, "repeat": repeat,
    "view_as": lambda x, other: arrangement.view(x, other.shape),
    "reshape_as": lambda x, other: arrangement.reshape(x, other.shape),
    "expand_as": expand_as, "contiguous": _contiguous, "cpu": lambda x, *args, **options: x,
    "size": size, "to": to, "type": type_, "dim": lambda x: x.ndim, "double": _to(FLOAT64),
    "ndimension": lambda x: x.ndim, "nelement": lambda x: x.size,
    "float": _to(FLOAT32), "long": _to(INT64), "int": _to(INT32), "bool": _to(BOOL),
    "type_as": lambda x, other: cast(x, other.dtype),
    "where": lambda x, condition, other: where(condition, x, other),
})  # fmt: skip
"""Methods of tensors that compute new ones."""
