"""The partials of the table, as formulas in a program's own names.

`{x}` is the number of the operand that receives, `{y}` that of the other one, `{n}` the other one
itself where it is a plain number, `{r}` the number of the result. Which formula is meant is for
measuring to say: see `fixes`.
"""

from __future__ import annotations

from collections.abc import Iterable

from engine.caches import cached
from engine.formula_code import operations_in, translate
from engine.named_ops import op_named
from engine.ops import Op

WITHOUT_RESULT = {"/": ("1 / b", "-a / b ** 2"), "relu": ("1.0 if x > 0 else 0.0",)}
"""What the table states with the result, which not every method has at hand, by the operands."""
LIKELY = (
    "*", "+", "-", "tanh", "exp", "relu", "log", "/", "square", "**", "sigmoid", "sqrt",
)  # fmt: skip
"""Operations meant by a method whose name says nothing; only the first formulas are tried."""


def formulas(method: str) -> tuple[str, ...]:
    """The formulas that a method of this name may need."""
    name = method.strip("_")
    words = (name, name.removeprefix("r"), *name.lower().split("_"))  # `sin_rule`, `Sin`
    op = next(filter(None, map(op_named, words)), None)
    return (_of_op(op) if op else ()) or _likely()


@cached("likely partials")
def _likely() -> tuple[str, ...]:
    ops = [op for name in LIKELY if (op := op_named(name))]
    return _once(text for op in ops for text in _of_op(op) if "{n}" not in text)


@cached("partials of an op")
def _of_op(op: Op) -> tuple[str, ...]:
    found = _written(op.params, WITHOUT_RESULT.get(op.name, ())) + _written(op.params, op.partials)
    if op.name == "**":  # most classes take a plain number as the exponent
        found = (found[0].replace("{y}", "{n}"), *found)
    return _once(found)


def _written(params: tuple[str, ...], partials: tuple[str, ...]) -> tuple[str, ...]:
    """The partials by each operand that need nothing but `math`, in a program's names."""
    found = []
    for slot, text in enumerate(partials):
        names = {name: "{x}" if at == slot else "{y}" for at, name in enumerate(params)}
        if not operations_in([text]):
            found.append(_formula(translate(text, {**names, "y": "{r}"})))
    return tuple(found)


def _formula(text: str) -> str:
    """As a class would write it: 1.0 for 1, no case for a single point, else cases in brackets."""
    whole, condition, _ = text.partition(" if ")
    if not condition:
        return str(float(text)) if text.lstrip("-").isdecimal() else text
    return whole if "!=" in text else f"({text})"


def _once(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(texts))
