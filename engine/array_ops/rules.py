"""The rules of the backward pass in symbols: `g @ T(w)` as text, ∂L/∂y · wᵀ, and as MathML.

A rule is written in a small language: names of arguments, `y` (the result), `g` (the incoming
gradient ∂L/∂y), numbers, `+ - * / ** @`, comparisons, `A if C else B`, and calls. `T(x)` is the
transpose of x; `sum(x)`, `mean(x)` and the like are functions.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from html import escape

from engine import parser_lock

_SIGNS: dict[type[ast.operator], tuple[str, str, int]] = {
    ast.Add: (" + ", "+", 1),
    ast.Sub: (" − ", "−", 1),
    ast.Mult: (" ⊙ ", "⊙", 2),
    ast.MatMult: (" · ", "·", 2),
    ast.Mod: (" mod ", "mod", 2),
    ast.Div: (" / ", "/", 2),
}
_RELATIONS: dict[type[ast.cmpop], str] = {
    ast.Gt: ">", ast.GtE: "≥", ast.Lt: "<", ast.LtE: "≤", ast.Eq: "=", ast.NotEq: "≠",
}  # fmt: skip
_FUNCTIONS = {"sum": "Σ", "log": "ln", "sigmoid": "σ"}
_NAMES = {"pi": "π", "alpha": "α", "beta": "β", "delta": "δ", "gamma": "γ", "eps": "ε", "mu": "μ"}


@dataclass(frozen=True, slots=True)
class Rule:
    """What an argument receives, in symbols; "" for one that receives nothing."""

    source: str

    @property
    def text(self) -> str:
        """`∂L/∂y · wᵀ`"""
        return _text(parser_lock.expression(self.source)) if self.source else ""

    @property
    def mathml(self) -> str:
        """The same as MathML, inside one `mrow`; for `y` the result's own letter."""
        if not self.source:
            return ""
        return f"<mrow>{_mathml(parser_lock.expression(self.source))}</mrow>"


def _text(node: ast.expr, hold: int = 0) -> str:
    match node:
        case ast.BinOp(op=ast.Pow()):
            power = node.right.value if isinstance(node.right, ast.Constant) else None
            if power == 2:
                return f"{_text(node.left, 4)}²"
            return f"{_text(node.left, 4)}^{_text(node.right, 4)}"
        case ast.BinOp():
            sign, _, strength = _SIGNS[type(node.op)]
            found = f"{_text(node.left, strength)}{sign}{_text(node.right, strength + 1)}"
            return f"({found})" if strength < hold else found
        case ast.UnaryOp():
            return f"(−{_text(node.operand, 3)})" if hold > 1 else f"−{_text(node.operand, 3)}"
        case ast.Call(func=ast.Name(id="T"), args=[inner]):
            return f"{_text(inner, 4)}ᵀ"
        case ast.Call(func=ast.Name(id=name)):
            inside = ", ".join(map(_text, node.args))
            return f"{_FUNCTIONS.get(name, name)}({inside})"
        case ast.Compare():
            relation = _RELATIONS[type(node.ops[0])]
            return f"{_text(node.left)} {relation} {_text(node.comparators[0])}"
        case ast.BoolOp():
            word = " and " if isinstance(node.op, ast.And) else " or "
            return word.join(map(_text, node.values))
        case ast.IfExp():
            found = f"{_text(node.body)} if {_text(node.test)}, else {_text(node.orelse)}"
            return f"({found})" if hold else found
        case ast.Name():
            if node.id == "g":
                return "∂L/∂y"
            return _NAMES.get(node.id, node.id)
        case ast.Constant():
            return str(node.value)
    raise ValueError(f"not a rule: {ast.unparse(node)}")


_GRADIENT = "<mfrac><mrow><mo>∂</mo><mi>L</mi></mrow><mrow><mo>∂</mo><mi>y</mi></mrow></mfrac>"


def _mathml(node: ast.expr, hold: int = 0) -> str:
    match node:
        case ast.BinOp(op=ast.Div()):
            top, bottom = _mathml(node.left), _mathml(node.right)
            return f"<mfrac><mrow>{top}</mrow><mrow>{bottom}</mrow></mfrac>"
        case ast.BinOp(op=ast.Pow()):
            base, power = _mathml(node.left, 4), _mathml(node.right)
            return f"<msup><mrow>{base}</mrow><mrow>{power}</mrow></msup>"
        case ast.BinOp():
            _, sign, strength = _SIGNS[type(node.op)]
            left, right = _mathml(node.left, strength), _mathml(node.right, strength + 1)
            return _paren(f"{left}<mo>{sign}</mo>{right}", strength < hold)
        case ast.UnaryOp():
            return _paren(f"<mo>−</mo>{_mathml(node.operand, 3)}", hold > 1)
        case ast.Call(func=ast.Name(id="T"), args=[inner]):
            return f'<msup><mrow>{_mathml(inner, 4)}</mrow><mi mathvariant="normal">T</mi></msup>'
        case ast.Call(func=ast.Name(id="exp"), args=[inner]):
            return f"<msup><mi>e</mi><mrow>{_mathml(inner)}</mrow></msup>"
        case ast.Call(func=ast.Name(id="sqrt"), args=[inner]):
            return f"<msqrt>{_mathml(inner)}</msqrt>"
        case ast.Call(func=ast.Name(id=name)):
            inside = "<mo>,</mo>".join(map(_mathml, node.args))
            shown = escape(_FUNCTIONS.get(name, name))
            return f'<mi mathvariant="normal">{shown}</mi><mo>(</mo>{inside}<mo>)</mo>'
        case ast.Compare():
            relation = escape(_RELATIONS[type(node.ops[0])])
            left, right = _mathml(node.left), _mathml(node.comparators[0])
            return f"{left}<mo>{relation}</mo>{right}"
        case ast.BoolOp():
            word = "and" if isinstance(node.op, ast.And) else "or"
            return f"<mtext>\u00a0{word}\u00a0</mtext>".join(map(_mathml, node.values))
        case ast.IfExp():
            test, a, b = map(_mathml, (node.test, node.body, node.orelse))
            found = f"{a}<mtext>\u00a0if\u00a0</mtext>{test}<mtext>, else\u00a0</mtext>{b}"
            return _paren(found, hold > 0)
        case ast.Name():
            return (
                _GRADIENT if node.id == "g" else f"<mi>{escape(_NAMES.get(node.id, node.id))}</mi>"
            )
        case ast.Constant():
            return f"<mn>{escape(str(node.value))}</mn>"
    raise ValueError(f"not a rule: {ast.unparse(node)}")


def _paren(inside: str, needed: bool) -> str:
    return f"<mo>(</mo>{inside}<mo>)</mo>" if needed else inside
