"""The module `math`: CPython's functions; those of the op table are followed for the picture."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import chain
from typing import Any

from engine.ops import OPS, Op
from engine.record.follow import FOLLOWED, is_a, plain
from engine.value import Value

from .contract import Machine
from .ordinary import bound, name_of_type

_FOLLOWED = {
    **{name: name for name in ("exp", "sqrt", "sin", "cos", "tan", "tanh")},
    "fabs": "abs",
    **{name: name for name, op in OPS.items() if op.module == "math"},
}
"""Functions that are operations, each with its name in the op table."""
_CONNECTED = (
    "ceil", "floor", "gamma", "ldexp", "lgamma", "nextafter", "remainder", "trunc", "ulp",
)  # fmt: skip
"""Functions whose results are connected with what they were computed from."""


def names(m: Machine) -> dict[str, Any]:
    """The names of the module `math`."""
    table: dict[str, Any] = {k: v for k, v in vars(math).items() if not k.startswith("_")}
    table |= {name: _followed(m, name, op) for name, op in _FOLLOWED.items()}
    table |= {name: _connected(m, name) for name in _CONNECTED} | {"hypot": _hypot(m)}
    for function in (log, pow_, fsum, dist, prod):
        name = function.__name__.rstrip("_")
        table[name] = bound(m, function, name)
    return table


def _followed(m: Machine, name: str, op_name: str) -> Callable[..., Any]:
    native: Callable[..., Any] = getattr(math, name)
    op = OPS[op_name]
    count = len(op.params)

    def call(*args: Any) -> Any:
        if len(args) == count:
            if any(is_a(x, Value) for x in args):
                _check_values(m, op, args)
                return m.apply(op, *args)
            if any(type(x) in FOLLOWED for x in args):
                native(*args)
                return m.apply(op, *args)
        return native(*args)

    call.__name__ = call.__qualname__ = name
    return call


def _check_values(m: Machine, op: Op, args: tuple[Any, ...]) -> None:
    """Raise TypeError for what is no number, and for micrograd's Values, which convert to none.

    The words that need no import take these too.
    """
    for x in args:
        if not is_a(x, Value | int | float) or (m.follows_micrograd and op.module):
            raise TypeError(f"must be real number, not {name_of_type(x)}")


def _connected(m: Machine, name: str) -> Callable[..., Any]:
    native: Callable[..., Any] = getattr(math, name)

    def call(*args: Any, **kwargs: Any) -> Any:
        return m.own.connected(native(*args, **kwargs), args)

    call.__name__ = call.__qualname__ = name
    return call


def log(m: Machine, *args: Any) -> Any:
    """`log(x)` is an operation; `log(x, base)` is a quotient of two."""
    if not any(is_a(arg, Value) or type(arg) in FOLLOWED for arg in args):
        return math.log(*args)
    if not any(is_a(arg, Value) for arg in args):
        math.log(*map(plain, args))
    if len(args) == 1:
        return m.apply(OPS["log"], args[0])
    x, base = args
    return m.binary("/", m.apply(OPS["log"], x), m.apply(OPS["log"], base))


def pow_(m: Machine, x: Any, y: Any, /) -> Any:
    if is_a(x, Value) or is_a(y, Value):
        return m.apply(OPS["**"], x, y)
    result = math.pow(x, y)
    if type(x) in FOLLOWED or type(y) in FOLLOWED:
        followed = m.apply(OPS["**"], x, y)
        return followed if isinstance(followed, float) and followed == result else result
    return result


def fsum(m: Machine, *args: Any) -> Any:
    columns = [list(arg) for arg in args]
    return m.own.connected(math.fsum(*columns), chain(*columns))


def dist(m: Machine, *args: Any) -> Any:
    points = [list(arg) for arg in args]
    return m.own.connected(math.dist(*(map(plain, point) for point in points)), chain(*points))


def _hypot(m: Machine) -> Callable[..., Any]:
    """`hypot` of two numbers is an operation; that of one or many is not."""
    of_two = _followed(m, "hypot", "hypot")

    def hypot(*args: Any) -> Any:
        if len(args) == 2:
            return of_two(*args)
        return m.own.connected(math.hypot(*args), args)

    return hypot


def prod(m: Machine, iterable: Any, /, *, start: Any = 1) -> Any:
    """The product from left to right, each step as the program would write it."""
    product = start
    for item in iterable:
        product = m.binary("*", product, item)
    return product
