"""The case of a formula that applies: the branch of `A if C else B`, and constant exponents.

A formula of the table covers all numbers; an explanation shows the case of the numbers at hand: of
the partial `b * a ** (b - 1) if b != 0 else 0`, for the constant exponent 2, `2 * a`.
"""

from __future__ import annotations

import ast
import math
from typing import TypeGuard

from engine import parser_lock
from engine.caches import cached
from engine.formulas import Function, compile_text
from engine.ops import OPS, Op

LARGE = 1e16
"""Whole numbers from here on are written as floats: 1e+300."""


@cached("branches of a formula")
def branches(text: str) -> tuple[str, ...]:
    """The branches of `A if C else B if D else …`, in order; `text` alone without conditions."""
    rest, found = parser_lock.expression(text), []
    while isinstance(rest, ast.IfExp):
        found.append(ast.unparse(rest.body))
        rest = rest.orelse
    return (*found, ast.unparse(rest)) if found else (text,)


@cached("choosers of a branch")
def chooser(text: str, params: tuple[str, ...]) -> Function:
    """A function of `params` that returns the index of the branch that applies."""
    rest, tests = parser_lock.expression(text), []
    while isinstance(rest, ast.IfExp):
        tests.append(ast.unparse(rest.test))
        rest = rest.orelse
    cases = [f"{i} if {test} else " for i, test in enumerate(tests)]
    return compile_text(f"{''.join(cases)}{len(tests)}", params)


@cached("formulas at a number")
def specialised(text: str, param: str, value: float) -> str:
    """`text` with the number `value` for `param`: decided conditions, powers 0 and 1 and factors
    0, 1 and −1 worked out; `text` itself for a number that is not finite, which has no literal.
    """
    if not math.isfinite(value):
        return text
    tree = _Simplifier(param, value).visit(parser_lock.expression(text))
    return ast.unparse(ast.fix_missing_locations(tree))


def is_bare(text: str) -> bool:
    """Whether `text` is a single name or number, which needs no second line with its number."""
    tree = parser_lock.expression(text)
    tree = tree.operand if isinstance(tree, ast.UnaryOp) else tree
    return isinstance(tree, ast.Constant | ast.Name)


def is_number(text: str) -> bool:
    """Whether `text` is a number, with or without a minus sign."""
    return _value(parser_lock.expression(text)) is not None


class _Simplifier(ast.NodeTransformer):
    def __init__(self, param: str, value: float) -> None:
        self.param, self.value = param, value

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return _number(self.value) if node.id == self.param else node

    def visit_IfExp(self, node: ast.IfExp) -> ast.expr:
        test = self.visit(node.test)
        decided = _decided(test)
        if decided is None:
            return ast.IfExp(test, self.visit(node.body), self.visit(node.orelse))
        chosen: ast.expr = self.visit(node.body if decided else node.orelse)
        return chosen

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        self.generic_visit(node)
        left, right = _value(node.left), _value(node.right)
        if left is not None and right is not None and isinstance(node.op, ast.Add | ast.Sub):
            return _number(left + right if isinstance(node.op, ast.Add) else left - right)
        if isinstance(node.op, ast.Pow) and right in (0.0, 1.0):
            return node.left if right else _number(1.0)
        if isinstance(node.op, ast.Mult):
            return _product(node, left, right)
        return node


def _product(node: ast.BinOp, left: float | None, right: float | None) -> ast.expr:
    if left is not None and right is not None:
        return _number(left * right)
    for factor, other in ((left, node.right), (right, node.left)):
        if factor == 1.0:
            return other
        if factor == -1.0:
            return ast.UnaryOp(ast.USub(), other)
    return node


def _decided(test: ast.expr) -> bool | None:
    """The truth of a comparison of two numbers; None if it depends on a name."""
    if not isinstance(test, ast.Compare):
        return None
    if _value(test.left) is None or _value(test.comparators[0]) is None:
        return None
    return bool(compile_text(ast.unparse(ast.fix_missing_locations(test)), ())())


def _value(node: ast.expr) -> float | None:
    if isinstance(node, ast.UnaryOp) and isinstance(node.operand, ast.Constant):
        return -float(node.operand.value)  # type: ignore[arg-type]
    return float(node.value) if isinstance(node, ast.Constant) else None  # type: ignore[arg-type]


def _number(value: float) -> ast.expr:
    size = abs(value)
    shown = ast.Constant(int(size) if size < LARGE and float(size).is_integer() else size)
    return ast.UnaryOp(ast.USub(), shown) if value < 0 else shown


def _exponent_slot(op: Op) -> int | None:
    """The input that the operation's formula has as an exponent; None without one."""
    powers = (node for node in ast.walk(parser_lock.expression(op.formula)) if _is_power(node))
    names = [node.right.id for node in powers if isinstance(node.right, ast.Name)]
    return op.params.index(names[0]) if names else None


def _is_power(node: ast.AST) -> TypeGuard[ast.BinOp]:
    return isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow)


EXPONENTS: dict[str, int] = {
    name: slot for name, op in OPS.items() if (slot := _exponent_slot(op)) is not None
}
"""The input that is an exponent in the formula of an operation, by the operation's name."""
