"""The methods whose name ends in an underscore: they change a tensor where it is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .arrangement import fitted
from .functions import FUNCTIONS, METHODS
from .in_place import change, check_changeable, fill, write
from .session import Session
from .tensor_array import TensorArray

Function = Callable[..., Any]

_NAMES = (
    "add", "sub", "mul", "div", "pow", "exp", "sqrt", "rsqrt", "tanh", "sigmoid", "relu", "abs",
    "neg", "clamp", "clip", "round", "floor", "ceil", "trunc", "sign", "masked_fill", "sin", "cos",
    "tan", "log", "log1p", "log2", "log10", "exp2", "expm1", "reciprocal", "square", "lerp",
    "addcmul", "addcdiv", "remainder", "fmod", "floor_divide", "erf", "tril", "triu", "nan_to_num",
    "clamp_min", "clamp_max", "index_fill", "index_add", "scatter_add", "scatter",
)  # fmt: skip


def _changing(function: Function) -> Function:
    def method(session: Session, x: Any, *args: Any, **kwargs: Any) -> Any:
        return change(session, x, function(session, x, *args, **kwargs))

    return method


def _zeroed(session: Session, x: Any) -> Any:
    return copied(session, x, 0.0, "ZeroBackward0")


def filled(session: Session, x: Any, value: Any) -> Any:
    if session.array(value).shape:
        raise RuntimeError(
            "fill_ only supports 0-dimension value tensor but got tensor with "
            f"{session.array(value).ndim} dimensions."
        )
    return copied(session, x, value, f"FillBackward{2 + int(isinstance(value, TensorArray))}")


def copied(session: Session, x: Any, other: Any, made_by: str = "CopyBackwards") -> Any:
    """x.copy_(other), broadcast."""
    array, new = session.array(x), session.array(other)
    grid = fitted(session, new, array.shape)
    check_changeable(session, array)
    write(
        session, array, array.grid, new if grid.shape == new.shape else new.seen_as(grid), made_by
    )
    return x


def _reshaped(name: str) -> Function:
    """t_, squeeze_ and unsqueeze_: another view of the elements in the same tensor."""

    def method(session: Session, x: Any, *args: Any) -> Any:
        new = METHODS[name](session, x, *args)
        if session.is_live(x):
            x.node = new.node
            x.made_by = f"{name.capitalize()}Backward{3 if name == 'squeeze' else 1}"
        x.grid = new.grid
        return x

    return method


def _drawn(kind: str, low: float, high: float) -> Function:
    def method(session: Session, x: Any, a: float = low, b: float = high) -> Any:
        array = session.array(x)
        single = array.dtype.bits == 32
        numbers = getattr(session.generator, kind)(array.size, a, b, single=single)
        return fill(session, x, numbers, f"{kind.capitalize()}Backward0")

    return method


_uniform = _drawn("uniform", 0.0, 1.0)


def uniform_(session: Session, x: Any, *args: float, **kwargs: float) -> Any:
    """x.uniform_(from, to); `from` is a word of Python, hence by name in a dict only."""
    a, b = (*args, *(0.0, 1.0)[len(args) :])
    return _uniform(session, x, kwargs.get("from", a), kwargs.get("to", b))


CHANGES: dict[str, Function] = {
    **{f"{name}_": _changing(FUNCTIONS[name]) for name in _NAMES},
    "zero_": _zeroed, "fill_": filled, "copy_": copied,
    **{f"{name}_": _reshaped(name) for name in ("t", "squeeze", "unsqueeze")},
    "uniform_": uniform_, "normal_": _drawn("normal", 0.0, 1.0),
}  # fmt: skip
"""Methods that change a tensor where it is."""
