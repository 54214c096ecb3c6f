"""PyTorch's random numbers on the CPU: the same ones for the same seed.

The generator is MT19937 (Matsumoto and Nishimura 1998). Blocks of 16 normal numbers come from
PyTorch's vectorised Box–Muller transform, whose logarithm, sine and cosine are the 32-bit
polynomials of Cephes (Moshier 1989) with fused multiply–adds. A product of two 32-bit floats is
exact in 64 bits, so rounding the 64-bit sum replaces the fused operation.
"""

from __future__ import annotations

import math

from engine.arrays.random_bits import MersenneTwister
from engine.real import as_single

_BLOCK = 16
_WIDE = 1 << 28
"""Ranges of integers from this size take 64 random bits."""


class TorchGenerator:
    """A stream of random numbers, like PyTorch's default generator after `manual_seed`."""

    def __init__(self, seed: int = 0) -> None:
        self.manual_seed(seed)

    def manual_seed(self, seed: int) -> TorchGenerator:
        self.seed = seed
        self._bits = MersenneTwister(seed)
        self._spare: float | None = None
        return self

    def initial_seed(self) -> int:
        return self.seed

    def word64(self) -> int:
        """64 random bits."""
        return self._bits.next64()

    def single(self) -> float:
        """A 32-bit float, uniform on [0, 1)."""
        return (self._bits.next32() & 0xFFFFFF) * 2.0**-24

    def double(self) -> float:
        """A 64-bit float, uniform on [0, 1)."""
        return (self._bits.next64() & ((1 << 53) - 1)) * 2.0**-53

    def uniform(self, count: int, low: float, high: float, *, single: bool) -> list[float]:
        """`count` numbers, uniform on [low, high)."""
        if not single:
            return [self.double() * (high - low) + low for _ in range(count)]
        low, high = as_single(low), as_single(high)
        width = as_single(high - low)
        return [as_single(self.single() * width + low) for _ in range(count)]

    def normal(self, count: int, mean: float, deviation: float, *, single: bool) -> list[float]:
        """`count` normally distributed numbers."""
        if count < _BLOCK:
            numbers = [self._gauss() * deviation + mean for _ in range(count)]
            return [as_single(x) for x in numbers] if single else numbers
        draw = self.single if single else self.double
        block = _single_block if single else _double_block
        numbers = [draw() for _ in range(count)]
        for start in range(0, count - _BLOCK + 1, _BLOCK):
            numbers[start : start + _BLOCK] = block(numbers[start : start + _BLOCK])
        if count % _BLOCK:
            numbers[-_BLOCK:] = block([draw() for _ in range(_BLOCK)])
        if (mean, deviation) == (0.0, 1.0):
            return numbers
        if not single:
            return [x * deviation + mean for x in numbers]
        mean, deviation = as_single(mean), as_single(deviation)
        return [as_single(x * deviation + mean) for x in numbers]

    def _gauss(self) -> float:
        """One of a pair of normal numbers; the other is kept for the next call."""
        if self._spare is not None:
            number, self._spare = self._spare, None
            return number
        angle, radius = 2 * math.pi * self.double(), self.double()
        radius = math.sqrt(-2 * math.log1p(-radius))
        self._spare = radius * math.sin(angle)
        return radius * math.cos(angle)

    def integers(self, count: int, low: int, high: int) -> list[int]:
        """`count` integers from low to high - 1."""
        draw = self._bits.next32 if high - low < _WIDE else self._bits.next64
        return [draw() % (high - low) + low for _ in range(count)]

    def permutation(self, n: int) -> list[int]:
        """The numbers below n, shuffled."""
        order = list(range(n))
        for i in range(n - 1):
            j = i + self._bits.next32() % (n - i)
            order[i], order[j] = order[j], order[i]
        return order


def _double_block(numbers: list[float]) -> list[float]:
    """Box–Muller on 16 uniform numbers: radii from the first eight, angles from the others."""
    half = _BLOCK // 2
    radii = [math.sqrt(-2 * math.log(1 - x)) for x in numbers[:half]]
    angles = [2 * math.pi * x for x in numbers[half:]]
    pairs = list(zip(radii, angles, strict=True))
    return [r * math.cos(t) for r, t in pairs] + [r * math.sin(t) for r, t in pairs]


def _single_block(numbers: list[float]) -> list[float]:
    """`_double_block` with 32-bit floats, rounded as PyTorch's vectorised kernel rounds them."""
    half = _BLOCK // 2
    radii = [as_single(math.sqrt(as_single(-2 * _log(1 - x)))) for x in numbers[:half]]
    turns = [_sine_cosine(as_single(_TURN * x)) for x in numbers[half:]]
    pairs = list(zip(radii, turns, strict=True))
    return [as_single(r * c) for r, (_, c) in pairs] + [as_single(r * s) for r, (s, _) in pairs]


_TURN = as_single(2 * math.pi)
_LOG = [
    as_single(c)
    for c in (
        7.0376836292e-2, -1.1514610310e-1, 1.1676998740e-1, -1.2420140846e-1, 1.4249322787e-1,
        -1.6668057665e-1, 2.0000714765e-1, -2.4999993993e-1, 3.3333331174e-1,
    )
]  # fmt: skip
_LOG2_LOW, _LOG2_HIGH = as_single(-2.12194440e-4), 0.693359375
_SINE = [as_single(c) for c in (-1.9515295891e-4, 8.3321608736e-3, -1.6666654611e-1)]
_COSINE = [
    as_single(c) for c in (2.443315711809948e-5, -1.388731625493765e-3, 4.166664568298827e-2)
]
_EIGHTHS = as_single(4 / math.pi)
_REDUCTION = [
    as_single(c) for c in (-0.78515625, -2.4187564849853515625e-4, -3.77489497744594108e-8)
]


def _polynomial(coefficients: list[float], x: float) -> float:
    y = coefficients[0]
    for c in coefficients[1:]:
        y = as_single(y * x + c)
    return y


def _log(x: float) -> float:
    """log x for a 32-bit x in (0, 1]."""
    mantissa, exponent = math.frexp(x)
    if mantissa < as_single(math.sqrt(0.5)):
        exponent -= 1
        mantissa *= 2
    x = as_single(mantissa - 1)
    z = as_single(x * x)
    y = as_single(_polynomial(_LOG, x) * x)
    y = as_single(y * z + as_single(exponent * _LOG2_LOW))
    y = as_single(y - z * 0.5)
    return as_single(exponent * _LOG2_HIGH + as_single(x + y))


def _sine_cosine(x: float) -> tuple[float, float]:
    """The sine and cosine of a 32-bit x from 0 to 2π."""
    octant = (int(as_single(x * _EIGHTHS)) + 1) & ~1
    for part in _REDUCTION:
        x = as_single(octant * part + x)
    z = as_single(x * x)
    cosine = as_single(_polynomial(_COSINE, z) * z)
    cosine = as_single(as_single(cosine * z - as_single(z * 0.5)) + 1)
    sine = as_single(as_single(_polynomial(_SINE, z) * z) * x + x)
    if octant & 2:
        sine, cosine = cosine, sine
    return (-sine if octant & 4 else sine), (-cosine if (octant + 2) & 4 else cosine)
