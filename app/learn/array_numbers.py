"""The numbers of a program's arrays: a cell by its name and indices, `W[1][0].grad`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from math import prod

from app.learn.numbers import NumberError
from app.learn.subjects import Arguments, printed_number
from engine.trace.array_trace import ArrayTrace, TracedArray
from engine.trace.traced import Trace

_INDICES = re.compile(r"((?:\[\d+\])*)\Z")


@dataclass(frozen=True)
class ArrayNumbers:
    """The numbers of the arrays of a program, as they are drawn: one card for each."""

    trace: Trace
    arrays: ArrayTrace
    labels: Mapping[str, str] = field(default_factory=dict)
    """Of Values, of which there are none."""

    @cached_property
    def known(self) -> Mapping[str, TracedArray]:
        """The arrays by name, or by their text."""
        return {node.name: node for node in reversed(self.arrays.nodes)}

    def of_value(self, label: str, slot: str, frame: int | None) -> float:
        """A cell's data or gradient, at the end of the passes. Raises NumberError."""
        found = _INDICES.search(label)
        indices = [int(k) for k in re.findall(r"\d+", found[1] if found else "")]
        name = label[: found.start() if found else None].strip("'\"")
        node = self.known.get(name)
        if node is None or frame is not None:
            raise NumberError(f"There is no array {name!r}; there are {', '.join(self.known)}.")
        held, shape = (node.data if slot == "data" else node.grad), node.data.shape
        fits = len(indices) == len(shape) and all(
            k < n for k, n in zip(indices, shape, strict=True)
        )
        if held is None or not fits:
            raise NumberError(f"{label}.{slot} is no number of an array of shape {shape}.")
        at = sum(k * prod(shape[axis + 1 :]) for axis, k in enumerate(indices))
        return float(held.data[at])

    def number(self, name: str, arguments: Arguments) -> float:
        """A count, or a number that the program printed. Raises NumberError."""
        if name == "printed" and arguments is not None:
            return printed_number(self.trace, int(arguments[0]))
        counts = {
            "arrays": sum(not node.is_constant for node in self.arrays.nodes),
            "operations": sum(node.op is not None for node in self.arrays.nodes),
            "frames": len(self.arrays.frames),
            "lines": len(self.trace.printed),
        }
        if name not in counts or arguments is not None:
            raise NumberError(f"Arrays have no number {name!r}.")
        return counts[name]
