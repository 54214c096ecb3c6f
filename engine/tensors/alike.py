"""New tensors of the type of another one: `x.new_zeros(2, 3)`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .arrangement import sizes
from .creation import full, tensor
from .gradients import require
from .session import Session


def _alike(make: Callable[..., Any]) -> Callable[..., Any]:
    """`make` with the element type of `x` unless another is given, and with requires_grad."""

    def method(
        session: Session, x: Any, *args: Any, dtype: Any = None, requires_grad: bool = False
    ) -> Any:
        new = make(session, *args, dtype=dtype or session.array(x).dtype)
        return require(session, new) if requires_grad else new

    return method


def _filled(number: float) -> Callable[..., Any]:
    return _alike(lambda session, *size, dtype: full(session, sizes(size), number, dtype))


def _full(session: Session, size: Any, fill_value: Any, dtype: Any) -> Any:
    return full(session, sizes((size,)), fill_value, dtype)


ALIKE: dict[str, Callable[..., Any]] = {
    "new_zeros": _filled(0.0), "new_ones": _filled(1.0), "new_empty": _filled(0.0),
    "new_full": _alike(_full), "new_tensor": _alike(tensor),
}  # fmt: skip
"""Methods of tensors."""
