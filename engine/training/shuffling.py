"""Which samples a step sees: orders drawn from the seed with whole numbers alone.

The generator is SplitMix64 (Steele, Lea, Flood 2014), the shuffle that of Fisher and Yates in
Durstenfeld's form (1964). All of it counts modulo 2⁶⁴, so that every machine draws the same order.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

MASK = 2**64 - 1
GAMMA = 0x9E3779B97F4A7C15
MIX_1 = 0xBF58476D1CE4E5B9
MIX_2 = 0x94D049BB133111EB


def permutation(seed: int, epoch: int, n: int) -> list[int]:
    """The numbers 0..n−1 in the order of one epoch; `seed` and `epoch` count modulo 2⁶⁴."""
    state = (seed * GAMMA + epoch * MIX_1 + 1) & MASK
    order = list(range(n))
    for i in range(n - 1, 0, -1):
        state = (state + GAMMA) & MASK
        j = mixed(state) % (i + 1)
        order[i], order[j] = order[j], order[i]
    return order


def mixed(z: int) -> int:
    """The number that SplitMix64 draws from the state z."""
    z = ((z ^ (z >> 30)) * MIX_1) & MASK
    z = ((z ^ (z >> 27)) * MIX_2) & MASK
    return z ^ (z >> 31)


def batch_indices(
    n: int, batch: int | Literal["all"] | None, step: int, seed: int, shuffle: bool
) -> list[int]:
    """The samples, of `n`, that `step` trains on, in the order their losses are added.

    All of them in order if `batch` is "all" or None. Else an epoch is as many steps as it takes to
    see every sample once, in an order of its own if `shuffle`; the last batch of an epoch may be
    shorter.
    """
    if batch is None or isinstance(batch, str):
        return list(range(n))
    epoch, turn = divmod(step, -(-n // batch))
    order = _order(seed, epoch, n) if shuffle else range(n)
    return list(order[turn * batch : (turn + 1) * batch])


@lru_cache(maxsize=8)
def _order(seed: int, epoch: int, n: int) -> tuple[int, ...]:
    """`permutation`, remembered for the other batches of its epoch."""
    return tuple(permutation(seed, epoch, n))
