"""Inverted dropout: the masks of hidden activations at a training step.

In training only, each hidden activation is multiplied by its mask: 0 with probability p, else
1 ∕ (1 − p), which preserves its expectation (Srivastava et al. 2014). A mask is a function of seed,
step, sample and neuron: SplitMix64 modulo 2⁶⁴ and a threshold on 53 bits, so that it is the same on
every machine and at every replay of a step.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from .shuffling import GAMMA, MASK, MIX_1, mixed

if TYPE_CHECKING:
    from .settings import RunSettings


def masks(rate: float, seed: int, step: int, sample: int, sizes: list[int]) -> list[list[float]]:
    """The masks of one sample at one step, for hidden layers of `sizes`.

    Each step seeds its own generator, from which each sample takes one number per neuron.
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
    """The masks of a run for the training sample with this index; [] without dropout."""
    if not spec.dropout:
        return []
    return masks(spec.dropout, spec.seeds.order, step, sample, list(spec.layers[1:-1]))


def threshold(rate: float) -> int:
    """The smallest 53-bit number that keeps an activation."""
    return math.ceil(rate * 2**53)
