"""Operations of the table as methods of micrograd's Value, with a `_backward` closure.

They are generated from the formulas and partials of the table.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from engine.formula_code import translate
from engine.op import Op

from .script import indented

KNOWN = ("+", "-", "*", "/", "**", "neg", "relu")
"""The operations of micrograd's Value."""
SPECIAL = {"+": "__add__", "*": "__mul__", "**": "__pow__", "abs": "__abs__"}
"""Methods whose names differ from their operations'."""
LACKING = "# Operations that micrograd's Value lacks, in its style."


def method(
    op: Op, accumulate: bool = True, name: str = "", write: Callable[[str], str] = translate
) -> list[str]:
    """An operation as a method of Value; overwrites gradients if `accumulate` is false.

    `name` is that of a method that the operation does not have in micrograd. `write` gives the code
    of a formula.
    """
    special = name or SPECIAL.get(op.name, op.name)
    power = op.name == "**" and not name  # micrograd's exponent is a number, not a Value
    name = f"_{special.strip('_')}"
    args = ["self", "other"][: 1 if power else len(op.params)]
    numbers = [f"{arg}.data" for arg in args] + ["other"] * power
    own = f"({', '.join(args)}{',' * (len(args) == 1)})"
    wrapped = "other = other if isinstance(other, Value) else Value(other)"
    body = [
        *([wrapped] if len(args) == 2 else []),
        f"{', '.join(op.params)} = {', '.join(numbers)}",
        f"y = {write(op.formula)}",
        f'out = Value(y, {own}, "{op.name}")',
        *([] if accumulate else [f"out._args = {own}"]),
        "",
        "def _backward():",
        *indented(_contributions(op, args, "+=" if accumulate else "=", write)),
        "",
        "out._backward = _backward",
        "return out",
    ]
    given = ", ".join(["self", "other"][: len(op.params)])
    return ["\n".join([f"def {name}({given}):", *indented(body)]), f"Value.{special} = {name}"]


def _contributions(
    op: Op, args: Sequence[str], sign: str, write: Callable[[str], str]
) -> list[str]:
    """The contribution to each argument's gradient: upstream gradient × partial."""
    products = ["G" if text == "1" else f"({text}) * G" for text in op.partials]
    codes = [re.sub(r"\bG\b", "out.grad", write(text)) for text in products]
    return [f"{arg}.grad {sign} {code}" for arg, code in zip(args, codes, strict=False)]
