"""Arithmetic, comparisons and logic."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from typing import Any

from engine.language.machine import Machine
from engine.language.operators import BUILT_IN, Binary, binary, is_in
from engine.language.plain import FOLLOWED, NUMBERS, plain
from engine.language.sizes import LARGE, check_int, spend_search
from engine.language.tensor_kinds import compared
from engine.language.weights import CONTAINERS, gaps, weigh
from engine.ops import OPS
from engine.record.scopes import Scope
from engine.tensors.scalar import Tensor

from .numbers_of_values import stored
from .unit import Code, Frame, Unit

SIGNS: dict[type[ast.operator], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Pow: "**", ast.FloorDiv: "//",
    ast.Mod: "%", ast.MatMult: "@", ast.LShift: "<<", ast.RShift: ">>", ast.BitOr: "|",
    ast.BitAnd: "&", ast.BitXor: "^",
}  # fmt: skip


def binop(unit: Unit, node: ast.BinOp, scope: Scope) -> Code:
    left, right = unit.all([node.left, node.right], scope)
    return _applied(_operator(unit.machine, node), left, right, node.right)


def binop_to_store(unit: Unit, node: ast.BinOp, scope: Scope) -> tuple[Code, Code]:
    """The code of an operation, and the same for a result that is stored in a Value."""
    left, right = unit.all([node.left, node.right], scope)
    compute = _operator(unit.machine, node)
    in_value = stored(unit.machine, SIGNS[type(node.op)], compute)
    return (
        _applied(compute, left, right, node.right),
        _applied(in_value, left, right, node.right),
    )


def _operator(m: Machine, node: ast.BinOp) -> Binary:
    sign = SIGNS[type(node.op)]
    compute = binary(m, sign, node)
    return compute if m.witness is None else m.witness.operator(sign, node, compute)


def _applied(compute: Binary, left: Code, right: Code, second: ast.expr) -> Code:
    """The code of an operation whose second operand stands at `second`."""
    if isinstance(second, ast.Constant):
        constant = second.value
        return lambda f: compute(left(f), constant)

    def code(f: Frame) -> Any:
        return compute(left(f), right(f))

    return code


def unaryop(unit: Unit, node: ast.UnaryOp, scope: Scope) -> Code:
    m, operand = unit.machine, unit.expression(node.operand, scope)
    if isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant):
        number = node.operand.value
        if type(number) is float or (type(number) is int and number < LARGE):
            negative = -number
            return lambda f: negative
    if isinstance(node.op, ast.Not):
        return lambda f: not operand(f)
    if isinstance(node.op, ast.USub):
        return _negation(m, operand, node)
    native = operator.pos if isinstance(node.op, ast.UAdd) else operator.invert

    def code(f: Frame) -> Any:
        value = operand(f)
        m.node = node
        if isinstance(value, int):
            check_int(m, value)
        return value if native is operator.pos and type(value) in NUMBERS else native(value)

    return code


def _negation(m: Machine, operand: Code, node: ast.UnaryOp) -> Code:
    neg, opposite, witness = OPS["neg"], operator.neg, m.witness
    if witness is not None:
        opposite = witness.operator("neg", node, opposite)

    def code(f: Frame) -> Any:
        value = operand(f)
        kind = type(value)
        if kind is float:
            return -value
        if kind is int:
            if not -LARGE < value < LARGE:
                check_int(m, value)
            return -value
        m.node = node
        if kind in FOLLOWED:
            return m.tape.follow(neg, -plain(value), (value,), node)
        if kind in BUILT_IN:
            return m.tape.apply(neg, (value,), node)
        return m.tape.adopt(opposite(value), node)

    return code


COMPARISONS: dict[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt, ast.GtE: operator.ge,
    ast.Eq: operator.eq, ast.NotEq: operator.ne,
}  # fmt: skip
CHOICES = (OPS["max"], OPS["min"])
"""Operations whose result is one of their args."""


def is_same(a: Any, b: Any) -> bool:
    """a is b, where max and min return one of their args, as in CPython."""
    return a is b or _chosen(a) is _chosen(b)


def _chosen(x: Any) -> Any:
    while type(x) in FOLLOWED and x.op in CHOICES and x.args:
        first, second = x.args
        x = first if first == x else second
    return x


def _comparison(m: Machine, sign: ast.cmpop, node: ast.Compare) -> Binary:
    if isinstance(sign, ast.In | ast.NotIn):
        wanted = isinstance(sign, ast.In)

        def membership(a: Any, b: Any) -> bool:
            m.node = node
            return is_in(m, a, b) is wanted

        return membership
    if isinstance(sign, ast.Is):
        return is_same
    if isinstance(sign, ast.IsNot):
        return lambda a, b: not is_same(a, b)
    native = COMPARISONS[type(sign)]

    def compare(a: Any, b: Any) -> Any:
        if type(a) in NUMBERS and type(b) in NUMBERS:
            return native(a, b)
        m.node = node
        if isinstance(a, Tensor) or isinstance(b, Tensor):
            return compared(m, native, a, b)
        if isinstance(a, CONTAINERS) and isinstance(b, CONTAINERS):
            weigh(m, a)
            m.spend(gaps(b))
        elif isinstance(a, str | bytes):
            spend_search(m, a)
        return native(plain(a), b)

    return compare


def compare(unit: Unit, node: ast.Compare, scope: Scope) -> Code:
    first, *rest = unit.all([node.left, *node.comparators], scope)
    tests = [_comparison(unit.machine, sign, node) for sign in node.ops]
    if len(rest) == 1:
        (test,), (second,) = tests, rest
        return lambda f: test(first(f), second(f))
    pairs = list(zip(tests, rest, strict=True))

    def chain(f: Frame) -> Any:
        left, result = first(f), True
        for test, operand in pairs:
            right = operand(f)
            result = test(left, right)
            if not result:
                return result
            left = right
        return result

    return chain


def boolop(unit: Unit, node: ast.BoolOp, scope: Scope) -> Code:
    parts = unit.all(node.values, scope)
    if isinstance(node.op, ast.And):

        def both(f: Frame) -> Any:
            value = None
            for part in parts:
                value = part(f)
                if not value:
                    return value
            return value

        return both

    def either(f: Frame) -> Any:
        value = None
        for part in parts:
            value = part(f)
            if value:
                return value
        return value

    return either


def ifexp(unit: Unit, node: ast.IfExp, scope: Scope) -> Code:
    test, yes, no = unit.all([node.test, node.body, node.orelse], scope)
    return lambda f: yes(f) if test(f) else no(f)
