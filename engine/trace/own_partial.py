"""Partial derivatives that a visitor writes: an expression in the parameters of one operation.

The language is that of the tables (`engine.formulas`): numbers, the operation's parameters, `y` for
its output, `pi`, `+ - * / % **`, signs, `A if C else B` with comparisons joined by `and` and `or`,
and calls of the tables' functions. The text is parsed, checked and turned into closures; nothing of
it is evaluated by Python.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping

from engine import parser_lock, real
from engine.formulas import CONSTANTS, FUNCTIONS
from engine.ops import OPS, Op

LONGEST = 200
"""Characters of an expression."""
Numbers = Mapping[str, float]
Formula = Callable[[Numbers], float]
Condition = Callable[[Numbers], bool]


class ExpressionError(ValueError):
    """An expression that is not one of the language; the message is for the visitor."""


def read_partial(text: str, op: Op) -> Callable[..., float]:
    """The function of the output and the inputs of `op`, in this order. Raises ExpressionError."""
    reader = _Reader((*op.params, "y"))
    formula = reader.number(_parsed(text))
    names = ("y", *op.params)
    return lambda *numbers: formula(dict(zip(names, numbers, strict=True)))


def _parsed(text: str) -> ast.expr:
    if not text.strip():
        raise ExpressionError("Write an expression, such as 2 * y.")
    if len(text) > LONGEST:
        raise ExpressionError(f"The expression has {len(text):,} characters; at most {LONGEST}.")
    try:
        return parser_lock.expression(text.strip())
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        raise ExpressionError(f"“{text.strip()}” is not an expression.") from None


_BINARY: dict[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: real.divide,
    ast.Mod: real.modulo,
    ast.Pow: real.power,
}
_RELATIONS: dict[type[ast.cmpop], Callable[[float, float], bool]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}


class _Reader:
    """Turns a syntax tree into closures; `names` are the parameters that it may use."""

    def __init__(self, names: tuple[str, ...]) -> None:
        self.names = names

    def number(self, node: ast.expr) -> Formula:
        match node:
            case ast.Constant(value=int() | float() as x) if not isinstance(x, bool):
                return _constant(float(x))
            case ast.Name(id=name):
                return self._name(name)
            case ast.BinOp(left=left, op=sign, right=right) if type(sign) in _BINARY:
                return _both(_BINARY[type(sign)], self.number(left), self.number(right))
            case ast.UnaryOp(op=ast.USub(), operand=inner):
                of = self.number(inner)
                return lambda at: -of(at)
            case ast.UnaryOp(op=ast.UAdd(), operand=inner):
                return self.number(inner)
            case ast.IfExp(test=test, body=body, orelse=orelse):
                when, then, other = self._truth(test), self.number(body), self.number(orelse)
                return lambda at: then(at) if when(at) else other(at)
            case ast.Call(func=ast.Name(id=name), args=args, keywords=[]):
                return self._call(name, args)
        raise ExpressionError(f"“{ast.unparse(node)}” is not part of the language of partials.")

    def _name(self, name: str) -> Formula:
        if name in CONSTANTS:
            return _constant(CONSTANTS[name])
        if name not in self.names:
            known = f"{', '.join(self.names[:-1])} and {self.names[-1]}"
            raise ExpressionError(f"There is no {name} here; the names are {known}.")
        return lambda at: at[name]

    def _call(self, name: str, args: list[ast.expr]) -> Formula:
        if name in OPS and OPS[name].is_word:
            function, wanted = OPS[name].compute, len(OPS[name].params)
        elif name in FUNCTIONS:
            function, wanted = FUNCTIONS[name], 1
        else:
            raise ExpressionError(f"There is no function {name}.")
        if len(args) != wanted:
            raise ExpressionError(f"{name} takes {wanted} number{'s' if wanted > 1 else ''}.")
        parts = [self.number(arg) for arg in args]
        return lambda at: function(*[part(at) for part in parts])

    def _truth(self, node: ast.expr) -> Condition:
        match node:
            case ast.Compare(left=left, ops=signs, comparators=others) if all(
                type(sign) in _RELATIONS for sign in signs
            ):
                parts = [self.number(part) for part in (left, *others)]
                relations = [_RELATIONS[type(sign)] for sign in signs]
                return lambda at: _holds(relations, [part(at) for part in parts])
            case ast.BoolOp(op=joined, values=values):
                conditions = [self._truth(value) for value in values]
                every = all if isinstance(joined, ast.And) else any
                return lambda at: every([condition(at) for condition in conditions])
            case ast.UnaryOp(op=ast.Not(), operand=inner):
                of = self._truth(inner)
                return lambda at: not of(at)
        raise ExpressionError(f"“{ast.unparse(node)}” is not a comparison, such as a > 0.")


def _constant(x: float) -> Formula:
    return lambda at: x


def _both(function: Callable[[float, float], float], left: Formula, right: Formula) -> Formula:
    return lambda at: function(left(at), right(at))


def _holds(relations: list[Callable[[float, float], bool]], numbers: list[float]) -> bool:
    pairs = zip(relations, numbers, numbers[1:], strict=False)
    return all(relation(one, other) for relation, one, other in pairs)
