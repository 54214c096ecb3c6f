"""The sizes of boxes, and the symbols in the circles of ops.

Sizes are fixed, so that a layout depends on no text and no number.
"""

from __future__ import annotations

from engine.ops import OPS

SIZES: dict[str, tuple[float, float]] = {
    "card": (120, 59),
    "copy": (108, 48),
    "constant": (84, 26),
    "named-constant": (84, 40),
    "group": (174, 80),
    "leaves": (174, 44),
}
"""Width and height of each shape of box in pixels; ops depend on their symbol (`op_size`)."""


def symbol(op: str) -> str:
    """The symbol in the circle of an op."""
    return OPS[op].symbol if op in OPS else op


OUTPUT_HEIGHT = 16.0  # of a result's row in a closed group


def outputs_size(count: int) -> tuple[float, float]:
    """A closed group with the names, data and gradients of several results."""
    return 214.0, 46.0 + OUTPUT_HEIGHT * count


def formula_size(title: str) -> tuple[float, float]:
    """A pill for a title, with the sheet behind it and the sign that it can be opened."""
    return 42.0 + 7.0 * len(symbol(title)), 34.0


def op_size(op: str) -> tuple[float, float]:
    """A circle of radius 15, or a wider pill for symbols of four letters or more."""
    length = len(symbol(op))
    return (30.0, 30.0) if length < 4 else (18.0 + 7.0 * length, 30.0)
