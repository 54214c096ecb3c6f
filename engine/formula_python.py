"""Formulas of the op table as Python text, each with the number that CPython gives for that text.

An expression has two texts. The plain one is what a person would write: `a / b`, `math.exp(x)`. It
raises where Python does: at a pole, outside the domain, on overflow. The total one calls functions
of `engine.real`, which a program then carries in its own text, and never raises.
"""

from __future__ import annotations

import ast
import inspect
import math
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from types import BuiltinFunctionType
from typing import Any, NamedTuple

from engine.caches import cached

from . import parser_lock, real
from .formula_code import operations_in, translate
from .formulas import FUNCTIONS, Function, compile_plain, compile_text, names_in, total_text
from .ops import OPS, Op

RENAMED = {"max": "maximum", "min": "minimum", "pi": "math.pi"}
"""Names of the formula language in a total text, which must not hide Python's own."""
TOTAL = {**FUNCTIONS, "divide": real.divide, "modulo": real.modulo, "power": real.power}


class PythonFormula(NamedTuple):
    """A formula or partial: its two texts, and the functions that compute them.

    `cases` are the conditions, each with the expression that holds under it, the last one without a
    condition; empty for a formula without cases. `functions` are the names that the total text
    calls.
    """

    params: tuple[str, ...]
    plain: str
    total: str
    run_plain: Function
    run_total: Function
    functions: frozenset[str]
    cases: tuple[Case, ...] = ()

    def text(self, args: Sequence[str], total: bool = False) -> str:
        """The text with `args`, names or literals, in place of the parameters."""
        text = self.total if total else self.plain
        given = dict(zip(self.params, args, strict=True))
        if "**" in text:
            given = {name: f"({arg})" if arg[0] == "-" else arg for name, arg in given.items()}
        return _WORD.sub(lambda found: given.get(found[0], found[0]), text)

    def factor(self, args: Sequence[str], total: bool = False) -> str:
        """The text in parentheses, unless it needs none as a factor."""
        text = self.text(args, total)
        return text if _is_factor(self.total if total else self.plain) else f"({text})"

    def case(self, literals: Collection[str], numbers: Sequence[float]) -> PythonFormula:
        """The case that applies, as far as the parameters `literals` alone decide on it."""
        for case in self.cases:
            if not case.names <= {*literals}:
                return self
            if case.holds(*numbers):
                return case.expression.case(literals, numbers)
        return self

    def plain_number(self, numbers: Sequence[float]) -> Any:
        """The number that CPython computes from the plain text, None where it raises."""
        try:
            return self.run_plain(*numbers)
        except (ArithmeticError, ValueError, TypeError):
            return None


class Case(NamedTuple):
    """A case of a formula: its condition, the parameters that decide on it, the expression."""

    holds: Function
    names: frozenset[str]
    expression: PythonFormula


_WORD = re.compile(r"(?<![\w.])[A-Za-z_]\w*")


@cached("formulas in Python")
def forward(op: Op) -> PythonFormula:
    """The formula of an operation: written out if it is one call or operator, else a call of it."""
    tree = parser_lock.expression(op.formula)
    if is_simple(op):
        return _expression(_with_floats(op.formula), op.params, tree)
    call = f"{op.name}({', '.join(op.params)})"
    found = _expression(op.formula, op.params, tree)
    return found._replace(plain=call, total=call, functions=frozenset({op.name}))


@cached("partials in Python")
def partial(op: Op, slot: int) -> PythonFormula:
    """A partial derivative of an operation, a function of the output and the inputs."""
    text = op.partials[slot]
    return _expression(text, ("y", *op.params), parser_lock.expression(text))


def is_simple(op: Op) -> bool:
    """Whether the formula of an operation is one operator or call of its inputs."""
    tree = parser_lock.expression(op.formula)
    parts = {ast.BinOp: "left right", ast.UnaryOp: "operand", ast.Call: "args"}.get(type(tree), "")
    inner: list[ast.AST] = []
    for part in parts.split():
        found = getattr(tree, part)
        inner += found if isinstance(found, list) else [found]
    return bool(inner) and all(isinstance(node, ast.Name | ast.Constant) for node in inner)


def _expression(text: str, params: tuple[str, ...], tree: ast.expr) -> PythonFormula:
    return PythonFormula(
        params,
        translate(text),
        total_code(text),
        compile_plain(text, params, _plain_operations()),
        compile_text(text, params),
        names_of_total(text),
        tuple(_cases(tree, params)),
    )


def _with_floats(text: str) -> str:
    """A formula with floats for its whole numbers: the 0 of `max(x, 0)` has a sign to keep."""
    tree = parser_lock.expression(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, int):
            node.value = float(node.value)
    return ast.unparse(tree)


def _cases(tree: ast.expr, params: tuple[str, ...]) -> Iterator[Case]:
    if isinstance(tree, ast.IfExp):
        test, rest = ast.unparse(tree.test), ast.unparse(tree.orelse)
        holds = compile_text(test, params)
        body = _expression(ast.unparse(tree.body), params, tree.body)
        yield Case(holds, frozenset(names_in(test)), body)
        always = compile_text("0 < 1", params)
        yield Case(always, frozenset(), _expression(rest, params, tree.orelse))


@cached("factors")
def _is_factor(text: str) -> bool:
    """Whether a text needs no parentheses on the left of `*`."""
    tree = parser_lock.expression(text)
    if isinstance(tree, ast.BinOp):
        return isinstance(tree.op, ast.Pow)
    return isinstance(tree, ast.Name | ast.Call | ast.Constant | ast.Attribute)


def total_code(text: str) -> str:
    """A formula as Python text that never raises; see `definitions` for what it calls."""
    return _renamed(total_text(text))


def names_of_total(text: str) -> frozenset[str]:
    """The functions that `total_code(text)` calls."""
    return frozenset(names_in(total_text(text)) & {*TOTAL, *OPS})


def _renamed(text: str) -> str:
    return _WORD.sub(lambda found: RENAMED.get(found[0], found[0]), text)


@cached("plain operations")
def _plain_operations() -> dict[str, Function]:
    """The operations that formulas may call, as CPython computes their texts."""
    found: dict[str, Function] = {}
    for name, op in OPS.items():
        found[name] = compile_plain(op.formula, op.params, found)
    return found


def operation_names(expression: PythonFormula) -> frozenset[str]:
    """The operations that the plain text of an expression calls by their names."""
    called = {found[0] for found in _WORD.finditer(expression.plain)}
    return frozenset(called & {*OPS} - {*TOTAL})


# Functions that a program carries


def definitions(functions: Iterable[str], total: bool) -> list[str]:
    """The source of `functions` and of what they call, in an order in which Python can run it.

    Names of operations become functions of their formula, in the plain text unless `total`; names
    of TOTAL those of `engine.real`.
    """
    wanted = set(functions)
    ops = [*operations_in(sorted(wanted)), *(OPS[x] for x in sorted(wanted & {*OPS} - {*TOTAL}))]
    ops = list({op.name: op for op in ops}.values())
    blocks, needed = [], wanted & {*TOTAL}
    for op in ops:
        text = _renamed(total_text(op.formula)) if total else translate(op.formula)
        needed |= names_in(total_text(op.formula)) & {*TOTAL} if total else set()
        blocks.append(f"def {op.name}({', '.join(op.params)}):\n    return {text}")
    return [*_real_definitions(needed), *blocks]


def _real_definitions(names: Iterable[str]) -> list[str]:
    """Functions of `engine.real` without its annotations."""
    functions = {name: TOTAL[name] for name in sorted(names) if name != "abs"}
    factory = real._nan_outside
    wrapped = [name for name, function in functions.items() if _made_by_factory(function)]
    plain = [name for name, function in functions.items() if _is_builtin(function)]
    out = ["INF = math.inf\nNAN = math.nan"] if functions else []
    out += [_source(factory)] if wrapped else []
    out += [
        _source(function)
        for name, function in functions.items()
        if name not in wrapped and name not in plain
    ]
    lines = [f"{name} = _nan_outside(math.{name})" for name in wrapped]
    lines += [f"{name} = math.{name}" for name in plain]
    return [*out, "\n".join(lines)] if lines else out


def _made_by_factory(function: Callable[..., Any]) -> bool:
    return "<locals>" in getattr(function, "__qualname__", "")


def _is_builtin(function: Callable[..., Any]) -> bool:
    return isinstance(function, BuiltinFunctionType)


@cached("sources of functions")
def _source(function: Callable[..., Any]) -> str:
    """The source of a function, without annotations."""
    tree = parser_lock.module(inspect.getsource(function))
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            node.returns = None
            for arg in node.args.args:
                arg.annotation = None
    return ast.unparse(tree)


def same(a: Any, b: float) -> bool:
    """Whether two numbers are one: equal with equal signs of zero, or both nan."""
    if not isinstance(a, int | float):
        return False
    if a != a or b != b:
        return a != a and b != b
    return a == b and (a != 0 or math.copysign(1.0, a) == math.copysign(1.0, b))
