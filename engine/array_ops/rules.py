"""The rules of the backward pass on whole arrays: `g @ T(w)`, as MathML ∂L/∂y · wᵀ.

A rule is written in a small language: names of arguments, `y` (the result), `g` (the incoming
gradient ∂L/∂y), numbers, `+ - * / ** @`, comparisons, `A if C else B`, and calls. `T(x)` is the
transpose of x; `sum(x)`, `mean(x)` and the like are functions.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass
from html import escape

from engine import parser_lock
from engine.formula_mathml import ATOM, MINUS, PRODUCT, MathWriter, paren
from engine.numbers import compact

_NAMES = {"pi": "π", "alpha": "α", "beta": "β", "delta": "δ", "gamma": "γ", "eps": "ε", "mu": "μ"}
NO_NAMES: Mapping[str, str] = {}


@dataclass(frozen=True, slots=True)
class Rule:
    """What an argument receives, in symbols; "" for one that receives nothing."""

    source: str

    def mathml(self, names: Mapping[str, str] = NO_NAMES) -> str:
        """The rule as MathML, inside one `mrow`; `names` has what is written for a name.

        Without them the arguments have the names of the table, and `g` is ∂L/∂y.
        """
        return formula_mathml(self.source, names)


def formula_mathml(source: str, names: Mapping[str, str] = NO_NAMES) -> str:
    """A rule, or the formula of a result, as MathML; "" of no text."""
    return f"<mrow>{_Writer(names).write(parser_lock.expression(source))}</mrow>" if source else ""


def gradient(of: str) -> str:
    """∂L/∂y as MathML, from the MathML of y."""
    top = "<mrow><mo>∂</mo><mi>L</mi></mrow>"
    return f"<mfrac>{top}<mrow><mo>∂</mo>{of}</mrow></mfrac>"


class _Writer(MathWriter):
    """⊙ is the product of cells, a dot that of matrices; a number stands before an array."""

    signs: Mapping[type[ast.operator], tuple[str, int]] = {
        **MathWriter.signs,
        ast.Mult: ("⊙", PRODUCT),
        ast.MatMult: ("·", PRODUCT),
    }
    functions: Mapping[str, str] = {**MathWriter.functions, "sum": "Σ"}

    def __init__(self, names: Mapping[str, str]) -> None:
        self.names = names

    def name(self, name: str, hold: int) -> str:
        if name in self.names:
            return self.names[name]
        if name == "g":
            return gradient(self.names.get("y", "<mi>y</mi>"))
        return f"<mi>{escape(_NAMES.get(name, name))}</mi>"

    def number(self, node: ast.Constant) -> str:
        return f"<mn>{compact(float(str(node.value)))}</mn>"

    def product(self, node: ast.BinOp, hold: int) -> str:
        left, right = node.left, node.right
        if not isinstance(node.op, ast.Mult):
            return self.joined(node, hold, PRODUCT, PRODUCT + 1)
        if isinstance(right, ast.Constant) and not isinstance(left, ast.Constant):
            left, right = right, left
        if isinstance(left, ast.Constant) and not isinstance(right, ast.Constant):
            written = f'{self.number(left)}<mspace width="0.2em"/>{self.write(right, MINUS)}'
            return paren(written, hold > PRODUCT)
        chained = isinstance(right, ast.BinOp) and isinstance(right.op, ast.Mult)
        swapped = ast.BinOp(left, node.op, right)
        return self.joined(swapped, hold, PRODUCT, PRODUCT if chained else PRODUCT + 1)

    def call(self, name: str, args: list[ast.expr], hold: int) -> str:
        if name == "T":
            inner = self.write(args[0], ATOM)
            return f'<msup><mrow>{inner}</mrow><mi mathvariant="normal">T</mi></msup>'
        return super().call(name, args, hold)
