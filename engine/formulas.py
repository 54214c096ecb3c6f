"""The formula language of the tables, compiled to Python functions.

A formula is text: numbers, parameters, `y` (the output; in partials only), `pi`, `+ - * / % **`,
unary minus, comparisons, `A if C else B`, and calls of FUNCTIONS or of operations defined earlier.
It is compiled once, on import; user input never reaches this module.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Mapping
from typing import Any

from . import parser_lock, real

Function = Callable[..., float]


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
    source = f"lambda {', '.join(params)}: {total_text(text)}"
    function: Function = eval(compile(source, f"<{text}>", "eval"), _names())
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


def names_in(text: str) -> set[str]:
    """The identifiers in an entry's text: parameters, `y`, functions."""
    return {node.id for node in ast.walk(parser_lock.module(text)) if isinstance(node, ast.Name)}


def compile_plain(text: str, params: tuple[str, ...], defined: Mapping[str, Function]) -> Function:
    """Compile a formula as CPython reads its text: it raises, or is complex, where Python's is.

    `defined` are the operations that it may call.
    """
    of_math = {name: getattr(math, name) for name in _REAL if hasattr(math, name)}
    plain = {"abs": abs, "max": max, "min": min, "__builtins__": {}}
    names = {**defined, **of_math, **CONSTANTS, **plain}
    function: Function = eval(f"lambda {', '.join(params)}: {text}", names)
    return function


def total_text(text: str) -> str:
    """A formula with the functions of `engine.real` in place of operators that may raise."""
    return ast.unparse(ast.fix_missing_locations(_Total().visit(parser_lock.expression(text))))


def _names() -> dict[str, Any]:
    """The namespace of a formula."""
    arithmetic = {"divide": real.divide, "modulo": real.modulo, "power": real.power}
    return {**DEFINED, **FUNCTIONS, **CONSTANTS, **arithmetic, "__builtins__": {}}
