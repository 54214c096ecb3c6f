"""Partial derivatives that a visitor writes: an expression in the parameters of one operation.

The language is that of the tables (`engine.formulas`): numbers, the operation's parameters, `y` for
its output, `pi`, `+ - * / % **`, signs, `A if C else B` with comparisons joined by `and`, `or` and
`not`, and calls of the tables' functions. Nothing of the text is evaluated by Python.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from engine import parser_lock, real
from engine.formulas import CONSTANTS, FUNCTIONS, Conditions, Lazy, condition, evaluate
from engine.ops import OPS, Op

LONGEST = 200
"""Characters of an expression."""
_SIGNS: dict[str, Callable[..., float]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "neg": operator.neg,
    "/": real.divide, "%": real.modulo, "**": real.power,
}  # fmt: skip


class ExpressionError(ValueError):
    """An expression that is not one of the language; the message is for the visitor."""


def read_partial(text: str, op: Op) -> Callable[..., float]:
    """The function of the output and the inputs of `op`, in this order. Raises ExpressionError."""
    tree, names = _parsed(text), ("y", *op.params)
    try:
        evaluate(tree, dict.fromkeys(names, 1.0), _Checked((*op.params, "y")))
    except ExpressionError:
        raise
    except ValueError:
        said = f"“{text.strip()}” is not part of the language of partials."
        raise ExpressionError(said) from None
    numbers = _Numbers(names)
    return lambda *given: evaluate(tree, dict(zip(names, given, strict=True)), numbers)


def _parsed(text: str) -> ast.expr:
    if not text.strip():
        raise ExpressionError("Write an expression, such as 2 * y.")
    if len(text) > LONGEST:
        raise ExpressionError(f"The expression has {len(text):,} characters; at most {LONGEST}.")
    try:
        return parser_lock.expression(text.strip())
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        raise ExpressionError(f"“{text.strip()}” is not an expression.") from None


class _Numbers(Conditions[float, bool]):
    """Floats with the total functions of the tables; `known` are the names for a refusal."""

    def __init__(self, known: tuple[str, ...]) -> None:
        self.known = known

    def number(self, x: float, text: str = "", /) -> float:
        return x

    def constant(self, name: str, /) -> float:
        if name not in CONSTANTS:
            known = f"{', '.join(self.known[:-1])} and {self.known[-1]}"
            raise ExpressionError(f"There is no {name} here; the names are {known}.")
        return CONSTANTS[name]

    def operation(self, name: str, /, *args: float) -> float:
        return _SIGNS[name](*args)

    def call(
        self, name: str, args: Sequence[ast.expr], value: Callable[[ast.expr], float], /
    ) -> float:
        if name in OPS and OPS[name].is_word:
            function, wanted = OPS[name].compute, len(OPS[name].params)
        elif name in FUNCTIONS:
            function, wanted = FUNCTIONS[name], 1
        else:
            raise ExpressionError(f"There is no function {name}.")
        if len(args) != wanted:
            raise ExpressionError(f"{name} takes {wanted} number{'s' if wanted > 1 else ''}.")
        return function(*map(value, args))

    def choose(
        self, test: ast.expr, names: Mapping[str, float], a: Lazy[float], b: Lazy[float], /
    ) -> float:
        return a() if condition(test, names, self) else b()

    def compare(self, relation: str, a: float, b: float, /) -> bool:
        found: bool = getattr(operator, relation)(a, b)
        return found

    def combine(self, every: bool, parts: Iterable[bool], /) -> bool:
        return all(parts) if every else any(parts)

    def negate(self, part: bool, /) -> bool:
        return not part


class _Checked(_Numbers):
    """As these, with both branches computed, and all parts of a condition."""

    def choose(self, test: Any, names: Any, a: Lazy[float], b: Lazy[float], /) -> float:
        try:
            condition(test, names, self)
        except ExpressionError:
            raise
        except ValueError:
            said = f"“{ast.unparse(test)}” is not a comparison, such as a > 0."
            raise ExpressionError(said) from None
        return min(a(), b())

    def combine(self, every: bool, parts: Iterable[bool], /) -> bool:
        return super().combine(every, list(parts))
