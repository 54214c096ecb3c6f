"""`math` with the host's bits, and `**` likewise."""

import builtins
import math
import operator
from collections.abc import Callable
from typing import Any

import wit_world

from engine.sandbox.real_functions import OF_ONE, OF_TWO

_POW, _ATAN2 = OF_TWO.index("pow"), OF_TWO.index("atan2")
_own_pow = builtins.pow


class _Function:
    """Looks like the built-in function that it replaces, and like it never becomes a method."""

    __slots__ = ("__name__", "_index", "_own")
    __module__ = "math"

    def __init__(self, own: Callable[..., Any], index: int) -> None:
        self.__name__ = own.__name__
        self._own = own
        self._index = index

    def __repr__(self) -> str:
        return f"<built-in function {self.__name__}>"

    def __reduce__(self) -> str:
        return self.__name__


class OfOne(_Function):
    __slots__ = ()

    def __call__(self, x: Any, /) -> float:
        if type(x) is not float:
            x = math.ldexp(x, 0)  # as the function itself would convert it, and once
        own: float = self._own(x)  # raises what it raises
        return wit_world.real(self._index, x) if own - own == 0.0 else own


class OfTwo(_Function):
    __slots__ = ()

    def __call__(self, x: Any, y: Any, /) -> float:
        if type(x) is not float:
            x = math.ldexp(x, 0)
        if type(y) is not float:
            y = math.ldexp(y, 0)
        own: float = self._own(x, y)
        return wit_world.real_of_two(self._index, x, y) if own - own == 0.0 else own


def power(x: Any, y: Any) -> Any:
    """`x ** y`, for rewritten programs: `float.__pow__` itself cannot be replaced."""
    own = x**y
    if (
        type(own) is float
        and own - own == 0.0
        and isinstance(x, (float, int))
        and isinstance(y, (float, int))
    ):
        return wit_world.real_of_two(_POW, float(x), float(y))
    return own


def _pow(base: Any, exp: Any, mod: Any = None) -> Any:
    return power(base, exp) if mod is None else _own_pow(base, exp, mod)


def set_up() -> None:
    """Replace the functions where programs look for them."""
    for index, name in enumerate(OF_ONE):
        setattr(math, name, OfOne(getattr(math, name), index))
    for index, name in enumerate(OF_TWO):
        setattr(math, name, OfTwo(getattr(math, name), index))
    _pow.__name__ = _pow.__qualname__ = "pow"
    _pow.__module__ = "builtins"
    builtins.pow = _pow
    operator.pow = operator.__pow__ = power
