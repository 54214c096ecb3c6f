"""The module `math`: CPython's functions; those of the op table are followed for the picture."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import chain
from typing import Any

from engine.language.builtin_iteration import bound
from engine.language.contract import Machine
from engine.language.plain import FOLLOWED, plain
from engine.language.texts import name_of_type
from engine.language.weights import listed, whole
from engine.ops import OPS, Op
from engine.value import Value

_FOLLOWED = {
    **{name: name for name in ("exp", "sqrt", "sin", "cos", "tan", "tanh")},
    "fabs": "abs",
    **{name: name for name, op in OPS.items() if op.module == "math"},
}
"""Functions that are operations, each with its name in the op table."""
_PLAIN = (
    "ceil", "floor", "frexp", "gamma", "isclose", "isfinite", "isinf", "isnan", "ldexp", "lgamma",
    "modf", "nextafter", "remainder", "trunc", "ulp",
)  # fmt: skip
_LARGEST_FACTORIAL = 5_000
_CONSTANTS = ("pi", "e", "tau", "inf", "nan")


def names(m: Machine) -> dict[str, Any]:
    """The names of the module `math`."""
    table: dict[str, Any] = {name: getattr(math, name) for name in _CONSTANTS}
    table |= {name: _followed(m, name, op) for name, op in _FOLLOWED.items()}
    table |= {name: _plain(m, name) for name in _PLAIN} | {"hypot": _hypot(m)}
    functions = (log, pow_, fsum, dist, prod, factorial, comb, perm, gcd, lcm, isqrt)
    for function in functions:
        name = function.__name__.rstrip("_")
        table[name] = bound(m, function, name)
    return table


def _followed(m: Machine, name: str, op_name: str) -> Callable[..., Any]:
    native: Callable[..., Any] = getattr(math, name)
    op = OPS[op_name]
    count = len(op.params)

    def call(*args: Any) -> Any:
        if len(args) == count:
            if any(isinstance(x, Value) for x in args):
                _check_values(m, op, args)
                return m.apply(op, *args)
            if any(type(x) in FOLLOWED for x in args):
                native(*args)
                return m.apply(op, *args)
        m.spend(1)
        return native(*args)

    call.__name__ = call.__qualname__ = name
    return call


def _check_values(m: Machine, op: Op, args: tuple[Any, ...]) -> None:
    """Raise TypeError for what is no number, and for micrograd's Values, which convert to none.

    The words of the language take these too.
    """
    for x in args:
        if not isinstance(x, Value | int | float) or (m.follows_micrograd and op.module):
            raise TypeError(f"must be real number, not {name_of_type(x)}")


def _plain(m: Machine, name: str) -> Callable[..., Any]:
    native: Callable[..., Any] = getattr(math, name)

    def call(*args: Any, **kwargs: Any) -> Any:
        m.spend(1)
        if any(type(arg) is int for arg in args):
            m.spend(sum(arg.bit_length() >> 5 for arg in args if isinstance(arg, int)))
        return m.own.connected(native(*args, **kwargs), args)

    call.__name__ = call.__qualname__ = name
    return call


def log(m: Machine, *args: Any) -> Any:
    """`log(x)` is an operation; `log(x, base)` is a quotient of two."""
    m.spend(1)
    if not any(isinstance(arg, Value) or type(arg) in FOLLOWED for arg in args):
        return math.log(*args)
    if not any(isinstance(arg, Value) for arg in args):
        math.log(*map(plain, args))
    if len(args) == 1:
        return m.apply(OPS["log"], args[0])
    x, base = args
    return m.binary("/", m.apply(OPS["log"], x), m.apply(OPS["log"], base))


def pow_(m: Machine, x: Any, y: Any, /) -> Any:
    if isinstance(x, Value) or isinstance(y, Value):
        return m.apply(OPS["**"], x, y)
    m.spend(1)
    result = math.pow(x, y)
    if type(x) in FOLLOWED or type(y) in FOLLOWED:
        followed = m.apply(OPS["**"], x, y)
        return followed if isinstance(followed, float) and followed == result else result
    return result


def fsum(m: Machine, *args: Any) -> Any:
    columns = [listed(m, arg) for arg in args]
    return m.own.connected(math.fsum(*columns), chain(*columns))


def dist(m: Machine, *args: Any) -> Any:
    points = [listed(m, arg) for arg in args]
    return m.own.connected(math.dist(*(map(plain, point) for point in points)), chain(*points))


def _hypot(m: Machine) -> Callable[..., Any]:
    """`hypot` of two numbers is an operation; that of one or many is not."""
    of_two = _followed(m, "hypot", "hypot")

    def hypot(*args: Any) -> Any:
        if len(args) == 2:
            return of_two(*args)
        m.spend(1 + len(args))
        return m.own.connected(math.hypot(*args), args)

    return hypot


def prod(m: Machine, iterable: Any, /, *, start: Any = 1) -> Any:
    """The product from left to right, each step as the program would write it."""
    product = start
    for item in m.items(iterable):
        product = m.binary("*", product, item)
    return product


def factorial(m: Machine, x: Any, /) -> int:
    n = whole(x)
    if n > _LARGEST_FACTORIAL:
        m.refuse(f"The factorial of {n:.6g} is too large here.", "Use math.lgamma(n + 1).")
    m.spend(1 + max(n, 0))
    return math.factorial(n)


def comb(m: Machine, n: Any, k: Any, /) -> int:
    n, k = whole(n), whole(k)
    _check_choice(m, n, min(k, n - k), "comb")
    return math.comb(n, k)


def perm(m: Machine, n: Any, k: Any = None, /) -> int:
    n = whole(n)
    k = n if k is None else whole(k)
    _check_choice(m, n, k, "perm")
    return math.perm(n, k)


def _check_choice(m: Machine, n: int, k: int, name: str) -> None:
    """Refuse products of more than some thousand factors, or of long ones."""
    if k > _LARGEST_FACTORIAL or (k > 0 and n.bit_length() > 1_000):
        m.refuse(f"This {name} is too large here.", "Use smaller numbers.")
    m.spend(1 + max(k, 0) * (1 + (n.bit_length() >> 5)))


def gcd(m: Machine, *args: Any) -> int:
    return math.gcd(*_sized(m, args))


def lcm(m: Machine, *args: Any) -> int:
    return math.lcm(*_sized(m, args))


def _sized(m: Machine, args: tuple[Any, ...]) -> list[int]:
    numbers = [whole(arg) for arg in args]
    limbs = sum(n.bit_length() for n in numbers) // 30
    m.spend(1 + len(numbers) + limbs * limbs // 8)
    return numbers


def isqrt(m: Machine, x: Any, /) -> int:
    return math.isqrt(*_sized(m, (x,)))
