"""Standard normal numbers, by the two methods that NumPy uses."""

from __future__ import annotations

import math
from decimal import Decimal, localcontext
from itertools import pairwise

from engine.caches import cached

from .random_bits import Bits

R = 3.654152885361009  # where the tail begins
AREA = 0.004928673233974652  # of each layer
INVERSE = 0.27366123732975828  # 1/R
LAYERS = 256
ROUNDED_UP = 38  # the height of this layer is the next float in NumPy's table
MANTISSA = 2**52


class PolarNormals:
    """The polar method (Marsaglia and Bray 1964): numbers in pairs, the second kept for later."""

    def __init__(self, bits: Bits) -> None:
        self._bits = bits
        self._kept: float | None = None

    def __call__(self) -> float:
        if self._kept is not None:
            kept, self._kept = self._kept, None
            return kept
        double = self._bits.double
        square = 0.0
        while square >= 1.0 or square == 0.0:
            x, y = 2.0 * double() - 1.0, 2.0 * double() - 1.0
            square = x * x + y * y
        factor = math.sqrt(-2.0 * math.log(square) / square)
        self._kept = factor * x
        return factor * y


class ZigguratNormals:
    """The ziggurat of 256 layers (Marsaglia and Tsang 2000)."""

    def __init__(self, bits: Bits) -> None:
        self._bits = bits
        self._bounds, self._widths, self._heights = layers()

    def __call__(self) -> float:
        while True:
            word = self._bits.next64()
            layer, size = word & 0xFF, word >> 9 & MANTISSA - 1
            x = size * self._widths[layer]
            x = -x if word >> 8 & 1 else x
            if size < self._bounds[layer]:
                return x
            if layer == 0:
                return self._tail(-1.0 if size >> 8 & 1 else 1.0)
            low, high = self._heights[layer], self._heights[layer - 1]
            if (high - low) * self._bits.double() + low < math.exp(-0.5 * x * x):
                return x

    def _tail(self, sign: float) -> float:
        while True:
            x = -INVERSE * math.log1p(-self._bits.double())
            y = -math.log1p(-self._bits.double())
            if y + y > x * x:
                return sign * (R + x)


@cached("layers of the ziggurat")
def layers() -> tuple[list[int], list[float], list[float]]:
    """For each layer: the size below which a point is inside, the width of a unit, the height.

    All layers have the area v = R·f(R) + ∫ f from R to ∞, with f(x) = exp(-x²/2); their edges
    follow from xᵢ₋₁ = f⁻¹(v/xᵢ + f(xᵢ)), in 64-bit floats as NumPy's table was computed.
    """
    edge, height = R, _height(R)
    edges, heights = [edge], [height]
    for layer in range(LAYERS - 2, 0, -1):
        edge = math.sqrt(-2.0 * _log(AREA / edge + height))
        height = _height(edge)
        if layer == ROUNDED_UP:
            height = math.nextafter(height, 1.0)
        edges.insert(0, edge)
        heights.insert(0, height)
    inside = [R * heights[-1] / AREA, 0.0, *(a / b for a, b in pairwise(edges))]
    widths = [AREA / heights[-1], *edges]
    return (
        [round(share * MANTISSA) for share in inside],
        [width / MANTISSA for width in widths],
        [1.0, *heights],
    )


def _height(x: float) -> float:
    """exp(-x²/2), rounded correctly whatever the platform."""
    with localcontext() as context:
        context.prec = 28
        return float(Decimal(-0.5 * x * x).exp())


def _log(x: float) -> float:
    """ln x, rounded correctly whatever the platform."""
    with localcontext() as context:
        context.prec = 28
        return float(Decimal(x).ln())
