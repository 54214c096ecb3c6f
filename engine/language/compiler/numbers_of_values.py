"""`x.data` and `x.grad` of built-in Values, which every step of a training reads and sets.

They are read and set without a look at the tables of attributes, to the same effect.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.language.attributes import set_attribute
from engine.language.machine import Machine
from engine.language.operators import FOLLOWED_COST, NATIVE, Binary
from engine.language.plain import TapedFloat
from engine.value import Value

NUMBERS_OF_VALUES = frozenset({"data", "grad"})
_FLOATS = frozenset({float, TapedFloat})
_TOTAL = frozenset("+-*")
"""Signs that compute a float from any two floats."""


def setter(m: Machine, name: str) -> Callable[[Any, Any], None]:
    """A function that sets the attribute `name` of any object."""
    is_data = name == "data"
    if name not in NUMBERS_OF_VALUES:
        return lambda o, value: set_attribute(m, o, name, value)

    def put(o: Any, value: Any) -> None:
        if type(value) is TapedFloat and type(o) is Value:
            value = float(value)
        if type(value) is not float or type(o) is not Value:
            set_attribute(m, o, name, value)
        elif is_data:
            o.data = value
        else:
            m.set_gradient(o, value)

    return put


def stored(m: Machine, sign: str, compute: Binary) -> Binary:
    """`compute`, which is `a sign b`, where a Value's `data` or `grad` is set to the result.

    A Value keeps no history of its own numbers. But before a program computes a Value, the last
    number that it computes is the one to draw.
    """
    if sign not in _TOTAL:
        return compute
    native, tape = NATIVE[sign], m.tape

    def unfollowed(a: Any, b: Any) -> Any:
        if type(a) not in _FLOATS or type(b) not in _FLOATS or tape.last is None:
            return compute(a, b)
        m.left -= FOLLOWED_COST
        return native(a, b)

    return unfollowed
