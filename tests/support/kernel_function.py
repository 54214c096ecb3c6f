"""Single mathematical functions of the kernel, evaluated in WebAssembly."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from engine.kernel.formula import Mathematics, push_function
from engine.kernel.layout import NUMBER, PAIR
from engine.wasm.assembler import I32, V128, FunctionBuilder, WasmModule
from engine.wasm.instance import Instance

MOST = 65_536
"""The number of arguments per call."""


def map_function(name: str, points: Sequence[float]) -> list[float]:
    """A function of `engine.kernel.mathematics` at each point."""
    instance = Instance(_code(name))
    found: list[float] = []
    for start in range(0, len(points), MOST):
        some = list(points[start : start + MOST])
        instance.write_numbers(0, some)
        instance.call("map", NUMBER * (len(some) + len(some) % 2))
        found += instance.numbers(0, len(some)).tolist()
    return found


@cache
def _code(name: str) -> bytes:
    """A module that exports `map(bytes)`: applies a function to the numbers in memory, in place."""
    module = WasmModule()
    body = FunctionBuilder([I32])
    at, place = body.local(I32), body.local(V128)
    mathematics = Mathematics(module)
    with body.loop_to(at, 0, 0, PAIR):
        body.get(at)
        body.load(0)
        body.set(place)
        body.get(at)
        push_function(body, name, place, mathematics)
        body.store(0)
    module.add(body, "map")
    return module.encode(NUMBER * MOST)
