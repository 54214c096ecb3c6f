"""Passes over the samples in plain floats, and means of their numbers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise, zip_longest
from typing import TypeVar

from engine.nn import LINEAR
from engine.ops import OPS
from engine.training.settings import RunSettings

T = TypeVar("T")


def by_layer(spec: RunSettings, numbers: Sequence[float]) -> list[Sequence[float]]:
    """Split parameters, or their gradient, by layer."""
    out, start = [], 0
    for nin, nout in pairwise(spec.layers):
        out.append(numbers[start : start + (nin + 1) * nout])
        start += (nin + 1) * nout
    return out


def forward(
    spec: RunSettings,
    layers: Sequence[Sequence[float]],
    x: Sequence[float],
    masks: Sequence[Sequence[float]] = (),
) -> list[tuple[list[float], list[float]]]:
    """Each layer's weighted sums and masked outputs for one sample."""
    out: list[tuple[list[float], list[float]]] = []
    rows = zip(layers, spec.layers, spec.activations, strict=False)
    for (parameters, nin, name), mask in zip_longest(rows, masks):
        sums = []
        for start in range(0, len(parameters), nin + 1):
            z = parameters[start + nin]
            for w, xi in zip(parameters[start : start + nin], x, strict=True):
                z += w * xi
            sums.append(z)
        x = sums if name == LINEAR else [OPS[name].compute(z) for z in sums]
        x = [y * factor for y, factor in zip(x, mask, strict=True)] if mask else x
        out.append((sums, x))
    return out


def spread(items: Sequence[T], count: int) -> list[T]:
    """At most `count` >= 2 items, evenly spaced, including the first and the last."""
    if len(items) <= count:
        return list(items)
    return [items[i * (len(items) - 1) // (count - 1)] for i in range(count)]


def all_finite(numbers: Sequence[float]) -> bool:
    """Whether all numbers are finite."""
    return math.isfinite(sum(numbers)) or all(map(math.isfinite, numbers))


def mean(numbers: Sequence[float]) -> float:
    """The arithmetic mean, safe from overflow of the sum."""
    return math.fsum(x / len(numbers) for x in numbers)


def size(numbers: Sequence[float]) -> float:
    """The root mean square."""
    return math.hypot(*numbers) / math.sqrt(len(numbers))


def deviation(numbers: Sequence[float]) -> float:
    """The standard deviation, infinite next to overflow."""
    middle = mean(numbers)
    return math.hypot(*(x - middle for x in numbers)) / math.sqrt(len(numbers))
