"""Equations on the page: formulas and partials of the op table as MathML templates.

Names and numbers of the shown graph are empty elements whose `data-slot` identifies the value:
`x0.term` (a name in a formula), `y.tag` (a name in a fraction), `x1.data`. One template serves
every frame of an operation; the server fills it in `app.explore.explanation` and the browser in
`static/js/explore/explanation.js`.
"""

from __future__ import annotations

from collections.abc import Callable

from engine import parser_lock
from engine.caches import cached
from engine.formula_mathml import SUM, MathWriter
from engine.ops import Op

Name = Callable[[str], str]


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


class _Writer(MathWriter):
    """With slots in place of names."""

    def __init__(self, names: dict[str, str], numbers: bool) -> None:
        self.names = names
        self.numbers = numbers

    def name(self, name: str, hold: int) -> str:
        if name not in self.names:
            return super().name(name, hold)
        of = self.names[name]
        if self.numbers:
            return slot(f"{of}.data", "mn", paren=hold > SUM, kind="data")
        return slot(f"{of}.term", paren=hold > SUM)
