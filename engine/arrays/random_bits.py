"""The sources of random bits of NumPy and PyTorch, and integers below a bound.

MT19937 (Matsumoto and Nishimura 1998) is seeded by its authors' recurrence of 2002, as
`np.random.seed(n)` and `torch.manual_seed(n)` do; PCG64 (O'Neill 2014, XSL-RR, 128 bits of state)
by NumPy's SeedSequence (after O'Neill's seed_seq_fe, 2015), as `np.random.default_rng(n)` does.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Protocol

MASK32 = 2**32 - 1
MASK64 = 2**64 - 1
MASK128 = 2**128 - 1


class Bits(Protocol):
    """A source of random bits."""

    def next32(self) -> int: ...
    def next64(self) -> int: ...
    def double(self) -> float: ...


class MersenneTwister:
    """MT19937; an int seeds its state by Knuth's recurrence, a sequence by `init_by_array`."""

    def __init__(self, seed: int | Sequence[int]) -> None:
        if isinstance(seed, int):
            self._source = random.Random()
            self._source.setstate((3, (*_knuth(seed), 624), None))
        else:
            words = sum(word << 32 * i for i, word in enumerate(seed))
            self._source = random.Random(words)
        self.double = self._source.random

    def next32(self) -> int:
        return self._source.getrandbits(32)

    def next64(self) -> int:
        return self.next32() << 32 | self.next32()


def _knuth(seed: int) -> list[int]:
    """The 624 words of the state after a seed (Knuth, TAOCP vol. 2, 3rd ed., p. 106)."""
    words = [seed & MASK32]
    for i in range(1, 624):
        last = words[-1]
        words.append((1812433253 * (last ^ last >> 30) + i) & MASK32)
    return words


MULTIPLIER = 0x2360ED051FC65DA44385DF649FCCF645


class Pcg64:
    """PCG64: a linear congruential generator modulo 2^128, its halves XORed and rotated."""

    def __init__(self, seed: int | Sequence[int]) -> None:
        a, b, c, d = seed_words(seed)
        self._increment = ((c << 64 | d) << 1 | 1) & MASK128
        self._state = self._increment + (a << 64 | b)
        self._step()
        self._half: int | None = None

    def _step(self) -> int:
        self._state = state = (self._state * MULTIPLIER + self._increment) & MASK128
        return state

    def next64(self) -> int:
        state = self._step()
        word, turn = (state >> 64 ^ state) & MASK64, state >> 122
        return (word >> turn | word << (64 - turn)) & MASK64

    def next32(self) -> int:
        """The lower half of a 64-bit word, then its upper half."""
        if self._half is not None:
            half, self._half = self._half, None
            return half
        word = self.next64()
        self._half = word >> 32
        return word & MASK32

    def double(self) -> float:
        return (self.next64() >> 11) * 2.0**-53


class _Hash:
    """SeedSequence's hash of 32-bit words, whose constant changes with every word."""

    def __init__(self, constant: int, factor: int) -> None:
        self.constant, self.factor = constant, factor

    def __call__(self, word: int) -> int:
        word ^= self.constant
        self.constant = self.constant * self.factor & MASK32
        word = word * self.constant & MASK32
        return word ^ word >> 16


def seed_words(seed: int | Sequence[int]) -> list[int]:
    """Four 64-bit words from a seed, as NumPy's SeedSequence makes them."""
    entropy = [word for n in ([seed] if isinstance(seed, int) else seed) for word in _words(n)]
    first = _Hash(0x43B0D7E5, 0x931E8875)
    pool = [first(word) for word in (entropy + [0] * 4)[:4]]
    for source in range(4):
        for target in range(4):
            if source != target:
                pool[target] = _mix(pool[target], first(pool[source]))
    for word in entropy[4:]:
        pool = [_mix(x, first(word)) for x in pool]
    last = _Hash(0x8B51F9DD, 0x58F38DED)
    halves = [last(pool[i % 4]) for i in range(8)]
    return [halves[i] | halves[i + 1] << 32 for i in range(0, 8, 2)]


def _words(n: int) -> list[int]:
    """The 32-bit words of a number, lowest first."""
    return [n >> shift & MASK32 for shift in range(0, max(n.bit_length(), 1), 32)]


def _mix(x: int, y: int) -> int:
    word = (0xCA01F9DD * x - 0x4973F715 * y) & MASK32
    return word ^ word >> 16


# Integers below a bound


def masked(bits: Bits, high: int) -> int:
    """A number from 0 to `high`: as many bits as it has, drawn again while they exceed it."""
    if high == 0:
        return 0
    mask = (1 << high.bit_length()) - 1
    draw = bits.next32 if high <= MASK32 else bits.next64
    while (value := draw() & mask) > high:
        pass
    return value


def multiplied(bits: Bits, high: int) -> int:
    """A number from 0 to `high`: the upper half of a product (Lemire 2019)."""
    if high == 0:
        return 0
    width, draw = (32, bits.next32) if high <= MASK32 else (64, bits.next64)
    if high == (1 << width) - 1:
        return draw()
    count = high + 1
    threshold = ((1 << width) - count) % count
    product = draw() * count
    while product & ((1 << width) - 1) < threshold:
        product = draw() * count
    return product >> width
