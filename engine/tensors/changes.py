"""The methods whose name ends in an underscore: they change a tensor where it is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .arrangement import fitted
from .functions import FUNCTIONS
from .in_place import change, fill
from .session import Session

Function = Callable[..., Any]

_NAMES = (
    "add", "sub", "mul", "div", "pow", "exp", "sqrt", "tanh", "sigmoid", "relu", "abs", "neg",
    "clamp", "round", "floor", "masked_fill",
)  # fmt: skip


def _changing(function: Function) -> Function:
    def method(session: Session, x: Any, *args: Any, **kwargs: Any) -> Any:
        return change(session, x, function(session, x, *args, **kwargs))

    return method


def _constant(number: float) -> Function:
    return lambda session, x: filled(session, x, number)


def filled(session: Session, x: Any, value: Any) -> Any:
    size = session.array(x).size
    number = session.array(value).numbers()[0]
    return fill(session, x, [number] * size)


def copied(session: Session, x: Any, other: Any) -> Any:
    """x.copy_(other), broadcast."""
    array, new = session.array(x), session.array(other)
    grid = fitted(session, new, array.shape)
    return fill(session, x, [getattr(cell, "data", cell) for cell in grid.items()])


def _drawn(kind: str, low: float, high: float) -> Function:
    def method(session: Session, x: Any, a: float = low, b: float = high) -> Any:
        array = session.array(x)
        single = array.dtype.bits == 32
        return fill(session, x, getattr(session.generator, kind)(array.size, a, b, single=single))

    return method


_uniform = _drawn("uniform", 0.0, 1.0)


def uniform_(session: Session, x: Any, *args: float, **kwargs: float) -> Any:
    """x.uniform_(from, to); `from` is a word of Python, hence by name in a dict only."""
    a, b = (*args, *(0.0, 1.0)[len(args) :])
    return _uniform(session, x, kwargs.get("from", a), kwargs.get("to", b))


CHANGES: dict[str, Function] = {
    **{f"{name}_": _changing(FUNCTIONS[name]) for name in _NAMES},
    "zero_": _constant(0.0), "fill_": filled, "copy_": copied,
    "uniform_": uniform_, "normal_": _drawn("normal", 0.0, 1.0),
}  # fmt: skip
"""Methods that change a tensor where it is."""
