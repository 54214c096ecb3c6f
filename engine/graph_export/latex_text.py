"""Names, numbers and formulas of the op table as LaTeX."""

from __future__ import annotations

import ast
import math
import unicodedata
from collections.abc import Mapping

from engine import parser_lock
from engine.caches import cached
from engine.formulas import Function, compile_text
from engine.numbers import plain

SUM, PRODUCT, MINUS, POWER, ATOM = range(1, 6)
"""Operator precedence; a subexpression of lower precedence gets parentheses."""
ESCAPED = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#",
    "%": r"\%", "_": r"\_", "^": r"\textasciicircum{}", "~": r"\textasciitilde{}",
    "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}", '"': r"\textquotedbl{}",
    "`": r"\textasciigrave{}", "'": r"\textquotesingle{}", "-": "{-}",
}  # fmt: skip
GREEK = (
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho"
    " varsigma sigma tau upsilon phi chi psi omega"
)
_OPERATORS: Mapping[type[ast.operator], tuple[str, int]] = {
    ast.Add: ("+", SUM),
    ast.Sub: ("-", SUM),
    ast.Mult: (r" \cdot ", PRODUCT),
    ast.Mod: (r" \bmod ", PRODUCT),
}
_RELATIONS: Mapping[type[ast.cmpop], str] = {
    ast.Gt: ">", ast.GtE: r"\ge", ast.Lt: "<", ast.LtE: r"\le", ast.Eq: "=", ast.NotEq: r"\ne",
}  # fmt: skip
_FUNCTIONS = {"log": r"\ln", "sigmoid": r"\sigma", "max": r"\max", "min": r"\min"} | {
    name: rf"\{name}" for name in ("sin", "cos", "tan", "sinh", "cosh", "tanh")
}


def text(words: str) -> str:
    """Any text as LaTeX text in ASCII: other letters without accents, by name, or by number."""
    return "".join(map(_letter, unicodedata.normalize("NFKC", words)))


def _letter(letter: str) -> str:
    if letter in ESCAPED:
        return ESCAPED[letter]
    if " " <= letter <= "~":
        return letter
    if not letter.isprintable():
        return " "
    at = ord(letter.lower()) - 0x3B1
    if 0 <= at < 25 and GREEK.split()[at] != "omicron":
        return rf"\ensuremath{{\{GREEK.split()[at]}}}"
    bare = unicodedata.normalize("NFKD", letter)[0]
    return bare if bare.isascii() and bare.isalnum() else f"[U+{ord(letter):04X}]"


def name(words: str) -> str:
    """The name of a Value in a formula."""
    if len(words) == 1 and words.isascii() and words.isalpha():
        return words
    return rf"\text{{{text(words)}}}"


def number(x: float, *, paren: bool = False) -> str:
    """A number with all its digits; `paren` puts a negative one in parentheses."""
    if not math.isfinite(x):
        shown = r"\mathrm{nan}" if x != x else r"\infty" if x > 0 else r"-\infty"
    else:
        mantissa, _, exponent = plain(float(x)).partition("e")
        shown = rf"{mantissa} \cdot 10^{{{int(exponent)}}}" if exponent else mantissa
    return f"({shown})" if paren and (shown.startswith("-") or "cdot" in shown) else shown


def formula(source: str, slots: Mapping[str, str], numbers: Mapping[str, float]) -> str:
    """The case of a formula of the table that applies to `numbers`, with `slots` for parameters."""
    tree = parser_lock.expression(source)
    while isinstance(tree, ast.IfExp):
        holds = _condition(ast.unparse(tree.test), tuple(numbers))
        tree = tree.body if holds(*numbers.values()) else tree.orelse
    return _Writer(slots).write(tree)


@cached("conditions in LaTeX")
def _condition(source: str, params: tuple[str, ...]) -> Function:
    return compile_text(source, params)


class _Writer:
    def __init__(self, slots: Mapping[str, str]) -> None:
        self.slots = slots

    def write(self, node: ast.expr, hold: int = 0) -> str:
        """`node`, in parentheses if its precedence is lower than `hold`."""
        if isinstance(node, ast.BinOp):
            return self._binary(node, hold)
        if isinstance(node, ast.UnaryOp):
            return _paren(f"-{self.write(node.operand, MINUS)}", hold > SUM)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            return self._call(node.func.id, node.args, hold)
        if isinstance(node, ast.Name):
            return self.slots.get(node.id, r"\pi" if node.id == "pi" else name(node.id))
        if isinstance(node, ast.Constant):
            return str(node.value)
        if isinstance(node, ast.Compare):
            relation = _RELATIONS[type(node.ops[0])]
            return f"{self.write(node.left)} {relation} {self.write(node.comparators[0])}"
        if isinstance(node, ast.BoolOp):
            word = "and" if isinstance(node.op, ast.And) else "or"
            return rf" \text{{ {word} }} ".join(self.write(value) for value in node.values)
        if isinstance(node, ast.IfExp):
            return self._cases(node)
        raise ValueError(f"no LaTeX for {ast.dump(node)}")

    def _binary(self, node: ast.BinOp, hold: int) -> str:
        if isinstance(node.op, ast.Div):
            out = rf"\frac{{{self.write(node.left)}}}{{{self.write(node.right)}}}"
            return _paren(out, hold >= ATOM)
        if isinstance(node.op, ast.Pow):
            out = f"{{{self.write(node.left, ATOM)}}}^{{{self.write(node.right)}}}"
            return _paren(out, hold >= ATOM)
        sign, strength = _OPERATORS[type(node.op)]
        left = self.write(node.left, strength if strength == PRODUCT else 0)
        return _paren(f"{left}{sign}{self.write(node.right, strength + 1)}", strength < hold)

    def _call(self, function: str, args: list[ast.expr], hold: int) -> str:
        inside = ", ".join(self.write(arg) for arg in args)
        if function == "exp":
            return _paren(f"e^{{{inside}}}", hold >= ATOM)
        if function == "sqrt":
            return rf"\sqrt{{{inside}}}"
        if function == "cbrt":
            return _paren(rf"\sqrt[3]{{{inside}}}", hold >= ATOM)
        if function == "abs":
            return rf"\left|{inside}\right|"
        shown = _FUNCTIONS.get(function, rf"\operatorname{{{text(function)}}}")
        return rf"{shown}\left({inside}\right)"

    def _cases(self, node: ast.expr) -> str:
        rows = []
        while isinstance(node, ast.IfExp):
            rows.append(rf"{self.write(node.body)} & \text{{if }} {self.write(node.test)}")
            node = node.orelse
        rows.append(rf"{self.write(node)} & \text{{else}}")
        return r"\begin{cases}" + r" \\ ".join(rows) + r"\end{cases}"


def _paren(inside: str, needed: bool) -> str:
    return rf"\left({inside}\right)" if needed else inside
