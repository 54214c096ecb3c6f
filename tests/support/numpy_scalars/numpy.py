"""NumPy's 64-bit floats and the functions of one number, where NumPy itself is not installed.

The catalogue's programs run in CPython by themselves; with NumPy there, they use that.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any


class float64(float):  # noqa: N801  # as NumPy calls it
    """A float whose operators give floats of its own kind."""

    def __repr__(self) -> str:
        return f"np.float64({float(self)!r})"


def _of(compute: Callable[..., Any]) -> Callable[..., Any]:
    def computed(*operands: Any) -> Any:
        found = compute(*operands)
        return float64(found) if isinstance(found, float) else found

    return computed


for _name in ("add", "sub", "mul", "truediv", "pow", "neg", "abs"):
    for _special in (f"__{_name}__", f"__r{_name}__"):
        if hasattr(float, _special):
            setattr(float64, _special, _of(getattr(float, _special)))


def maximum(x: float, y: float) -> float64:
    return float64(max(x, y))


def subtract(x: float, y: float) -> float64:
    return float64(x - y)


def square(x: float) -> float64:
    return float64(x * x)


def where(condition: bool, x: float, y: float) -> float64:
    return float64(x if condition else y)


exp, log, tanh, sin, cos, sqrt = map(
    _of, (math.exp, math.log, math.tanh, math.sin, math.cos, math.sqrt)
)
