"""Equations on the page: formulas and partials of the op table as MathML templates.

Names and numbers of the shown graph are empty elements whose `data-slot` identifies the value:
`x0.term` (a name in a formula), `y.tag` (a name in a fraction), `x1.data`. One template serves
every frame of an operation; the server fills it in `app.explore.explanation` and the browser in
`static/js/explore/explanation.js`.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from html import escape

from engine import parser_lock
from engine.caches import cached
from engine.ops import Op

Name = Callable[[str], str]

SUM, PRODUCT, MINUS, POWER, ATOM = range(1, 6)
"""Operator precedence; a subexpression of lower precedence gets parentheses."""

_SIGNS: dict[type[ast.operator], tuple[str, int]] = {
    ast.Add: ("+", SUM),
    ast.Sub: ("−", SUM),
    ast.Mult: ("·", PRODUCT),
    ast.Mod: ("mod", PRODUCT),
}
_RELATIONS: dict[type[ast.cmpop], str] = {
    ast.Gt: "&gt;",
    ast.GtE: "≥",
    ast.Lt: "&lt;",
    ast.LtE: "≤",
    ast.Eq: "=",
    ast.NotEq: "≠",
}
_FUNCTIONS = {"log": "ln", "log2": "log₂", "log10": "log₁₀", "sigmoid": "σ"}
_WRITTEN_OUT = {
    "exp2": "2 ** a",
    "expm1": "exp(a) - 1",
    "log1p": "log(1 + a)",
    "hypot": "sqrt(a ** 2 + b ** 2)",
}
"""Functions without a symbol, as formulas of their arguments a and b."""


def slot(name: str, tag: str = "mi", *, paren: bool = False, kind: str = "") -> str:
    """An empty element for one value; `paren` puts a negative number in parentheses."""
    attributes = f' class="{kind}"' if kind else ""
    return f'<{tag}{attributes}{" data-paren" if paren else ""} data-slot="{name}"></{tag}>'


@cached("MathML of formulas")
def mathml(text: str, params: tuple[str, ...], *, numbers: bool = False, prefix: str = "") -> str:
    """The MathML of `text`, a formula or partial of the table, inside one `mrow`.

    Parameters become slots for names, or for numbers; `y` is the output. `prefix` stands before
    the slots' names, so that one card can show a number twice, with different digits.
    """
    names = {param: f"{prefix}x{i}" for i, param in enumerate(params)} | {"y": f"{prefix}y"}
    return f"<mrow>{_Writer(names, numbers).write(parser_lock.expression(text))}</mrow>"


def formula(op: Op, *, numbers: bool = False) -> str:
    """The formula of `op`."""
    return mathml(op.formula, op.params, numbers=numbers)


def partial(op: Op, index: int, *, numbers: bool = False) -> str:
    """The partial derivative of `op` with respect to input `index`."""
    return mathml(op.partials[index], op.params, numbers=numbers)


def derivative(of: str, by: str) -> str:
    """∂of/∂by, both names of slots."""
    top = f"<mrow><mo>∂</mo>{slot(of)}</mrow>"
    bottom = f"<mrow><mo>∂</mo>{slot(by)}</mrow>"
    return f"<mfrac>{top}{bottom}</mfrac>"


class _Writer:
    def __init__(self, names: dict[str, str], numbers: bool) -> None:
        self.names = names
        self.numbers = numbers

    def write(self, node: ast.expr, hold: int = 0) -> str:
        """`node`, in parentheses if its precedence is lower than `hold`."""
        if isinstance(node, ast.BinOp):
            return self._binary(node, hold)
        if isinstance(node, ast.UnaryOp):
            return _paren(f"<mo>−</mo>{self.write(node.operand, MINUS)}", hold > SUM)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            return self._call(node.func.id, node.args, hold)
        if isinstance(node, ast.Name):
            return self._name(node.id, hold)
        if isinstance(node, ast.Constant):
            return f"<mn>{escape(str(node.value))}</mn>"
        if isinstance(node, ast.Compare):
            relation = _RELATIONS[type(node.ops[0])]
            return f"{self.write(node.left)}<mo>{relation}</mo>{self.write(node.comparators[0])}"
        if isinstance(node, ast.BoolOp):
            word = "and" if isinstance(node.op, ast.And) else "or"
            return f"<mtext>\u00a0{word}\u00a0</mtext>".join(self.write(v) for v in node.values)
        if isinstance(node, ast.IfExp):
            return self._cases(node)
        raise ValueError(f"no equation for {ast.dump(node)}")

    def _name(self, name: str, hold: int) -> str:
        if name not in self.names:
            return f"<mi>{'π' if name == 'pi' else escape(name)}</mi>"
        of = self.names[name]
        if self.numbers:
            return slot(f"{of}.data", "mn", paren=hold > SUM, kind="data")
        return slot(f"{of}.term", paren=hold > SUM)

    def _binary(self, node: ast.BinOp, hold: int) -> str:
        if isinstance(node.op, ast.Div):
            top, bottom = self.write(node.left), self.write(node.right)
            fraction = f"<mfrac><mrow>{top}</mrow><mrow>{bottom}</mrow></mfrac>"
            return _paren(fraction, hold >= ATOM)
        if isinstance(node.op, ast.Pow):
            base = f"<mrow>{self.write(node.left, ATOM)}</mrow>"
            power = f"<msup>{base}<mrow>{self.write(node.right)}</mrow></msup>"
            return _paren(power, hold >= ATOM)
        sign, strength = _SIGNS[type(node.op)]
        left = self.write(node.left, strength if strength == PRODUCT else 0)
        right = self.write(node.right, strength + 1)
        return _paren(f"{left}<mo>{sign}</mo>{right}", strength < hold)

    def _call(self, name: str, args: list[ast.expr], hold: int) -> str:
        if name in _WRITTEN_OUT:
            values = dict(zip("ab", args, strict=False))
            return self.write(
                _Substitution(values).visit(parser_lock.expression(_WRITTEN_OUT[name])), hold
            )
        inside = "<mo>,</mo>".join(self.write(arg) for arg in args)
        if name == "exp":
            return _paren(f"<msup><mi>e</mi><mrow>{inside}</mrow></msup>", hold >= ATOM)
        if name == "sqrt":
            return f"<msqrt>{inside}</msqrt>"
        if name == "cbrt":
            root = f"<mroot><mrow>{inside}</mrow><mn>3</mn></mroot>"
            return _paren(root, hold >= ATOM)
        if name == "abs":
            return f"<mo>|</mo>{inside}<mo>|</mo>"
        shown = _FUNCTIONS.get(name, name)
        kind = "" if "<mfrac>" in inside else ' stretchy="false"'
        start, end = f"<mo{kind}>(</mo>", f"<mo{kind}>)</mo>"
        return f'<mi mathvariant="normal">{shown}</mi>{start}{inside}{end}'

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


def _paren(text: str, needed: bool) -> str:
    return f"<mo>(</mo>{text}<mo>)</mo>" if needed else text
