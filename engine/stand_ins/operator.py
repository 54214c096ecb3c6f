"""The module `operator`: CPython's functions, those of signs followed for the picture."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from .contract import Machine

_SIGNS = {
    "add": "+", "sub": "-", "mul": "*", "truediv": "/", "floordiv": "//", "mod": "%", "pow": "**",
    "matmul": "@", "and_": "&", "or_": "|", "xor": "^", "lshift": "<<", "rshift": ">>",
}  # fmt: skip


def names(m: Machine) -> dict[str, Any]:
    """The names of the module `operator`."""
    table = {k: v for k, v in vars(operator).items() if not k.startswith("_")}
    return {**table, **{name: _sign(m, name, sign) for name, sign in _SIGNS.items()}}


def _sign(m: Machine, name: str, sign: str) -> Callable[..., Any]:
    def call(a: Any, b: Any, /) -> Any:
        return m.binary(sign, a, b)

    call.__name__ = call.__qualname__ = name
    return call
