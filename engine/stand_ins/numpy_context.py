"""The arrays of a run: one context for the modules that make them."""

from __future__ import annotations

from engine.arrays.context import Context
from engine.stand_ins.contract import Machine


def context_of(m: Machine) -> Context:
    """The arrays of a run: their settings and its generator of random numbers."""
    found = m.natives.arrays
    if found is None:
        found = m.natives.arrays = Context(m, represent=repr)
    return found  # type: ignore[no-any-return]
