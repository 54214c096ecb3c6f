"""torch.nn.utils: gradients made smaller, and parameters as one vector."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .arrangement import cat, reshape, stack
from .creation import tensor
from .elementwise import elementwise
from .gradients import gradient
from .in_place import fill
from .reductions import length
from .session import Session
from .tensor_array import TensorArray

Function = Callable[..., Any]


def _gradients(session: Session, parameters: Any) -> list[TensorArray]:
    """The gradients there are, of one tensor or of several."""
    one = isinstance(parameters, TensorArray)
    given = [parameters] if one else list(parameters)
    found = [gradient(session, x) for x in given]
    return [x for x in found if x is not None]


def clip_grad_norm_(
    session: Session,
    parameters: Any,
    max_norm: Any,
    norm_type: Any = 2.0,
    error_if_nonfinite: bool = False,
    foreach: Any = None,
) -> Any:
    """Scale all gradients so that their common norm is at most `max_norm`; the norm before."""
    found = _gradients(session, parameters)
    if not found:
        return tensor(session, 0.0)
    norms = [length(session, x.detached(), None, False, norm_type) for x in found]
    total = length(session, stack(session, norms), None, False, norm_type)
    scale = elementwise(session, "/", max_norm, elementwise(session, "+", total, 1e-6))
    factor = min(session.array(scale).numbers()[0], 1.0)
    for x in found:
        fill(session, x, [number * factor for number in x.numbers()])
    return total


def clip_grad_value_(
    session: Session, parameters: Any, clip_value: float, foreach: Any = None
) -> None:
    """Cut all elements of all gradients to ±clip_value."""
    for x in _gradients(session, parameters):
        fill(session, x, [min(max(n, -clip_value), clip_value) for n in x.numbers()])


def parameters_to_vector(session: Session, parameters: Any) -> Any:
    flat = [reshape(session, x, -1) for x in parameters]
    return cat(session, flat)


UTILITIES: dict[str, Function] = {
    "clip_grad_norm_": clip_grad_norm_, "clip_grad_value_": clip_grad_value_,
    "parameters_to_vector": parameters_to_vector,
}  # fmt: skip
"""Names of torch.nn.utils."""
