"""Random arrays with NumPy's own numbers: `np.random.seed` and `np.random.default_rng`.

Both families draw bits in NumPy's order, so that a seeded program prints what it prints with NumPy.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from bisect import bisect_right
from collections.abc import Callable
from itertools import accumulate
from typing import Any

from engine.array_ops.grid import expanded_items, from_items

from .array import Array, as_array, operand
from .context import Context
from .count_draws import MOST_TRIALS, binomial, poisson
from .dtypes import FLOAT64, INT64
from .elementwise import joint_shape
from .normal_draws import PolarNormals, ZigguratNormals
from .random_bits import Bits, MersenneTwister, Pcg64, masked, multiplied
from .scalars import Int64, plain
from .shapes import shape_of

UNSEEDED = (
    "Without a seed NumPy gives other numbers in each run; here they are the same in each run. "
    "Write {} to have the numbers that NumPy gives for a seed."
)


class Draws(ABC):
    """What both families of generators have in common; they differ in how they draw."""

    OWN_SCALARS = True  # whether integers and picks without a size are plain Python numbers
    SEEDING = ""
    TOO_MANY = ""
    BAD_SUM = ""

    bits: Bits
    normal_draw: Callable[[], float]
    whole: Callable[[Bits, int], int]

    def __init__(self, context: Context) -> None:
        self.context = context
        self.seeded = False

    def _announce(self) -> None:
        if not self.seeded:
            self.context.host.note(UNSEEDED.format(self.SEEDING))

    def _filled(self, size: Any, draw: Callable[[], Any]) -> Any:
        """A number, or an array of the shape `size`, of float draws."""
        self._announce()
        if size is None:
            return draw()
        shape = shape_of(size)
        self.context.admit(shape)
        return Array(
            self.context, from_items([draw() for _ in range(math.prod(shape))], shape), FLOAT64
        )

    def _spread(self, size: Any, a: Any, b: Any, draw: Callable[[float, float], float]) -> Any:
        """Draws with two parameters, each a number or an array."""
        if all(isinstance(x, (int, float)) for x in (a, b)):
            return self._filled(size, lambda: draw(float(a), float(b)))
        first, second = (operand(self.context, x).grid for x in (a, b))
        joint = joint_shape(first.shape, second.shape)
        shape = joint if size is None else shape_of(size)
        self.context.admit(shape)
        self._announce()
        pairs = zip(expanded_items(first, shape), expanded_items(second, shape), strict=True)
        return Array(
            self.context, from_items([draw(float(x), float(y)) for x, y in pairs], shape), FLOAT64
        )

    def random(self, size: Any = None) -> Any:
        """Uniform numbers in [0, 1)."""
        return self._filled(size, self.bits.double)

    def uniform(self, low: Any = 0.0, high: Any = 1.0, size: Any = None) -> Any:
        double = self.bits.double
        return self._spread(size, low, high, lambda a, b: a + (b - a) * double())

    def normal(self, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
        draw = self.normal_draw
        if isinstance(scale, (int, float)) and scale < 0:
            raise ValueError("scale < 0")
        return self._spread(size, loc, scale, lambda mean, scale: mean + scale * draw())

    def standard_normal(self, size: Any = None) -> Any:
        return self._filled(size, self.normal_draw)

    def exponential(self, scale: float = 1.0, size: Any = None) -> Any:
        double = self.bits.double
        return self._filled(size, lambda: -scale * math.log1p(-double()))

    def binomial(self, n: Any, p: Any, size: Any = None) -> Any:
        """Successes in n trials, each with probability p."""
        trials, share = int(n), float(p)
        if trials < 0 or not 0 <= share <= 1:
            raise ValueError("n < 0" if trials < 0 else "p < 0, p > 1 or p is NaN")
        if trials * min(share, 1 - share) > 30 or trials > MOST_TRIALS:
            self.context.host.refuse("binomial draws here with n*p up to 30.", "Take a smaller n.")
        return self._counted(size, lambda: binomial(self.bits.double, trials, share))

    def poisson(self, lam: Any = 1.0, size: Any = None) -> Any:
        """Events of the mean number lam."""
        rate = float(lam)
        if not rate >= 0:
            raise ValueError("lam < 0 or lam is NaN")
        if rate >= 10:
            self.context.host.refuse("poisson draws here with lam below 10.", "Take a smaller lam.")
        return self._counted(size, lambda: poisson(self.bits.double, rate))

    def _counted(self, size: Any, draw: Callable[[], int]) -> Any:
        """A whole number, or an array of the shape `size`, of draws."""
        self._announce()
        shape = () if size is None else shape_of(size)
        self.context.admit(shape)
        items = [draw() for _ in range(math.prod(shape))]
        if size is None:
            return items[0]
        return Array(self.context, from_items(items, shape), INT64)

    def _integers(self, low: Any, high: Any, size: Any, dtype: Any) -> Any:
        """Integers from `low` to below `high`; from 0 to below `low` without `high`."""
        low, high = (0, plain(low)) if high is None else (plain(low), plain(high))
        if not all(isinstance(x, int) for x in (low, high)):
            low, high = math.ceil(low), math.ceil(high)
        if low >= high:
            raise ValueError("low >= high" if low or size is not None or high else "high <= 0")
        whole, bits, span = type(self).whole, self.bits, high - 1 - low
        if size is None:
            self._announce()
            value = low + whole(bits, span)
            return value if self.OWN_SCALARS else Int64(value)
        array = self._filled(size, lambda: low + whole(bits, span))
        return Array(self.context, array.grid, INT64 if dtype is None else dtype)

    # Choices

    def choice(self, a: Any, size: Any = None, replace: bool = True, p: Any = None) -> Any:
        """Elements of `a`, or of range(a), by chance; `p` are their probabilities."""
        population = plain(a) if isinstance(a, int) else as_array(self.context, a)
        count = population if isinstance(population, int) else len(population)
        self._check_choice(population, count)
        shape = () if size is None else shape_of(size)
        self.context.admit(shape)
        self._announce()
        places = self._places(count, math.prod(shape), replace, p)
        if isinstance(population, int):
            if size is None:
                return places[0]
            return Array(self.context, from_items(places, shape), INT64)
        if size is None:
            return population[places[0]]
        picks = Array(self.context, from_items(places, shape), INT64)
        return population[picks]

    def _check_choice(self, population: Any, count: int) -> None:
        if isinstance(population, Array) and population.ndim != 1 and self.OWN_SCALARS:
            raise ValueError("a must be 1-dimensional")
        if count < 1:
            raise ValueError(
                "a must be greater than 0 unless no samples are taken"
                if isinstance(population, int)
                else "'a' cannot be empty unless no samples are taken"
            )
        self.context.admit((count,))

    def _places(self, count: int, wanted: int, replace: bool, p: Any) -> list[int]:
        weights = None if p is None else self._weights(p, count)
        if not replace and wanted > count:
            raise ValueError(self.TOO_MANY)
        if replace and weights is not None:
            sums = _cumulative(weights)
            return [bisect_right(sums, self.bits.double()) for _ in range(wanted)]
        if replace:
            whole = type(self).whole
            return [whole(self.bits, count - 1) for _ in range(wanted)]
        if weights is not None:
            return self._distinct(weights, wanted)
        return self._sample(count, wanted)

    def _weights(self, p: Any, count: int) -> list[float]:
        weights = as_array(self.context, p, FLOAT64)
        if weights.shape != (count,):
            raise ValueError("'a' and 'p' must have same size")
        items = weights.items()
        if any(x < 0 for x in items):
            raise ValueError("probabilities are not non-negative")
        if abs(math.fsum(items) - 1) > 1.5e-8:
            raise ValueError(self.BAD_SUM)
        return items

    def _distinct(self, weights: list[float], wanted: int) -> list[int]:
        """Different places with given probabilities: those drawn again are left out."""
        if sum(x > 0 for x in weights) < wanted:
            raise ValueError("Fewer non-zero entries in p than size")
        found: dict[int, None] = {}
        while len(found) < wanted:
            draws = [self.bits.double() for _ in range(wanted - len(found))]
            sums = _cumulative([0.0 if i in found else x for i, x in enumerate(weights)])
            found |= dict.fromkeys(bisect_right(sums, x) for x in draws)
        return list(found)

    @abstractmethod
    def _sample(self, count: int, wanted: int) -> list[int]:
        """`wanted` different places below `count`, each equally probable."""

    # Orders

    def shuffle(self, x: Any) -> None:
        """Put the elements of a list, or the rows of an array, into a random order in place."""
        if not isinstance(x, (list, Array)):
            raise TypeError(f"object of type '{type(x).__name__}' has no len()")
        self._announce()
        order = list(range(len(x)))
        self._shuffle(order)
        if isinstance(x, Array):
            x[...] = x[order]
        else:
            x[:] = [x[i] for i in order]

    def permutation(self, x: Any) -> Array:
        """A shuffled copy of an array, or of range(x)."""
        size = plain(x) if isinstance(x, int) else len(x)
        self._announce()
        self.context.admit((size,))
        order = list(range(size))
        self._shuffle(order)
        picks = Array(self.context, from_items(order, (size,)), INT64)
        if isinstance(x, int):
            return picks
        chosen: Array = as_array(self.context, x)[picks]
        return chosen

    def _shuffle(self, items: list[Any]) -> None:
        """Fisher and Yates from the end, with masked numbers."""
        for i in range(len(items) - 1, 0, -1):
            j = masked(self.bits, i)
            items[i], items[j] = items[j], items[i]


def _cumulative(weights: list[float]) -> list[float]:
    sums = list(accumulate(weights))
    return [x / sums[-1] for x in sums]


class Legacy(Draws):
    """`np.random` and RandomState: MT19937, polar normals, masked integers."""

    SEEDING = "np.random.seed(0)"
    TOO_MANY = "Cannot take a larger sample than population when 'replace=False'"
    BAD_SUM = "probabilities do not sum to 1"
    whole = staticmethod(masked)

    def __init__(self, context: Context, seed: Any = None) -> None:
        super().__init__(context)
        self.seed(seed)

    def seed(self, seed: Any = None) -> None:
        """Start anew; None gives other numbers in each run of NumPy, those of 0 here."""
        self.seeded = seed is not None
        self.bits = MersenneTwister(
            _seed(self.context, seed, 2**32, "Seed must be between 0 and 2**32 - 1")
        )
        self.normal_draw = PolarNormals(self.bits)

    def random_sample(self, size: Any = None) -> Any:
        """Uniform numbers in [0, 1)."""
        return self.random(size)

    def rand(self, *shape: int) -> Any:
        return self.random(shape or None)

    def randn(self, *shape: int) -> Any:
        return self.standard_normal(shape or None)

    def randint(self, low: Any, high: Any = None, size: Any = None, dtype: Any = None) -> Any:
        return self._integers(low, high, size, dtype)

    def exponential(self, scale: float = 1.0, size: Any = None) -> Any:
        double = self.bits.double
        return self._filled(size, lambda: scale * -math.log(1.0 - double()))

    def _sample(self, count: int, wanted: int) -> list[int]:
        order = list(range(count))
        self._shuffle(order)
        return order[:wanted]


class Generator(Draws):
    """`np.random.default_rng`: PCG64, ziggurat normals, Lemire's integers."""

    OWN_SCALARS = False
    SEEDING = "np.random.default_rng(0)"
    TOO_MANY = "Cannot take a larger sample than population when replace is False"
    BAD_SUM = "Probabilities do not sum to 1. See Notes section of docstring for more information."
    whole = staticmethod(multiplied)

    def __init__(self, context: Context, seed: Any = None) -> None:
        super().__init__(context)
        self.seeded = seed is not None
        self.bits = Pcg64(_seed(context, seed, 2**4096, "expected non-negative integer"))
        self.normal_draw = ZigguratNormals(self.bits)

    def integers(
        self, low: Any, high: Any = None, size: Any = None, dtype: Any = None,
        endpoint: bool = False,
    ) -> Any:  # fmt: skip
        low, high = (0, low) if high is None else (low, high)
        return self._integers(low, high + endpoint, size, dtype)

    def exponential(self, scale: float = 1.0, size: Any = None) -> Any:
        self.context.host.note("The numbers of Generator.exponential differ from NumPy's.")
        return super().exponential(scale, size)

    def choice(
        self, a: Any, size: Any = None, replace: bool = True, p: Any = None, axis: int = 0
    ) -> Any:
        return super().choice(a, size, replace, p)

    def _sample(self, count: int, wanted: int) -> list[int]:
        """Floyd's sample of different places, shuffled with Lemire's integers."""
        found: dict[int, None] = {}
        for last in range(count - wanted, count):
            place = multiplied(self.bits, last)
            found[last if place in found else place] = None
        places = list(found)
        for i in range(wanted - 1, 0, -1):
            j = multiplied(self.bits, i)
            places[i], places[j] = places[j], places[i]
        return places


def _seed(context: Context, seed: Any, bound: int, words: str) -> int | list[int]:
    if seed is None:
        return 0
    if isinstance(seed, (list, tuple, Array)):
        return [int(x) for x in as_array(context, seed, INT64).items()]
    if not isinstance(seed, int):
        context.host.refuse("A seed is a whole number here.", "Write np.random.seed(0).")
    if not 0 <= seed < bound:
        raise ValueError(words)
    return int(seed)
