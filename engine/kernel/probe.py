"""Single mathematical functions of the kernel, for tests against other implementations."""

from __future__ import annotations

from collections.abc import Sequence

from engine.wasm.instance import Instance

from .module import FUNCTION_NUMBERS, function_program


def map_function(name: str, points: Sequence[float]) -> list[float]:
    """A function of `mathematics` at each point, evaluated in WebAssembly."""
    instance = Instance(function_program(name))
    found: list[float] = []
    for start in range(0, len(points), FUNCTION_NUMBERS):
        some = list(points[start : start + FUNCTION_NUMBERS])
        instance.write_numbers(0, some)
        instance.call("map", 8 * (len(some) + len(some) % 2))
        found += instance.numbers(0, len(some)).tolist()
    return found
