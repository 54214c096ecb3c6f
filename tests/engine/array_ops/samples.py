"""The arguments on which the table is tested: those of an entry, filled with seeded numbers."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from random import Random
from typing import Any

from engine.array_ops.flat import Flat
from engine.array_ops.ops import ARRAY_OPS, ArrayOp


def filled(op: ArrayOp, sample: tuple[Any, ...], params: dict[str, Any]) -> list[Flat]:
    """Arrays of the sample's shapes; a number in place of a shape is a scalar.

    `first` and `second` among the params are the numbers of these arguments.
    """
    random = Random(repr((op.name, sample)))
    given = {0: params.get("first"), 1: params.get("second")}
    found = []
    for i, shape in enumerate(sample):
        if isinstance(shape, float):
            found.append(Flat((), [shape]))
            continue
        numbers = given.get(i)
        size = prod(shape)
        # no two alike and none near 0, so that no sample stands at a kink
        drawn = [random.choice((-1, 1)) * (0.3 + 0.17 * k + random.random() / 10) for k in
                 random.sample(range(max(12, size)), size)]  # fmt: skip
        found.append(Flat(shape, [*(drawn if numbers is None else numbers)]))
    return found


def cases(names: set[str] | None = None) -> Iterator[tuple[ArrayOp, list[Flat], dict[str, Any]]]:
    """Every operation on each of its samples."""
    for op in ARRAY_OPS.values():
        if names is None or op.name in names:
            for sample, params in op.samples:
                yield op, filled(op, sample, params), params
