"""Formulas of the tables as MathML: one writer, for formulas of numbers and of whole arrays."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from html import escape

from engine import parser_lock

SUM, PRODUCT, MINUS, POWER, ATOM = range(1, 6)
"""Operator precedence; a subexpression of lower precedence gets parentheses."""

_RELATIONS: dict[type[ast.cmpop], str] = {
    ast.Gt: "&gt;",
    ast.GtE: "≥",
    ast.Lt: "&lt;",
    ast.LtE: "≤",
    ast.Eq: "=",
    ast.NotEq: "≠",
}
_WRITTEN_OUT = {
    "exp2": "2 ** a",
    "expm1": "exp(a) - 1",
    "log1p": "log(1 + a)",
    "hypot": "sqrt(a ** 2 + b ** 2)",
}
"""Functions without a symbol, as formulas of their arguments a and b."""


class MathWriter:
    """Writes a formula; those of another kind override how names and signs are written."""

    signs: Mapping[type[ast.operator], tuple[str, int]] = {
        ast.Add: ("+", SUM),
        ast.Sub: ("−", SUM),
        ast.Mult: ("·", PRODUCT),
        ast.Mod: ("mod", PRODUCT),
    }
    functions: Mapping[str, str] = {"log": "ln", "log2": "log₂", "log10": "log₁₀", "sigmoid": "σ"}

    def write(self, node: ast.expr, hold: int = 0) -> str:
        """`node`, in parentheses if its precedence is lower than `hold`."""
        if isinstance(node, ast.BinOp):
            return self._binary(node, hold)
        if isinstance(node, ast.UnaryOp):
            return paren(f"<mo>−</mo>{self.write(node.operand, MINUS)}", hold > SUM)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            return self.call(node.func.id, node.args, hold)
        if isinstance(node, ast.Name):
            return self.name(node.id, hold)
        if isinstance(node, ast.Constant):
            return self.number(node)
        if isinstance(node, ast.Compare):
            relation = _RELATIONS[type(node.ops[0])]
            return f"{self.write(node.left)}<mo>{relation}</mo>{self.write(node.comparators[0])}"
        if isinstance(node, ast.BoolOp):
            word = "and" if isinstance(node.op, ast.And) else "or"
            return f"<mtext>\u00a0{word}\u00a0</mtext>".join(self.write(v) for v in node.values)
        if isinstance(node, ast.IfExp):
            return self._cases(node)
        raise ValueError(f"no equation for {ast.dump(node)}")

    def name(self, name: str, hold: int) -> str:
        return f"<mi>{'π' if name == 'pi' else escape(name)}</mi>"

    def number(self, node: ast.Constant) -> str:
        return f"<mn>{escape(str(node.value))}</mn>"

    def call(self, name: str, args: list[ast.expr], hold: int) -> str:
        if name in _WRITTEN_OUT:
            values = dict(zip("ab", args, strict=False))
            return self.write(
                _Substitution(values).visit(parser_lock.expression(_WRITTEN_OUT[name])), hold
            )
        inside = "<mo>,</mo>".join(self.write(arg) for arg in args)
        if name == "exp":
            return paren(f"<msup><mi>e</mi><mrow>{inside}</mrow></msup>", hold >= ATOM)
        if name == "sqrt":
            return f"<msqrt>{inside}</msqrt>"
        if name == "cbrt":
            root = f"<mroot><mrow>{inside}</mrow><mn>3</mn></mroot>"
            return paren(root, hold >= ATOM)
        if name == "abs":
            return f"<mo>|</mo>{inside}<mo>|</mo>"
        shown = escape(self.functions.get(name, name))
        kind = "" if "<mfrac>" in inside else ' stretchy="false"'
        start, end = f"<mo{kind}>(</mo>", f"<mo{kind}>)</mo>"
        return f'<mi mathvariant="normal">{shown}</mi>{start}{inside}{end}'

    def product(self, node: ast.BinOp, hold: int) -> str:
        return self.joined(node, hold, PRODUCT, PRODUCT + 1)

    def joined(self, node: ast.BinOp, hold: int, left: int, right: int) -> str:
        """Both sides with the sign between them, held as strongly as `left` and `right`."""
        sign, strength = self.signs[type(node.op)]
        sides = self.write(node.left, left), self.write(node.right, right)
        return paren(f"{sides[0]}<mo>{sign}</mo>{sides[1]}", strength < hold)

    def _binary(self, node: ast.BinOp, hold: int) -> str:
        if isinstance(node.op, ast.Div):
            top, bottom = self.write(node.left), self.write(node.right)
            fraction = f"<mfrac><mrow>{top}</mrow><mrow>{bottom}</mrow></mfrac>"
            return paren(fraction, hold >= ATOM)
        if isinstance(node.op, ast.Pow):
            base = f"<mrow>{self.write(node.left, ATOM)}</mrow>"
            power = f"<msup>{base}<mrow>{self.write(node.right)}</mrow></msup>"
            return paren(power, hold >= ATOM)
        if self.signs[type(node.op)][1] == PRODUCT:
            return self.product(node, hold)
        return self.joined(node, hold, 0, SUM + 1)

    def _cases(self, node: ast.IfExp) -> str:
        rows = []
        rest: ast.expr = node
        while isinstance(rest, ast.IfExp):
            rows.append((self.write(rest.body), f"<mtext>if\u00a0</mtext>{self.write(rest.test)}"))
            rest = rest.orelse
        rows.append((self.write(rest), "<mtext>else</mtext>"))
        cells = "".join(
            f"<mtr><mtd><mrow>{value}</mrow></mtd><mtd><mrow>{when}</mrow></mtd></mtr>"
            for value, when in rows
        )
        return f'<mtable class="cases">{cells}</mtable>'


class _Substitution(ast.NodeTransformer):
    """Replaces names by expressions."""

    def __init__(self, values: Mapping[str, ast.expr]) -> None:
        self.values = values

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self.values.get(node.id, node)


def paren(text: str, needed: bool) -> str:
    return f"<mo>(</mo>{text}<mo>)</mo>" if needed else text
