"""The methods whose name ends in an underscore: they change a tensor where it is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .arrangement import fitted
from .functions import FUNCTIONS, METHODS, named
from .in_place import change, check_changeable, fill, seen, write
from .tensor_array import TensorArray

Function = Callable[..., Any]

_NAMES = (
    "add", "sub", "mul", "div", "pow", "exp", "sqrt", "rsqrt", "tanh", "sigmoid", "relu", "abs",
    "neg", "clamp", "clip", "round", "floor", "ceil", "trunc", "sign", "masked_fill", "sin", "cos",
    "tan", "log", "log1p", "log2", "log10", "exp2", "expm1", "reciprocal", "square", "lerp",
    "addcmul", "addcdiv", "addmm", "remainder", "fmod", "floor_divide", "erf", "tril", "triu",
    "nan_to_num", "clamp_min", "clamp_max", "index_fill", "index_add", "index_copy", "scatter_add",
    "scatter", "cumsum", "cumprod", "logical_not",
)  # fmt: skip


def _changing(function: Function) -> Function:
    return lambda x, *args, **options: change(x, function(x, *args, **options))


def filled(x: TensorArray, value: Any) -> Any:
    new = x.session.array(value)
    if new.shape:
        raise RuntimeError(
            f"fill_ only supports 0-dimension value tensor but got tensor with {new.ndim} "
            "dimensions."
        )
    return copied(x, value, f"FillBackward{2 + int(not new.is_number)}")


def copied(x: TensorArray, other: Any, made_by: str = "CopyBackwards") -> Any:
    """x.copy_(other), broadcast."""
    new = x.session.array(other)
    grid = fitted(new, x.shape)
    check_changeable(x)
    write(x, x.grid, seen(new, grid), made_by)
    return x


def _reshaped(name: str) -> Function:
    """t_, squeeze_ and unsqueeze_: another view of the elements in the same tensor."""

    def method(x: TensorArray, *args: Any) -> Any:
        new = METHODS[name](x, *args)
        if x.is_live:
            x.node = new.node
            x.made_by = f"{name.capitalize()}Backward{3 if name == 'squeeze' else 1}"
        x.grid = new.grid
        return x

    return method


def _drawn(kind: str, a: float, b: float) -> Function:
    """Random numbers; `from` is a word of Python, hence by name in a dict only."""

    def method(x: TensorArray, *args: float, generator: Any = None, **options: float) -> Any:
        low, high = (*args, *(a, b)[len(args) :])
        low = options.get("from", options.get("mean", low))
        high = options.get("to", options.get("std", high))
        draw = getattr(generator or x.session.generator, kind)
        return fill(x, draw(x.size, low, high, single=x.dtype.bits == 32),
                    f"{kind.capitalize()}Backward0")  # fmt: skip

    return method


CHANGES: dict[str, Function] = named({
    **{f"{name}_": _changing(FUNCTIONS[name]) for name in _NAMES},
    "zero_": lambda x: copied(x, 0.0, "ZeroBackward0"), "fill_": filled, "copy_": copied,
    **{f"{name}_": _reshaped(name) for name in ("t", "squeeze", "unsqueeze")},
    "uniform_": _drawn("uniform", 0.0, 1.0), "normal_": _drawn("normal", 0.0, 1.0),
})  # fmt: skip
"""Methods that change a tensor where it is."""
