"""torch.nn.utils: gradients made smaller, and parameters as one vector."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .arrangement import cat, reshape, stack
from .in_place import fill
from .reductions import length
from .tensor_array import TensorArray


def _gradients(parameters: Any) -> list[TensorArray]:
    """The gradients there are, of one tensor or of several."""
    given = [parameters] if isinstance(parameters, TensorArray) else parameters
    return [x.gradient for x in given if x.gradient is not None]


def clip_grad_norm_(
    parameters: Any, max_norm: Any, norm_type: Any = 2.0, error_if_nonfinite: bool = False,
    foreach: Any = None,
) -> Any:  # fmt: skip
    """Scale all gradients so that their common norm is at most `max_norm`; the norm before."""
    given = [parameters] if isinstance(parameters, TensorArray) else list(parameters)
    found = _gradients(given)
    if not found:
        return given[0].session.array_of_number(0.0).detached() if given else None
    total = length(stack([length(x.detached(), norm_type) for x in found]), norm_type)
    factor = min((max_norm / (total + 1e-6)).numbers()[0], 1.0)
    for x in found:
        fill(x, [number * factor for number in x.numbers()])
    return total


def clip_grad_value_(parameters: Any, clip_value: float, foreach: Any = None) -> None:
    """Cut all elements of all gradients to ±clip_value."""
    for x in _gradients(parameters):
        fill(x, [min(max(n, -clip_value), clip_value) for n in x.numbers()])


def parameters_to_vector(parameters: Any) -> Any:
    return cat([reshape(x, -1) for x in parameters])


def vector_to_parameters(vec: Any, parameters: Any) -> None:
    """The elements of one vector in place of those of parameters, one after the other."""
    numbers, start = vec.numbers(), 0
    for x in parameters:
        x.grid.write(x.dtype.convert(numbers[start : start + x.size]))
        x.storage.version[0] += 1
        start += x.size


UTILITIES: dict[str, Callable[..., Any]] = {f.__name__: f for f in (
    clip_grad_norm_, clip_grad_value_, parameters_to_vector, vector_to_parameters,
)}  # fmt: skip
"""Names of torch.nn.utils."""
