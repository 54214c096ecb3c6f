"""Elementary functions that are not ops of the table, composed of those that are."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from engine.ops import OPS

from .dtypes import FLOAT32
from .elementwise import composed, mapped
from .reductions import along
from .session import Session

Ops = Callable[..., Any]


def _tame(f: Callable[[float], float]) -> Callable[[float], float]:
    """`f` with nan outside its domain and infinity on overflow."""

    def total(x: float) -> float:
        try:
            return f(x)
        except ValueError:
            return math.nan
        except OverflowError:
            return math.inf

    return total


def _special(
    name: str, f: Callable[[float], float], compose: Callable[[Ops, Any], Any] | None = None
) -> Callable[..., Any]:
    """`f` of numbers; of recorded elements what `compose` makes of ops."""

    def function(session: Session, input: Any) -> Any:  # noqa: A002 - PyTorch's name
        array = session.array(input)
        if not session.is_live(array):
            dtype = array.dtype if array.dtype.category == 2 else FLOAT32
            return mapped(session, _tame(f), dtype, input)
        if compose is None:
            session.machine.refuse(f"The gradient of {name} is not computed here.", "Detach it.")

        def op(sign: str, *cells: Any) -> Any:
            return session.apply(OPS[sign], array.dtype, *cells)

        return composed(session, input, lambda cell: compose(op, cell), f"{name.title()}Backward0")

    function.__name__ = function.__qualname__ = name
    return function


def _half(op: Ops, x: Any, sign: str) -> Any:
    """(eˣ ± e⁻ˣ)/2"""
    return op("/", op(sign, op("exp", x), op("exp", op("neg", x))), 2.0)


def _log1p(x: float) -> float:
    return -math.inf if x == -1 else math.log1p(x)


SPECIAL: dict[str, Callable[..., Any]] = {
    "log1p": _special("log1p", _log1p, lambda op, x: op("log", op("+", x, 1.0))),
    "expm1": _special("expm1", math.expm1, lambda op, x: op("-", op("exp", x), 1.0)),
    "exp2": _special("exp2", lambda x: math.pow(2.0, x), lambda op, x: op("**", 2.0, x)),
    "sinh": _special("sinh", math.sinh, lambda op, x: _half(op, x, "-")),
    "cosh": _special("cosh", math.cosh, lambda op, x: _half(op, x, "+")),
    "asin": _special("asin", math.asin), "acos": _special("acos", math.acos),
    "atan": _special("atan", math.atan), "arctan": _special("atan", math.atan),
    "asinh": _special("asinh", math.asinh), "acosh": _special("acosh", math.acosh),
    "atanh": _special("atanh", math.atanh), "erf": _special("erf", math.erf),
    "deg2rad": _special("deg2rad", math.radians, lambda op, x: op("*", x, math.pi / 180)),
    "rad2deg": _special("rad2deg", math.degrees, lambda op, x: op("*", x, 180 / math.pi)),
}  # fmt: skip
"""Names of torch that are methods of tensors too."""


def cumprod(session: Session, x: Any, dim: int) -> Any:
    """The running product along an axis."""
    array = session.array(x)

    def running(row: list[Any]) -> list[Any]:
        out: list[Any] = []
        for cell in row:
            out.append(session.apply(OPS["*"], array.dtype, out[-1], cell) if out else cell)
        return out

    return along(session, array, dim, running, array.dtype, "CumprodBackward0")
