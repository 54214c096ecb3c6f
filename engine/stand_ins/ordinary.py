"""What the stand-ins need of Python's own: texts, names of types, arguments."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

OPERATORS = (
    "add", "sub", "mul", "truediv", "floordiv", "mod", "divmod", "pow", "lshift", "rshift", "and",
    "xor", "or", "matmul",
)  # fmt: skip
LABEL_LENGTH = 64


def name_of_type(x: Any) -> str:
    """The name of the type of `x` in an error."""
    return type(x).__name__


def whole(x: Any) -> int:
    """The int of `x`, as CPython reads an index: TypeError for anything that is no whole number."""
    return int(operator.index(x))


def bound(first: Any, function: Callable[..., Any], name: str) -> Callable[..., Any]:
    """`function` with its first argument, called `name`."""

    def call(*args: Any, **kwargs: Any) -> Any:
        return function(first, *args, **kwargs)

    call.__name__ = call.__qualname__ = name
    return call


def is_of_arguments(error: TypeError) -> bool:
    """Whether an error just caught is one of the call itself: no line of the function ran."""
    return error.__traceback__ is not None and error.__traceback__.tb_next is None
