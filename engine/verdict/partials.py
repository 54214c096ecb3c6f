"""Partials of the operations that classes define, as formulas in a program's own names.

`{x}` is the number of the operand that receives, `{y}` that of the other one, `{r}` that of the
result. Which formula is meant is for measuring to say: see `mends`.
"""

from __future__ import annotations

PARTIALS: dict[str, tuple[str, ...]] = {
    "mul": ("{y}",),
    "add": ("1.0",),
    "sub": ("1.0", "-1.0"),
    "neg": ("-1.0",),
    "truediv": ("1 / {y}", "-{y} / {x} ** 2"),
    "pow": ("{n} * {x} ** ({n} - 1)", "{y} * {x} ** ({y} - 1)"),
    "tanh": ("1 - {r} ** 2",),
    "exp": ("{r}",),
    "log": ("1 / {x}",),
    "ln": ("1 / {x}",),
    "relu": ("(1.0 if {x} > 0 else 0.0)",),
    "sigmoid": ("{r} * (1 - {r})",),
    "sqrt": ("0.5 / {r}",),
    "square": ("2 * {x}",),
    "sin": ("math.cos({x})",),
    "cos": ("-math.sin({x})",),
    "inverse": ("-{r} ** 2",),
}
"""For each method, without underscores, the partials by its operands."""
ANY = tuple(
    dict.fromkeys(text for texts in PARTIALS.values() for text in texts if "{n}" not in text)
)
"""All formulas, for a method whose name says nothing."""


def formulas(method: str) -> tuple[str, ...]:
    """The formulas that a method of this name may need; all of them if the name is not known."""
    name = method.strip("_")
    for reflected in (name, name.removeprefix("r")):
        if reflected in PARTIALS:
            return PARTIALS[reflected]
    return ANY
