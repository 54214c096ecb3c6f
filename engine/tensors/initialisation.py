"""torch.nn.init: weights from uniform and normal distributions, scaled to the size of a layer.

Glorot and Bengio 2010 (xavier) and He et al. 2015 (kaiming).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from .changes import CHANGES, filled
from .in_place import fill
from .session import Session
from .tensor_array import TensorArray

GAINS = {"linear": 1.0, "sigmoid": 1.0, "tanh": 5.0 / 3, "relu": math.sqrt(2.0), "selu": 0.75}


def gain_of(nonlinearity: str, param: float | None = None) -> float:
    """The factor by which an activation shrinks the standard deviation, inverted.

    That of a leaky relu is √(2 / (1 + slope²)) with the slope `param`. Raises ValueError.
    """
    if nonlinearity == "leaky_relu":
        slope = 0.01 if param is None else param
        return math.sqrt(2.0 / (1 + slope**2))
    if nonlinearity not in GAINS:
        raise ValueError(f"Unsupported nonlinearity {nonlinearity}")
    return GAINS[nonlinearity]


def uniform_bound(deviation: float) -> float:
    """The bound b of the uniform distribution on [-b, b] with a standard deviation."""
    return math.sqrt(3.0) * deviation


def xavier(x: Any, gain: float = 1.0) -> float:
    """The standard deviation gain·√(2 / (inputs + outputs))."""
    return gain * math.sqrt(2.0 / sum(_fans(x)))


def kaiming(x: Any, a: float = 0, mode: str = "fan_in", nonlinearity: str = "leaky_relu") -> float:
    """The standard deviation gain / √inputs, or gain / √outputs. Raises ValueError."""
    fan_in, fan_out = _fans(x)
    fan = {"fan_in": fan_in, "fan_out": fan_out}.get(mode)
    if fan is None:
        raise ValueError(f"Mode {mode} not supported, please use one of ['fan_in', 'fan_out']")
    return gain_of(nonlinearity, a) / math.sqrt(fan)


def _fans(x: Any) -> tuple[int, int]:
    """The numbers of inputs and outputs of a weight matrix."""
    if not isinstance(x, TensorArray) or x.ndim < 2:
        raise ValueError(
            "Fan in and fan out can not be computed for tensor with fewer than 2 dimensions"
        )
    return x.shape[1], x.shape[0]


def _uniform(session: Session, tensor: Any, a: float = 0.0, b: float = 1.0) -> Any:
    with session.recorded(False):
        return CHANGES["uniform_"](session, tensor, a, b)


def _normal(session: Session, tensor: Any, mean: float = 0.0, std: float = 1.0) -> Any:
    with session.recorded(False):
        return CHANGES["normal_"](session, tensor, mean, std)


def _constant(session: Session, tensor: Any, val: float) -> Any:
    with session.recorded(False):
        return filled(session, tensor, val)


def _scaled_uniform(deviation: Callable[..., float]) -> Callable[..., Any]:
    def fill(session: Session, tensor: Any, *args: Any, **kwargs: Any) -> Any:
        bound = uniform_bound(deviation(tensor, *args, **kwargs))
        return _uniform(session, tensor, -bound, bound)

    return fill


def _scaled_normal(deviation: Callable[..., float]) -> Callable[..., Any]:
    def fill(session: Session, tensor: Any, *args: Any, **kwargs: Any) -> Any:
        return _normal(session, tensor, 0.0, deviation(tensor, *args, **kwargs))

    return fill


def _unit(session: Session, tensor: Any) -> Any:
    """Ones on the diagonal of a matrix, zeros elsewhere."""
    width, height = _fans(tensor)
    numbers = [float(i == j) for i in range(height) for j in range(width)]
    with session.recorded(False):
        return fill(session, tensor, numbers)


INITIALISATIONS: dict[str, Callable[..., Any]] = {
    "uniform_": _uniform,
    "normal_": _normal,
    "constant_": _constant,
    "zeros_": lambda session, tensor: _constant(session, tensor, 0.0),
    "ones_": lambda session, tensor: _constant(session, tensor, 1.0),
    "eye_": _unit,
    "calculate_gain": lambda session, *args, **kwargs: gain_of(*args, **kwargs),
    "xavier_uniform_": _scaled_uniform(xavier),
    "xavier_normal_": _scaled_normal(xavier),
    "kaiming_uniform_": _scaled_uniform(kaiming),
    "kaiming_normal_": _scaled_normal(kaiming),
}
"""The functions by their names in torch.nn.init, each with the session first."""
