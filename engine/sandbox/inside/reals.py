"""`math` with the host's bits, and `**` likewise."""

import builtins
import math
import operator
import sys
from collections.abc import Callable
from typing import Any

import wit_world

from engine.sandbox.inside.real_functions import OF_ONE, OF_TWO

_POW = OF_TWO.index("pow")
_pow = builtins.pow
_OWN = {name: getattr(math, name) for name in OF_ONE + OF_TWO}


class _Host:
    """Who is asked: while the snapshot is made there is no host, and the own functions answer."""

    def __init__(self) -> None:
        self.real: Callable[[int, float], float] = lambda index, x: _OWN[OF_ONE[index]](x)
        self.real_of_two: Callable[[int, float, float], float] = lambda index, x, y: _OWN[
            OF_TWO[index]
        ](x, y)


_host = _Host()


class _BuiltIn:
    """Looks like the built-in function that it replaces, and like it never becomes a method."""

    __slots__ = ("__name__", "_index", "_own")
    __module__ = "math"

    def __init__(self, name: str, index: int) -> None:
        self.__name__ = name
        self._own = _OWN[name]
        self._index = index

    def __repr__(self) -> str:
        return f"<built-in function {self.__name__}>"

    def __reduce__(self) -> str:
        return self.__name__


class OfOne(_BuiltIn):
    __slots__ = ()
    __module__ = "math"

    def __call__(self, x: Any, /) -> float:
        if type(x) is not float and not issubclass(type(x), int):
            x = math.ldexp(x, 0)  # as the function itself would convert it, and once
        own: float = self._own(x)  # raises what it raises
        if own - own != 0.0:
            return own
        try:
            return _host.real(self._index, float(x))
        except OverflowError:  # the logarithm of an integer that is no float
            return own


class Log(OfOne):
    __slots__ = ()
    __module__ = "math"

    def __call__(self, x: Any, /, *base: Any) -> float:
        if not base:
            return OfOne.__call__(self, x)
        self._own(x, *base)
        return self(x) / self(*base)


class OfTwo(_BuiltIn):
    __slots__ = ()
    __module__ = "math"

    def __call__(self, x: Any, y: Any, /) -> float:
        x, y = (it if type(it) is float else math.ldexp(it, 0) for it in (x, y))
        own: float = self._own(x, y)
        return _host.real_of_two(self._index, x, y) if own - own == 0.0 else own


class Pow(_BuiltIn):
    """The built-in function; without a modulus it is `**`."""

    __slots__ = ()
    __module__ = "builtins"

    def __call__(self, base: Any, exp: Any, mod: Any = None) -> Any:
        return power(base, exp) if mod is None else _pow(base, exp, mod)


def power(x: Any, y: Any, /) -> Any:
    """`x ** y`, for rewritten programs: `float.__pow__` itself cannot be replaced."""
    own = x**y
    of_numbers = issubclass(type(x), float | int) and issubclass(type(y), float | int)
    if of_numbers and type(own) is float and own - own == 0.0:
        return _host.real_of_two(_POW, float(x), float(y))
    return own


def set_up() -> None:
    """Replace the functions where programs look for them, before others take hold of them."""
    new: dict[str, _BuiltIn] = {name: OfOne(name, index) for index, name in enumerate(OF_ONE)}
    new["log"] = Log("log", OF_ONE.index("log"))
    new |= {name: OfTwo(name, index) for index, name in enumerate(OF_TWO)}
    held = {id(own): new[name] for name, own in _OWN.items()}
    for module in list(sys.modules.values()):
        for name, value in list(vars(module).items()):
            if id(value) in held and module.__name__ != __name__:
                setattr(module, name, held[id(value)])
    builtins.pow = Pow("pow", 0)
    operator.pow = operator.__pow__ = power


def connect() -> None:
    """From now on the host answers."""
    _host.real = wit_world.real
    _host.real_of_two = wit_world.real_of_two
