"""Operations of a program, followed for the picture."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from typing import Any

from engine.arrays.scalars import Float64
from engine.ops import OPS
from engine.record.follow import FOLLOWED, NUMBERS, STORED, TapedFloat, TapedInt, is_a, plain
from engine.record.objects import known
from engine.value import Value

Helper = Callable[..., Any]
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
_ORDERS = {
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "==": operator.eq,
    "!=": operator.ne,
}  # fmt: skip
_REMAINDER = OPS["mod"]
"""What `%` is of floats; that of ints, such as the count of a loop, is not followed."""


def binary(m: Any, node: ast.AST, sign: str) -> Helper:
    """`a sign b`, followed for the picture."""
    return _watched(m, sign, node, _binary(m, node, sign, NATIVE[sign]))


def in_place(m: Any, node: ast.AST, sign: str) -> Helper:
    """`a sign= b`, without the assignment."""
    return _binary(m, node, sign, IN_PLACE[sign])


def part(m: Any, node: ast.AST, sign: str) -> Helper:
    """`a sign b` in what is stored as a gradient, which is followed no further."""
    recorded = binary(m, node, sign)
    return plain_binary(m, recorded, sign) if m.is_light else recorded


def plain_binary(m: Any, recorded: Helper, sign: str) -> Helper:
    """`a sign b`, recorded only of the objects of a stand-in or a built-in class."""
    native, plain = NATIVE[sign], m.plain_kinds
    if not m.stand_ins.is_used:
        return native

    def compute(a: Any, b: Any) -> Any:
        if (type(a) in plain and type(b) in plain) or (type(a) in NUMBERS and type(b) in NUMBERS):
            return native(a, b)
        return recorded(a, b)

    return compute


def _watched(m: Any, sign: str, node: ast.AST, compute: Helper) -> Helper:
    return m.witness.operator(sign, node, compute) if m.watches else compute


def _binary(m: Any, node: ast.AST, sign: str, native: Helper) -> Helper:
    op, tape, on_numbers, numbers = OPS.get(sign), m.tape, NATIVE[sign], NUMBERS
    if op is None:
        return _unfollowed(m, node, sign, native)
    own = frozenset() if m.stand_ins.is_used else known.classes
    """Where nothing else is at work, operators of the program's classes are called as they are."""

    def compute(a: Any, b: Any) -> Any:
        if type(a) not in numbers or type(b) not in numbers:
            if type(a) in own:
                m.node = node
                return native(a, b)
            return _general(m, node, op, native, a, b)
        result = on_numbers(a, b)
        kind = type(result)
        if kind is float:
            out: Any = TapedFloat(result)
            out.owner = None
        elif kind is int:
            out = TapedInt(result)
        else:
            return result  # a power that is complex
        out.op = op
        out.args = (a, b)
        out.node = node
        out.scope = m.scope
        out.serial = tape.made
        tape.made += 1
        tape.last_number = out
        return out

    return compute


def _unfollowed(m: Any, node: ast.AST, sign: str, native: Helper) -> Helper:
    """Signs that are no operations of the picture."""

    def compute(a: Any, b: Any) -> Any:
        if type(a) in STORED and type(b) in STORED:
            m.node = node
            result = native(plain(a), plain(b))
            is_followed = type(a) in FOLLOWED or type(b) in FOLLOWED
            if sign == "%" and type(result) in (float, Float64) and is_followed:
                return m.tape.follow(_REMAINDER, result, (a, b), node)
            return m.own.connected(result, (a, b)) if m.own.holds and is_followed else result
        m.node = node
        if is_a(a, str | bytes):
            return native(a, b)
        return native(a, b)

    return compute


_PRODUCT = OPS["*"]
_REPEATED = (
    "A list times a number repeats the list; for products of its items write [v*2 for v in x]."
)


def _holds_values(x: Any) -> bool:
    return type(x) is list and bool(x) and is_a(x[0], Value)


def _general(m: Any, node: ast.AST, op: Any, native: Helper, a: Any, b: Any) -> Any:
    """`a sign b` where one of them is no plain number."""
    if type(a) in m.plain_kinds and type(b) in m.plain_kinds:
        if op is _PRODUCT and (_holds_values(a) or _holds_values(b)):
            m.note(_REPEATED, node)
        return native(a, b)
    m.node = node
    if is_a(a, Value) or is_a(b, Value):
        return _of_values(m, node, op, native, a, b)
    if op is _PRODUCT and (_holds_values(a) or _holds_values(b)):
        m.note(_REPEATED)
    result = native(plain(a), plain(b) if type(a) in STORED else b)
    kind = type(result)
    if kind is Float64 and (type(a) in FOLLOWED or type(b) in FOLLOWED):
        if type(a) in STORED and type(b) in STORED:
            return m.tape.follow(op, result, (a, b), node)
    elif is_a(result, Value) and result.origin is None:
        m.tape.adopt(result, node)
    return result


def _of_values(m: Any, node: ast.AST, op: Any, native: Helper, a: Any, b: Any) -> Any:
    if m.is_computable(a, b):
        if m.follows_micrograd and op.name in m.micrograd_ways:
            return m.micrograd_ways[op.name](m, a, b, node)
        return m.tape.apply(op, (a, b), node)
    if type(a) in FOLLOWED:
        a = m.tape.lift(a)
    elif type(b) in FOLLOWED:
        b = m.tape.lift(b)
    result = native(a, b)
    if is_a(result, Value) and result.origin is None:
        m.tape.adopt(result, node)
    return result


def negation(m: Any, node: ast.AST) -> Helper:
    """`-x`"""
    neg = OPS["neg"]
    native = operator.neg if m.witness is None else m.witness.operator("neg", node, operator.neg)

    def compute(x: Any) -> Any:
        kind = type(x)
        if kind is float or kind is int:
            return -x
        m.node = node
        if kind in FOLLOWED:
            return m.tape.follow(neg, -plain(x), (x,), node)
        if m.is_built_in(x):
            return m.tape.apply(neg, (x,), node)
        return m.tape.adopt(native(x), node)

    return compute


def plus(m: Any, node: ast.AST) -> Helper:
    """`+x`"""
    return lambda x: x if type(x) in STORED else +x


def comparison(m: Any, node: ast.AST, sign: str) -> Helper:
    """`a < b` and the like, where a tensor may be compared."""
    return _ORDERS[sign]


_CHOICES = (OPS["max"], OPS["min"])
"""Operations whose result is one of their args."""


def identity(m: Any, node: ast.AST, is_same: bool) -> Helper:
    """`a is b` or `a is not b`: max and min return one of their args."""
    return lambda a, b: (a is b or _chosen(a) is _chosen(b)) is is_same


def _chosen(x: Any) -> Any:
    while type(x) in FOLLOWED and x.op in _CHOICES and x.args:
        first, second = x.args
        x = first if first == x else second
    return x
