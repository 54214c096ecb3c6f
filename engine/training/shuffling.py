"""The batch of each step: samples shuffled by the seed in integer arithmetic.

The generator is SplitMix64 (Steele, Lea, Flood 2014), the shuffle is Fisher–Yates in Durstenfeld's
form (1964). All arithmetic is modulo 2⁶⁴ and thus the same on every machine.
"""

from __future__ import annotations

from typing import Literal

from engine.caches import cached

MASK = 2**64 - 1
GAMMA = 0x9E3779B97F4A7C15
MIX_1 = 0xBF58476D1CE4E5B9
MIX_2 = 0x94D049BB133111EB


def permutation(seed: int, epoch: int, n: int) -> list[int]:
    """The permutation of 0..n−1 of one epoch; `seed` and `epoch` are taken modulo 2⁶⁴."""
    state = (seed * GAMMA + epoch * MIX_1 + 1) & MASK
    order = list(range(n))
    for i in range(n - 1, 0, -1):
        state = (state + GAMMA) & MASK
        j = mixed(state) % (i + 1)
        order[i], order[j] = order[j], order[i]
    return order


def mixed(z: int) -> int:
    """The output of SplitMix64 for the state z."""
    z = ((z ^ (z >> 30)) * MIX_1) & MASK
    z = ((z ^ (z >> 27)) * MIX_2) & MASK
    return z ^ (z >> 31)


def batch_indices(
    n: int,
    batch: int | Literal["all"] | None,
    step: int,
    seed: int,
    shuffle: bool,
    epochs: int = 0,
) -> list[int]:
    """The indices, out of `n`, of the batch of `step`, in the order of summation.

    All samples in order if `batch` is "all" or None. Else an epoch visits every sample once, in a
    new order if `shuffle`; the last batch of an epoch may be smaller. The epochs are numbered from
    `epochs` on.
    """
    if batch is None or isinstance(batch, str):
        return list(range(n))
    epoch, turn = divmod(step, -(-n // batch))
    order = _order(seed, epochs + epoch, n) if shuffle else range(n)
    return list(order[turn * batch : (turn + 1) * batch])


@cached("orders of samples")
def _order(seed: int, epoch: int, n: int) -> tuple[int, ...]:
    """`permutation`, cached for the other batches of its epoch."""
    return tuple(permutation(seed, epoch, n))
