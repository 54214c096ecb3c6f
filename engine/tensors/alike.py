"""New tensors of the type of another one: `x.new_zeros(2, 3)`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .arrangement import sizes
from .creation import full, tensor
from .session import Session


def _filled(number: float) -> Callable[..., Any]:
    def function(
        session: Session, x: Any, *size: Any, dtype: Any = None, requires_grad: bool = False
    ) -> Any:
        kind = dtype or session.array(x).dtype
        return full(session, sizes(size), number, kind, requires_grad)

    return function


def new_full(session: Session, x: Any, size: Any, fill_value: Any, dtype: Any = None) -> Any:
    return full(session, sizes((size,)), fill_value, dtype or session.array(x).dtype)


def new_tensor(session: Session, x: Any, data: Any, dtype: Any = None) -> Any:
    return tensor(session, data, dtype or session.array(x).dtype)


ALIKE: dict[str, Callable[..., Any]] = {
    "new_zeros": _filled(0.0), "new_ones": _filled(1.0), "new_empty": _filled(0.0),
    "new_full": new_full, "new_tensor": new_tensor,
}  # fmt: skip
"""Methods of tensors."""
