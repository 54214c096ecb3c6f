"""The numbers of a lesson: small expressions over the numbers of one state.

    b.grad              "a*b".data          b.grad @ 7          1 * a.data
    loss(20)            values              assigned: b.grad    b.grad :.2f

A name before a colon is another state of the lesson; a format stands behind one. Expressions are
written by the authors of lessons; their syntax tree is walked, and only what NAMES, FUNCTIONS and
OPERATORS name is computed.
"""

from __future__ import annotations

import ast
import math
import operator
import re
from collections.abc import Callable, Mapping
from typing import NamedTuple, Protocol

from engine import parser_lock
from engine.numbers import in_sentence, with_minus

STATE = re.compile(r"\A\s*([A-Za-z_]\w*)\s*:(?!=)\s*(?=\S)")
FORMAT = re.compile(r"\s*:([+]?(?:\.\d+)?[defg%])\s*\Z")


class NumberError(ValueError):
    """An expression that has no number in its state."""


class Subject(Protocol):
    """The numbers of one state: of a graph, or of a run."""

    def number(self, name: str, arguments: tuple[float, ...] | None) -> float:
        """The number called `name`, of a function with `arguments`. Raises NumberError."""

    def of_value(self, label: str, slot: str, frame: int | None) -> float:
        """`data` or `grad` of a Value, at a frame counted from 1. Raises NumberError."""


OPERATORS: Mapping[type[ast.AST], Callable[..., float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}
FUNCTIONS: Mapping[str, Callable[..., float]] = {
    "abs": abs,
    "exp": math.exp,
    "log": math.log,
    "round": round,
    "sqrt": math.sqrt,
    "tanh": math.tanh,
}


class Expression(NamedTuple):
    """A parsed expression: the state it names, if any, its tree, and its format."""

    state: str | None
    tree: ast.expr
    format: str | None

    @classmethod
    def read(cls, text: str) -> Expression:
        """The expression of a text. Raises NumberError."""
        named, rest, form = None, text, None
        if found := FORMAT.search(rest):
            form, rest = found[1], rest[: found.start()]
        if found := STATE.match(rest):
            named, rest = found[1], rest[found.end() :]
        try:
            return cls(named, parser_lock.expression(rest.strip()), form)
        except SyntaxError:
            raise NumberError(f"{text!r} is no expression.") from None

    @property
    def value_label(self) -> str | None:
        """The Value whose number this is, if it is that of a single one."""
        tree = self.tree
        if isinstance(tree, ast.BinOp) and isinstance(tree.op, ast.MatMult):
            tree = tree.left
        return _label(tree.value) if isinstance(tree, ast.Attribute) else None

    @property
    def slot(self) -> str:
        """`data` or `grad` of the single Value; "" for other numbers."""
        tree = self.tree
        if isinstance(tree, ast.BinOp) and isinstance(tree.op, ast.MatMult):
            tree = tree.left
        return tree.attr if isinstance(tree, ast.Attribute) else ""

    def of(self, subject: Subject) -> float:
        """Its number, True and False as 1 and 0. Raises NumberError."""
        return _value(self.tree, subject)

    def written(self, number: float) -> str:
        """The number as the text shows it: −3, 0.7054, 41."""
        if self.format is not None:
            return with_minus(format(int(number) if self.format == "d" else number, self.format))
        is_count = isinstance(number, int) and not isinstance(number, bool)
        return with_minus(f"{number:,}") if is_count else in_sentence(number)


def _label(tree: ast.expr) -> str | None:
    if isinstance(tree, ast.Name):
        return tree.id
    is_text = isinstance(tree, ast.Constant) and isinstance(tree.value, str)
    return str(tree.value) if is_text else ast.unparse(tree)  # type: ignore[attr-defined]


def _value(tree: ast.expr, subject: Subject) -> float:
    match tree:
        case ast.Constant(value=int() | float() as number):
            return number
        case ast.BinOp(left=ast.Attribute() as left, op=ast.MatMult(), right=right):
            return _of_value(left, subject, int(_value(right, subject)))
        case ast.BinOp(left=left, op=op, right=right) if type(op) in OPERATORS:
            return OPERATORS[type(op)](_value(left, subject), _value(right, subject))
        case ast.UnaryOp(op=op, operand=operand) if type(op) in OPERATORS:
            return OPERATORS[type(op)](_value(operand, subject))
        case ast.BoolOp(op=ast.And(), values=values):
            return all(_value(value, subject) for value in values)
        case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in OPERATORS:
            return OPERATORS[type(op)](_value(left, subject), _value(right, subject))
        case ast.Attribute():
            return _of_value(tree, subject, None)
        case ast.Name(id=name):
            return subject.number(name, None)
        case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]):
            numbers = tuple(_value(argument, subject) for argument in arguments)
            return FUNCTIONS[name](*numbers) if name in FUNCTIONS else subject.number(name, numbers)
    raise NumberError(f"{ast.unparse(tree)!r} is no number of a lesson.")


def _of_value(tree: ast.Attribute, subject: Subject, frame: int | None) -> float:
    label = _label(tree.value)
    if label is None or tree.attr not in ("data", "grad"):
        raise NumberError(f"{ast.unparse(tree)!r} is neither data nor grad of a Value.")
    return subject.of_value(label, tree.attr, frame)
