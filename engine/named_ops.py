"""The operations of the table by the names that classes give their methods."""

from __future__ import annotations

from .ops import OPS, Op

SPECIAL = {
    "+": "add", "-": "sub", "*": "mul", "/": "truediv", "**": "pow",
    "//": "floordiv", "%": "mod", "@": "matmul",
}  # fmt: skip
"""The operators, and the names of their special methods without underscores."""
SIGNS = {name: sign for sign, name in SPECIAL.items() if sign in OPS}
SYNONYMS = {
    "ln": "log", "arcsin": "asin", "arccos": "acos", "arctan": "atan", "arcsinh": "asinh",
    "arccosh": "acosh", "arctanh": "atanh", "maximum": "max", "minimum": "min",
}  # fmt: skip
OTHERS = {
    "square": Op("square", ("x",), "x * x", ("2 * x",), "", (), ()),
    "inverse": Op("inverse", ("x",), "1 / x", ("-y ** 2",), "", (), ()),
}
"""Methods that learners define and the table does not."""
SEVERAL = frozenset({"leaky_relu", "gelu", "inverse"})
"""Names of several functions: with a slope of choice, an approximation, 1/x or -x."""
METHODS = frozenset(
    name for name in (*OPS, *SYNONYMS, *OTHERS) if name.isidentifier() and name != "neg"
) - {*SEVERAL, *SPECIAL.values()}
"""Methods whose name says what they compute."""


def op_named(name: str) -> Op | None:
    """The operation that a sign, or a method without underscores, stands for."""
    return OPS.get(SIGNS.get(name) or SYNONYMS.get(name, name)) or OTHERS.get(name)
