"""Operators on anything that a program holds.

Numbers are computed by Python and followed for the picture; Values by the tape; everything else by
Python's own operators, after a check that the result is not too large.
"""

from __future__ import annotations

import ast
import operator
from collections import deque
from collections.abc import Callable
from types import FunctionType
from typing import Any

from engine.arrays.scalars import Float64
from engine.ops import OPS, Op
from engine.tensors.in_place import change_scalar
from engine.tensors.scalar import Tensor
from engine.value import Value

from . import sizes
from .methods_of_mappings import pairs_of
from .origins import Number
from .plain import FOLLOWED, NUMBERS, STORED, TapedFloat, TapedInt, plain
from .refusal import Refused
from .tensor_kinds import beyond_table, session_of
from .text_formatting import percent
from .weights import CONTAINERS, check_key, check_keys, weigh

NATIVE: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv,
    "**": operator.pow, "//": operator.floordiv, "%": operator.mod, "@": operator.matmul,
    "<<": operator.lshift, ">>": operator.rshift, "|": operator.or_, "&": operator.and_,
    "^": operator.xor,
}  # fmt: skip
IN_PLACE: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.iadd, "-": operator.isub, "*": operator.imul, "/": operator.itruediv,
    "**": operator.ipow, "//": operator.ifloordiv, "%": operator.imod, "@": operator.imatmul,
    "<<": operator.ilshift, ">>": operator.irshift, "|": operator.ior, "&": operator.iand,
    "^": operator.ixor,
}  # fmt: skip
BUILT_IN = frozenset({Value, Tensor, Number})
_GROWING = frozenset({"**", "<<"})
_EXTENDING = frozenset({"+", "|"})
"""Signs that take any iterable where they change a container in place."""

_REMAINDER = OPS["mod"]
"""What `%` is of floats; that of ints, such as the count of a loop, is not followed."""

Binary = Callable[[Any, Any], Any]
FOLLOWED_COST = 2
"""Operations of a float that is followed."""


def binary(m: Any, sign: str, node: ast.AST, *, in_place: bool = False) -> Binary:
    """A function that computes `a sign b` at `node`, followed for the picture."""
    op = OPS.get(sign)
    native = NATIVE[sign]
    general = _general(m, sign, op, node, in_place)
    if op is None or sign in _GROWING:
        return _checked(m, sign, op, general, node)
    tape = m.tape
    new_float = TapedFloat

    def followed(a: Any, b: Any) -> Any:
        if type(a) not in NUMBERS or type(b) not in NUMBERS:
            return general(a, b)
        try:
            result = native(a, b)
        except ArithmeticError:
            m.node = node
            raise
        m.left -= FOLLOWED_COST
        if type(result) is float:
            out: Any = new_float(result)
            out.label, out.leaf, out.value, out.owner, out.name = "", None, None, None, ""
        else:
            if not -sizes.LARGE < result < sizes.LARGE:
                sizes.check_int(m, result)
            m.left -= 4
            out = TapedInt(result)
        out.op, out.args, out.node, out.scope, out.serial = op, (a, b), node, m.scope, tape.made
        tape.made += 1
        tape.last_number = out
        return out

    return followed


def _checked(m: Any, sign: str, op: Op | None, general: Binary, node: ast.AST) -> Binary:
    """Signs that are not followed, and those whose result may be very large."""
    native = NATIVE[sign]

    def compute(a: Any, b: Any) -> Any:
        if type(a) not in NUMBERS or type(b) not in NUMBERS:
            return general(a, b)
        m.node = node
        if sign in _GROWING or not -sizes.LARGE < a < sizes.LARGE:
            sizes.check_growth(m, sign, a, b)
        result = native(a, b)
        if type(result) is complex:
            raise Refused(node, "Complex numbers are not part of this language.", _COMPLEX)
        if type(result) is int and not -sizes.LARGE < result < sizes.LARGE:
            sizes.check_int(m, result)
        if op is None:
            if (
                sign == "%"
                and type(result) is float
                and not FOLLOWED.isdisjoint((type(a), type(b)))
            ):
                m.left -= 2
                return m.tape.follow(_REMAINDER, result, (a, b), node)
            return m.own.connected(result, (a, b)) if m.own.holds else result
        return m.tape.follow(op, result, (a, b), node)

    return compute


_REPEATED = (
    "A list times a number repeats the list; for products of its items write [v*2 for v in x]."
)
_BYTES = "Format a text instead: '%d' % 2."
_COMPLEX = "A negative number has no real power such as 0.5; take abs(x) ** 0.5."


def _general(m: Any, sign: str, op: Op | None, node: ast.AST, in_place: bool) -> Binary:
    """`a sign b` where one of them is no plain number."""
    native = IN_PLACE[sign] if in_place else NATIVE[sign]
    tape = m.tape

    def compute(a: Any, b: Any) -> Any:
        m.node = node
        if type(a) is type(b) is Value and op is not None and not m.follows_micrograd:
            return tape.compute(op, (a, b), node)
        if op is not None and _computable(a, b):
            if m.follows_micrograd and sign in _OWN_WAY:
                return _OWN_WAY[sign](m, a, b, node)
            result = tape.apply(op, (a, b), node)
            changes = in_place and isinstance(a, Tensor)
            return change_scalar(session_of(m), a, result) if changes else result
        if sign == "%" and isinstance(a, str):
            return percent(m, a, b)
        if sign == "%" and isinstance(a, bytes):
            raise Refused(node, "The sign % on bytes is not part of this language.", _BYTES)
        if op is None and (isinstance(a, Tensor) or isinstance(b, Tensor)):
            return beyond_table(m, sign, a, b)
        a, b = sizes.checked_operands(m, sign, a, b)
        if isinstance(a, set | frozenset) and isinstance(b, set | frozenset):
            check_keys(m, b, len(a))
        if sign == "*" and (_holds_values(a) or _holds_values(b)):
            m.note(_REPEATED)
        if in_place and sign in _EXTENDING and isinstance(a, list | deque | dict):
            b = pairs_of(m, b, len(a)) if isinstance(a, dict) else list(m.items(b))
        if isinstance(a, Value):
            b = _lifted(m, b)
        elif isinstance(b, Value):
            a = _lifted(m, a)
        result = native(plain(a), b)
        if isinstance(result, int):
            sizes.check_int(m, result)
        elif isinstance(result, Value) and result.origin is None:
            tape.adopt(result, node)
        elif type(result) is Float64 and _followable(a, b):
            followed = _REMAINDER if sign == "%" else op
            if followed is None:
                return m.own.connected(result, (a, b))
            return tape.follow(followed, result, (a, b), node)
        return result

    return compute


def _followable(a: Any, b: Any) -> bool:
    """Whether a number of NumPy that comes from both has a history to keep."""
    kinds = type(a), type(b)
    return not FOLLOWED.isdisjoint(kinds) and STORED.issuperset(kinds)


def _divide(m: Any, a: Any, b: Any, node: ast.AST) -> Any:
    """micrograd's division, a * b**-1."""
    inverse = binary(m, "**", node)(b, -1)
    return binary(m, "*", node)(a, inverse)


def _raise_to(m: Any, a: Any, b: Any, node: ast.AST) -> Any:
    """micrograd's power, whose exponent is a plain number."""
    if isinstance(b, Value):
        raise AssertionError("only supporting int/float powers for now")
    return m.tape.apply(OPS["**"], (a, b), node)


_OWN_WAY = {"/": _divide, "**": _raise_to}
"""Operators that Values of micrograd compute in a way of their own."""


def _computable(a: Any, b: Any) -> bool:
    """Whether the tape computes with both: built-in Values, or one and a plain number."""
    if type(a) in BUILT_IN:
        return type(b) in BUILT_IN or type(b) in NUMBERS or type(b) is bool
    return type(b) in BUILT_IN and (type(a) in NUMBERS or type(a) is bool)


def _holds_values(x: Any) -> bool:
    return type(x) is list and bool(x) and isinstance(x[0], Value)


def _lifted(m: Any, x: Any) -> Any:
    """A followed number as a Value, so that the Value computed from it shows where it is from."""
    return m.tape.lift(x) if type(x) in FOLLOWED else x


def is_in(m: Any, a: Any, b: Any) -> bool:
    """`a in b`; what has no search of its own is gone through item by item."""
    if isinstance(b, dict | set | frozenset):
        check_key(m, a, len(b))
        return bool(a in b)
    kind: Any = type(b)
    if kind in sizes.SIZED:
        if isinstance(a, CONTAINERS) and isinstance(b, list | tuple):
            weigh(m, b)
        sizes.spend_search(m, b)
        if type(b) is range and type(a) not in (int, TapedInt):
            m.spend(len(b))
        return bool(plain(a) in b if type(b) is range else a in b)
    if isinstance(b, CONTAINERS) and not isinstance(kind.__contains__, FunctionType):
        weigh(m, b)
    if hasattr(type(b), "__contains__"):
        return bool(a in b)
    return any(item is a or item == a for item in m.items(b))
