"""Inverted dropout: which hidden activations a step of training leaves out.

In training, and nowhere else, each hidden activation is multiplied by a mask of its own: by 0 with
probability p, else by 1 ∕ (1 − p), so that its expectation stays (Srivastava et al. 2014). A mask
depends on the seed, the step, the sample and the neuron alone. It comes from SplitMix64 counted
modulo 2⁶⁴ and a threshold on 53 bits, so that every machine draws the same one, and any step of a
run can be reached again.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from .shuffling import GAMMA, MASK, MIX_1, mixed

if TYPE_CHECKING:
    from .settings import RunSettings


def masks(rate: float, seed: int, step: int, sample: int, sizes: list[int]) -> list[list[float]]:
    """The factors of one sample's activations in hidden layers of `sizes`, at one step.

    Each step has a generator of its own, from which each sample takes one number per neuron.
    """
    state = mixed((seed * GAMMA + step * MIX_1 + 2) & MASK) + sample * sum(sizes) * GAMMA
    factors = []
    for size in sizes:
        layer = []
        for _ in range(size):
            state = (state + GAMMA) & MASK
            layer.append(1 / (1 - rate) if mixed(state) >> 11 >= rate * 2**53 else 0.0)
        factors.append(layer)
    return factors


def masks_of(spec: RunSettings, step: int, sample: int) -> list[list[float]]:
    """The masks of a run for the training sample at a place; [] without dropout."""
    if not spec.dropout:
        return []
    return masks(spec.dropout, spec.seed, step, sample, list(spec.layers[1:-1]))


def threshold(rate: float) -> int:
    """The least of the 53-bit numbers that keep an activation."""
    return math.ceil(rate * 2**53)
