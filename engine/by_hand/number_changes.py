"""Changes of a statement that may fix a gradient, where the program computes with plain numbers."""

from __future__ import annotations

from collections.abc import Iterator

from .candidates import (
    Scenery,
    constant_factors,
    derivatives,
    formulas,
    is_product,
    near,
    once,
    operands,
    signs,
    without_factors,
)
from .editing import GradientLine, TriedChange


def _left_out(it: GradientLine, scenery: Scenery) -> Iterator[TriedChange]:
    """A number that the value is not multiplied with."""
    if it.value is not None:
        whole = it.text(it.value) if is_product(it.value) else it.factor(it.value)
        for name in scenery.numbers:
            yield it.whole("left_out", f"{whole} * {name}", name)
            yield it.whole("left_out", f"{whole} * (1 - {name})", f"(1 - {name})")


LIKELY = 8
"""Factors that are tried before other numbers: those that loops turn through come first."""


def number_changes(it: GradientLine, scenery: Scenery) -> list[TriedChange]:
    """All changes of a statement that computes with plain numbers, the likeliest first."""
    found = [*signs(it), *without_factors(it, scenery.factor), *constant_factors(it, scenery)]
    for name, x in scenery.scalars.items():
        if it.value is not None and x > 1 and near(scenery.factor, x):
            text = f"{it.factor(it.value)} / {name}"
            found.append(it.whole("missing_mean", text, f"{x:g}"))
    found += [*_left_out(it, scenery)][:LIKELY]
    for of_gradients in (True, False):
        found += operands(it, scenery, of_gradients=of_gradients)
    found += [*_left_out(it, scenery), *derivatives(it, scenery), *formulas(it, scenery)]
    return once(found)
