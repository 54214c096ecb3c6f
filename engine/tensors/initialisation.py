"""torch.nn.init: weights from uniform and normal distributions, scaled to the size of a layer.

Glorot and Bengio 2010 (xavier) and He et al. 2015 (kaiming).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from statistics import NormalDist
from typing import Any

from .changes import CHANGES, filled
from .functions import named
from .in_place import fill
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
    """The numbers of inputs and outputs of a weight matrix, or of windows of weights."""
    if not isinstance(x, TensorArray) or x.ndim < 2:
        raise ValueError(
            "Fan in and fan out can not be computed for tensor with fewer than 2 dimensions"
        )
    window = math.prod(x.shape[2:])
    return x.shape[1] * window, x.shape[0] * window


def _quietly(change: Callable[..., Any]) -> Callable[..., Any]:
    """A change of a tensor that is not recorded."""

    def method(tensor: Any, *args: Any, **options: Any) -> Any:
        with tensor.session.recorded(False):
            return change(tensor, *args, **options)

    return method


def _uniform(tensor: Any, a: float = 0.0, b: float = 1.0, generator: Any = None) -> Any:
    return CHANGES["uniform_"](tensor, a, b, generator=generator)


def _normal(tensor: Any, mean: float = 0.0, std: float = 1.0, generator: Any = None) -> Any:
    return CHANGES["normal_"](tensor, mean, std, generator=generator)


def _truncated(
    tensor: Any, mean: float = 0.0, std: float = 1.0, a: float = -2.0, b: float = 2.0,
    generator: Any = None,
) -> Any:  # fmt: skip
    """Normal numbers within [a, b]: those beyond are drawn again."""
    normal = NormalDist(mean, std)
    if normal.cdf(b) - normal.cdf(a) <= 0.3:
        tensor.session.machine.refuse("The bounds of trunc_normal_ hold too few numbers here.")
    numbers = _normal(tensor, mean, std, generator).numbers()
    while not all(a <= x <= b for x in numbers):
        again = _normal(tensor.new(numbers[:]), mean, std, generator).numbers()
        numbers = [x if a <= x <= b else y for x, y in zip(numbers, again, strict=True)]
    return fill(tensor, numbers)


def _scaled_uniform(deviation: Callable[..., float]) -> Callable[..., Any]:
    def method(tensor: Any, *args: Any, **options: Any) -> Any:
        bound = uniform_bound(deviation(tensor, *args, **options))
        return _uniform(tensor, -bound, bound)

    return method


def _scaled_normal(deviation: Callable[..., float]) -> Callable[..., Any]:
    return lambda tensor, *args, **options: _normal(
        tensor, 0.0, deviation(tensor, *args, **options)
    )


def _unit(tensor: Any) -> Any:
    """Ones on the diagonal of a matrix, zeros elsewhere."""
    width, height = _fans(tensor)
    return fill(tensor, [float(i == j) for i in range(height) for j in range(width)])


INITIALISATIONS: dict[str, Callable[..., Any]] = named({
    **{name: _quietly(f) for name, f in (
        ("uniform_", _uniform), ("normal_", _normal), ("trunc_normal_", _truncated),
        ("constant_", filled),
        ("zeros_", lambda tensor: filled(tensor, 0.0)),
        ("ones_", lambda tensor: filled(tensor, 1.0)), ("eye_", _unit),
        ("xavier_uniform_", _scaled_uniform(xavier)), ("xavier_normal_", _scaled_normal(xavier)),
        ("kaiming_uniform_", _scaled_uniform(kaiming)),
        ("kaiming_normal_", _scaled_normal(kaiming)),
    )},
    "calculate_gain": gain_of,
})  # fmt: skip
"""The functions by their names in torch.nn.init."""
