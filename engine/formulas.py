"""The formula language of the tables, compiled to Python functions.

A formula is text: numbers, parameters, `y` (the output; in partials only), `pi`, `+ - * / % **`,
unary minus, comparisons, `A if C else B`, and calls of FUNCTIONS or of operations defined earlier.
It is compiled once, on import; user input never reaches what is compiled.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from types import CodeType
from typing import Any, Generic, TypeAlias, TypeVar

from . import parser_lock, real
from .caches import cached

T = TypeVar("T")
C = TypeVar("C")
Function = Callable[..., float]
Lazy: TypeAlias = Callable[[], T]

_REAL = (
    "exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "sqrt", "cbrt", "sin", "cos", "tan",
    "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "erf",
    "erfc", "hypot", "fmod", "copysign", "floor", "trunc",
)  # fmt: skip
FUNCTIONS: dict[str, Function] = {
    **{name: getattr(real, name) for name in _REAL},
    "abs": abs,
    "max": real.maximum,
    "min": real.minimum,
}


CONSTANTS = {"pi": math.pi}
SIGNS: dict[type[ast.operator], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Mod: "%", ast.Pow: "**",
}  # fmt: skip
RELATIONS: dict[type[ast.cmpop], str] = {
    ast.Lt: "lt", ast.Gt: "gt", ast.LtE: "le", ast.GtE: "ge", ast.Eq: "eq", ast.NotEq: "ne",
}  # fmt: skip
DEFINED: dict[str, Function] = {}
"""The operations that later formulas may call, by name."""


class _Total(ast.NodeTransformer):
    """Replaces literals by floats; divisions, remainders and powers by calls that never raise."""

    def visit_Constant(self, node: ast.Constant) -> ast.Constant:
        return ast.Constant(float(node.value))  # type: ignore[arg-type]

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        self.generic_visit(node)
        function = {ast.Div: "divide", ast.Mod: "modulo", ast.Pow: "power"}.get(type(node.op))
        if function is None:
            return node
        return ast.Call(ast.Name(function, ast.Load()), [node.left, node.right], [])


def compile_text(text: str, params: tuple[str, ...]) -> Function:
    """Compile a formula of the table to a function of `params`."""
    code = _total_code(f"lambda {', '.join(params)}: {text}", f"<{text}>")
    function: Function = eval(code, _names())
    return function


def compile_columns(text: str, params: tuple[str, ...]) -> Callable[..., list[float]]:
    """Compile a partial to the products of gradients with it, for whole columns of numbers.

    The first argument are the gradients, the others the numbers of `params`.
    """
    each = ", ".join(("G", *params))
    source = f"lambda *columns: [G * ({text}) for {each} in zip(*columns)]"
    code = _total_code(source, f"<{text}>")
    function: Callable[..., list[float]] = eval(code, {**_names(), "zip": zip})
    return function


def compile_pull(params: tuple[str, ...], partials: tuple[str, ...]) -> Callable[[Any], None]:
    """Compile the vector-Jacobian product: a function of a Value that adds to its args' `grad`.

    The partials of `Op.derive` in straight-line code, for the hot path of the backward pass. For
    "*" it reads `g = out.grad; A0, A1 = out.args; ...; A0.grad += g * b; A1.grad += g * a`.
    """
    args = [f"A{slot}" for slot in range(len(params))]
    lines = ["g = out.grad", f"{', '.join(args)}, = out.args"]
    used = {name for text in partials for name in names_in(text)}
    lines += [
        f"{name} = {arg}.data" for name, arg in zip(params, args, strict=True) if name in used
    ]
    lines += ["y = out.data"] if "y" in used else []
    for arg, text in zip(args, partials, strict=True):
        constant = names_in(text) == {"y"} and "if" in text  # 1 or 0: whole gradients stay whole
        partial = text if constant else total_text(text)
        lines.append(f"{arg}.grad += " + ("g" if text == "1" else f"g * ({partial})"))
    names = _names()
    exec("def pull(out):\n  " + "\n  ".join(lines), names)
    pull: Callable[[Any], None] = names["pull"]
    return pull


class FormulaAlgebra(Generic[T]):
    """What numbers and operations of a formula are: a subclass says it for its own kind, T."""

    def number(self, x: float, text: str = "", /) -> T:
        """A number, which the formula writes as `text`."""
        raise NotImplementedError

    def operation(self, name: str, /, *args: T) -> T:
        """One of + - * / % ** neg, a function, or an operation of the table."""
        raise NotImplementedError

    def choose(self, test: ast.expr, names: Mapping[str, T], a: Lazy[T], b: Lazy[T], /) -> T:
        """`a()` where the condition holds, `b()` elsewhere; `condition` evaluates it."""
        raise NotImplementedError

    def constant(self, name: str, /) -> T:
        """A name that is not given."""
        return self.number(CONSTANTS[name], name)

    def call(self, name: str, args: Sequence[ast.expr], value: Callable[[ast.expr], T], /) -> T:
        """A call in a formula; `value` evaluates an argument."""
        return self.operation(name, *map(value, args))


def evaluate(formula: str | ast.expr, names: Mapping[str, T], algebra: FormulaAlgebra[T]) -> T:
    """A formula or partial of the table over an algebra; `names` are its parameters, and `y`.

    Arguments are evaluated from left to right, once for each time that they are written. Raises
    ValueError for what is not in the language of formulas.
    """

    def value(tree: ast.expr) -> T:
        match tree:  # the most frequent first
            case ast.Name():
                return names[tree.id] if tree.id in names else algebra.constant(tree.id)
            case ast.BinOp() if type(tree.op) in SIGNS:
                sign = SIGNS[type(tree.op)]
                return algebra.operation(sign, value(tree.left), value(tree.right))
            case ast.Constant(value=int() | float() as x) if not isinstance(x, bool):
                return algebra.number(float(x), repr(x))
            case ast.Call(func=ast.Name(id=name), keywords=[]):
                return algebra.call(name, tree.args, value)
            case ast.UnaryOp(op=ast.USub()):
                return algebra.operation("neg", value(tree.operand))
            case ast.UnaryOp(op=ast.UAdd()):
                return value(tree.operand)
            case ast.IfExp(test=test, body=a, orelse=b):
                return algebra.choose(test, names, lambda: value(a), lambda: value(b))
        raise ValueError(f"not a formula: {ast.unparse(tree)!r}")

    return value(_expression(formula) if isinstance(formula, str) else formula)


class Conditions(FormulaAlgebra[T], Generic[T, C]):
    """An algebra with conditions of a kind of its own, C."""

    def compare(self, relation: str, a: T, b: T, /) -> C:
        """A comparison: lt, gt, le, ge, eq, ne."""
        raise NotImplementedError

    def combine(self, every: bool, parts: Iterable[C], /) -> C:
        """The conjunction (`every`) or disjunction of `parts`, each evaluated when it is asked."""
        raise NotImplementedError

    def negate(self, part: C, /) -> C:
        """The opposite of a condition."""
        raise NotImplementedError


def condition(test: ast.expr, names: Mapping[str, T], algebra: Conditions[T, C]) -> C:
    """The condition of an `if` in a formula. Raises ValueError as `evaluate` does."""
    match test:
        case ast.Compare(left=left, ops=ops, comparators=rest) if {*map(type, ops)} <= {*RELATIONS}:
            sides = pairwise([evaluate(side, names, algebra) for side in (left, *rest)])
            found = [
                algebra.compare(RELATIONS[type(op)], *ab) for op, ab in zip(ops, sides, strict=True)
            ]
            return found[0] if len(found) == 1 else algebra.combine(True, found)
        case ast.UnaryOp(op=ast.Not(), operand=opposite):
            return algebra.negate(condition(opposite, names, algebra))
        case ast.BoolOp(op=op, values=parts):
            each = (condition(part, names, algebra) for part in parts)
            return algebra.combine(isinstance(op, ast.And), each)
    raise ValueError(f"not a condition: {ast.unparse(test)!r}")


@cached("syntax of formulas")
def _expression(text: str) -> ast.expr:
    return parser_lock.expression(text)


def names_in(text: str) -> set[str]:
    """The identifiers in an entry's text: parameters, `y`, functions."""
    return {node.id for node in ast.walk(parser_lock.module(text)) if isinstance(node, ast.Name)}


def compile_plain(text: str, params: tuple[str, ...], defined: Mapping[str, Function]) -> Function:
    """Compile a formula as CPython reads its text: it raises, or is complex, where Python's is.

    `defined` are the operations that it may call.
    """
    of_math = {name: getattr(math, name) for name in _REAL if hasattr(math, name)}
    plain = {"abs": abs, "max": max, "min": min}
    return compile_over(text, params, {**defined, **of_math, **CONSTANTS, **plain})


def compile_over(
    text: str,
    params: tuple[str, ...],
    names: Mapping[str, Any],
    number: Callable[[float], Any] | None = None,
) -> Callable[..., Any]:
    """Compile a formula over numbers of any kind; `names` are all that it may use.

    `number` makes one of this kind of a float that the formula writes.
    """
    if number is not None:
        tree = parser_lock.expression(text)  # of its own: the visitor changes it
        text = ast.unparse(ast.fix_missing_locations(_Wrapped().visit(tree)))
        names = {**names, "number": number}
    within = {**names, "__builtins__": {}}
    function: Callable[..., Any] = eval(f"lambda {', '.join(params)}: {text}", within)
    return function


class _Wrapped(ast.NodeTransformer):
    """Hands the floats of a formula to `number`."""

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        if not isinstance(node.value, float):
            return node
        return ast.Call(ast.Name("number", ast.Load()), [node], [])


def total_text(text: str) -> str:
    """A formula with the functions of `engine.real` in place of operators that may raise."""
    return ast.unparse(_total(text))


def _total(text: str) -> ast.expr:
    tree: ast.expr = ast.fix_missing_locations(_Total().visit(parser_lock.expression(text)))
    return tree


def _total_code(text: str, name: str) -> CodeType:
    """The code of `total_text`."""
    return compile(ast.Expression(_total(text)), name, "eval")


def _names() -> dict[str, Any]:
    """The namespace of a formula."""
    arithmetic = {"divide": real.divide, "modulo": real.modulo, "power": real.power}
    return {**DEFINED, **FUNCTIONS, **CONSTANTS, **arithmetic, "__builtins__": {}}
