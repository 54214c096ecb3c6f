"""The arithmetic of a write, in the words of its line: other.data 0.5 × out.grad −0.16 = −0.08."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from engine.numbers import in_equation, more_digits
from engine.record.model import RunNumber
from engine.value import number

from .ledger import LedgerWrite
from .terms import term_of

MOST = 6
"""Factors that are shown."""
LENGTH = 120
"""Characters of all of them."""
SIGNS = {ast.Mult: "×", ast.Div: "÷"}
OPS = {ast.Mult: "*", ast.Div: "/"}


class Factor(NamedTuple):
    """A part of a product: the sign before it, its text, its number.

    The text of a literal is its number.
    """

    sign: str
    text: str
    number: float
    is_literal: bool = False

    def shown(self, more: int) -> str:
        number = "" if self.is_literal else f" {in_equation(self.number, more=more)}"
        return f"{self.sign} {self.text}{number}".strip()


def arithmetic(entry: LedgerWrite, statement: ast.AST) -> str:
    """The factors of what a statement added, with their numbers; "" for what is no product."""
    found = list(_factors(_added(statement), term_of(entry)))
    if not 2 <= len(found) <= MOST:
        return ""
    more = more_digits([it.number for it in found], entry.amount, _product(found))
    text = f"{' '.join(it.shown(more) for it in found)} = {in_equation(entry.amount)}"
    return text if len(text) <= LENGTH else ""


def _product(factors: Sequence[Factor]) -> Callable[..., float]:
    """Computes what the factors give, from their numbers."""

    def compute(first: float, *rest: float) -> float:
        found = first
        for factor, x in zip(factors[1:], rest, strict=True):
            if factor.sign == SIGNS[ast.Div] and x == 0:
                return math.nan
            found = found / x if factor.sign == SIGNS[ast.Div] else found * x
        return found

    return compute


def _added(statement: ast.AST) -> ast.expr | None:
    """The expression for what a statement adds."""
    match statement:
        case ast.AugAssign(op=ast.Add(), value=value):
            return value
        case ast.Assign(value=ast.BinOp(left=ast.Attribute(), op=ast.Add(), right=value)):
            return value
        case ast.Assign(value=value):
            return value
    return None


def _factors(node: ast.expr | None, term: Any, sign: str = "") -> Iterator[Factor]:
    """The factors of a product, as far as the text and the followed number have the same shape."""
    if isinstance(node, ast.BinOp) and type(node.op) in SIGNS and _is_same(node, term):
        yield from _factors(node.left, term.args[0], sign)
        yield _factor(SIGNS[type(node.op)], node.right, term.args[1])
    elif node is not None and term is not None:
        yield _factor(sign, node, term)


def _factor(sign: str, node: ast.expr, term: Any) -> Factor:
    text = _closed(node, ast.unparse(node))
    return Factor(sign, text, float(number(term)), isinstance(node, ast.Constant))


def _is_same(node: ast.BinOp, term: Any) -> bool:
    is_op = isinstance(term, RunNumber) and term.op is not None and len(term.args) == 2
    return is_op and term.op.name == OPS[type(node.op)]


def _closed(node: ast.expr, text: str) -> str:
    """The text of a factor, in parentheses where it is an expression."""
    is_one = isinstance(node, ast.Name | ast.Attribute | ast.Constant | ast.Call | ast.Subscript)
    return text if is_one else f"({text})"
