"""The table of scalings of inputs: x ← (x − shift) ∕ scale, with a shift and a scale per input.

They are computed from the training set and applied to the test set as well. To add a scaling, add
one entry to SCALINGS.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple


class InputScale(NamedTuple):
    """The scaling of one input."""

    shift: float
    scale: float

    def of(self, x: float) -> float:
        """The scaled number."""
        return (x - self.shift) / self.scale

    def own(self, x: float) -> float:
        """The number before scaling, to 12 digits."""
        return float(f"{x * self.scale + self.shift:.12g}")


class Scaling(NamedTuple):
    """One scaling. `fit` gives the scale of an input from its numbers; None leaves inputs alone."""

    name: str
    help: str
    formula: str
    fit: Callable[[Sequence[float]], InputScale] | None = None


def standard(column: Sequence[float]) -> InputScale:
    """Mean and standard deviation; the deviation of a constant column is taken as 1."""
    mean = math.fsum(column) / len(column)
    deviation = math.sqrt(math.fsum((x - mean) ** 2 for x in column) / len(column))
    return InputScale(mean, deviation or 1.0)


SCALINGS: dict[str, Scaling] = {
    scaling.name: scaling
    for scaling in (
        Scaling("none", "Inputs as they are.", "x"),
        Scaling(
            "standardize",
            "Each input has mean 0 and standard deviation 1 over the training set.",
            "(x − mean) ∕ deviation",
            standard,
        ),
    )
}
"""Every scaling by its name."""


def fitted(name: str, inputs: Sequence[Sequence[float]]) -> tuple[InputScale, ...]:
    """The scale of each input over the inputs of samples; () if they are left alone."""
    fit = SCALINGS[name].fit
    return tuple(map(fit, zip(*inputs, strict=True))) if fit else ()


def scaled(inputs: Sequence[float], scales: Sequence[InputScale]) -> tuple[float, ...]:
    """The inputs of a sample, scaled."""
    if not scales:
        return tuple(inputs)
    return tuple(scale.of(x) for x, scale in zip(inputs, scales, strict=True))


def unscaled(inputs: Sequence[float], scales: Sequence[InputScale]) -> Sequence[float]:
    """Inputs of a sample in their own units; as they are if `scales` is empty."""
    return [scale.own(x) for x, scale in zip(inputs, scales, strict=True)] if scales else inputs
