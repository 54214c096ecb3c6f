"""Arrays of a run whose elements are Values: where each lay, so that a drawing can gather them.

Elements are noted by the serial numbers of their Values, which the drawn Values have as
`origin.number`: a note keeps no Value alive.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.array_ops.grid import Shape, indices
from engine.value import Value

from .follow import is_a
from .model import Arrangement
from .objects import is_object, label_of, number_of, set_name


class Arrangements:
    """The arrays of one run, in the order made. One array may be noted again with its name."""

    def __init__(self, machine: Any) -> None:
        self.machine = machine
        self.all: list[Arrangement] = []

    def add(self, items: Sequence[Any], shape: Shape, name: str = "") -> None:
        """Note an array, or with the shape () the result of an operation on arrays."""
        m = self.machine
        cells = tuple([_serial(x) for x in items])
        if any(cell is not None for cell in cells):
            scope = m.tape.scopes.of(m.scope)
            self.all.append(Arrangement(m.node, scope, shape, cells, name))

    def named(self, items: Sequence[Any], shape: Shape, name: str) -> None:
        """Note an array by its first variable, after which its elements are named: x[0], x[1]."""
        for index, x in zip(indices(shape), items, strict=True):
            label = name + "".join(f"[{i}]" for i in index) if len(items) > 1 else name
            if is_a(x, Value) and not x.label:
                x.label = label
            elif is_object(x) and not label_of(x):
                set_name(x, label)
        self.add(items, shape, name)


def _serial(x: Any) -> float | None:
    """The serial number of the Value that is drawn for an element."""
    if is_a(x, Value):
        return x.serial if x.origin is not None else None
    number = number_of(x)
    return None if number is None else number.serial
