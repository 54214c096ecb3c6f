"""exp, log, tanh and their kin as the kernel computes them in WebAssembly, against mpmath."""

from __future__ import annotations

import math
import random
import re
from collections.abc import Callable

import pytest
from mpmath import mp, mpf

from engine.kernel import mathematics
from scripts import coefficients
from tests.support.each import for_each
from tests.support.kernel_function import map_function

INF, NAN = math.inf, math.nan
COUNT = 100_000
TENTH = 10
PRECISION = 100  # bits of the reference; 53 are compared
LEAST = 5e-324
LEAST_NORMAL = 2.0**-1022
LARGEST = 1.7976931348623157e308
FAR = 1e6

Draw = Callable[[random.Random], float]


def between(low: float, high: float) -> Draw:
    return lambda rng: rng.uniform(low, high)


def around(center: float, high: float = 0.0, low: float = -17.0) -> Draw:
    """center ± 10**exponent, the exponent between `low` and `high`."""
    return lambda rng: center + rng.choice((-1, 1)) * math.pow(10, rng.uniform(low, high))


def sizes(low: float, high: float) -> Draw:
    """10**exponent, the exponent between `low` and `high`."""
    return lambda rng: math.pow(10, rng.uniform(low, high))


def either(draw: Draw) -> Draw:
    """`draw` with either sign."""
    return lambda rng: rng.choice((-1, 1)) * draw(rng)


def steps(unit: float, offset: float, low: int, high: int) -> Draw:
    """Close to (k + offset)·unit, where the whole number k of a reduction changes."""

    def draw(rng: random.Random) -> float:
        border = (rng.randint(low, high) + offset) * unit
        return border * (1 + rng.uniform(-1, 1) * math.pow(10, rng.uniform(-15, -2)))

    return draw


def quarter_turn(rng: random.Random) -> float:
    """One of the two doubles around a multiple of π/2, which is next to a zero of sin or cos."""
    k = rng.randint(1, 636_619)
    nearest = float(k * mp.pi / 2)
    return rng.choice((-1, 1)) * math.nextafter(nearest, rng.choice((nearest, 0.0, FAR)))


# From where the points of each function come, each source as often as the others.
SOURCES: dict[str, tuple[Draw, ...]] = {
    "exp": (
        between(-745.2, 709.79),
        between(-2, 2),
        between(-745.2, -707),
        around(0),
        steps(math.log(2), 0.5, -1075, 1024),
    ),
    "log": (
        between(0.5, 2),
        around(1, -1),
        sizes(-307.6, 308),
        sizes(-323.3, -307.6),
        steps(math.sqrt(0.5), 0, 1, 2),
    ),
    "log1p": (
        between(-0.999, 2),
        around(0),
        either(sizes(-323, -1)),
        lambda rng: math.pow(10, rng.uniform(-15.9, 0)) - 1,
        sizes(0, 308),
    ),
    "tanh": (
        either(between(0, 1)),
        either(between(0.49, 0.6)),
        either(between(0, 22)),
        either(sizes(-323, 0)),
        either(steps(math.log(2), 0.7925, 0, 20)),
    ),
    "sin": (
        between(-4, 4),
        between(-FAR, FAR),
        quarter_turn,
        either(sizes(-323, 0)),
        steps(math.pi / 2, 0.5, -20, 20),
    ),
    "cos": (
        between(-4, 4),
        between(-FAR, FAR),
        quarter_turn,
        either(sizes(-17, 0)),
        steps(math.pi / 2, 0.5, -20, 20),
    ),
    "erfc": (
        between(-6.5, 27.3),
        between(-1, 1),
        between(0, 6),
        around(0),
        between(26.5, 27.3),
    ),
}
INDEPENDENT = frozenset(SOURCES) - {"erfc"}
"""Where the C library's error is at most two ulp as well, by its own documentation."""
REFERENCE: dict[str, Callable[[mpf], mpf]] = {
    "exp": mp.exp,
    "log": mp.log,
    "log1p": mp.log1p,
    "tanh": mp.tanh,
    "sin": mp.sin,
    "cos": mp.cos,
    "erfc": mp.erfc,
}


def points(name: str) -> list[float]:
    rng = random.Random(name)
    with mp.workprec(PRECISION):
        draws = SOURCES[name]
        return [draw(rng) for draw in draws for _ in range(COUNT // len(draws))]


def error(name: str, x: float, y: float) -> float:
    """How far y is from the function at x, in ulp."""
    exact = REFERENCE[name](mpf(x))
    rounded = float(exact)
    if math.isinf(rounded) or math.isinf(y):
        return 0.0 if rounded == y else INF
    return abs(float((exact - y) / math.ulp(rounded)))


def is_the_librarys(name: str, x: float, y: float) -> bool:
    """Whether y is what the C library has at x: two implementations do not err alike by chance."""
    try:
        return name in INDEPENDENT and bool(getattr(math, name)(x) == y)
    except (ValueError, OverflowError):
        return False


def same(a: float, b: float) -> bool:
    """Whether a is b, sign of zero included; any nan is like any other."""
    if math.isnan(a) or math.isnan(b):
        return math.isnan(a) and math.isnan(b)
    return a == b and math.copysign(1, a) == math.copysign(1, b)


def test_every_function_is_tested() -> None:
    assert list(SOURCES) == list(REFERENCE)
    assert sorted(SOURCES) == sorted(mathematics.FUNCTIONS)


@pytest.mark.parametrize("name", SOURCES)
def test_error_is_at_most_two_ulp(name: str) -> None:
    """Every tenth point is compared with mpmath, and all where the C library has another number."""
    xs = points(name)
    assert len(xs) == COUNT
    ys = map_function(name, xs)
    with mp.workprec(PRECISION):
        errors = {
            at: error(name, x, y)
            for at, (x, y) in enumerate(zip(xs, ys, strict=True))
            if at % TENTH == 0 or not is_the_librarys(name, x, y)
        }
    worst = max(errors, key=errors.__getitem__)
    assert errors[worst] <= 2, f"{name}({xs[worst]!r}) is {errors[worst]:.2f} ulp off"
    assert sum(errors[at] for at in range(0, COUNT, TENTH)) / (COUNT // TENTH) < 0.5


SPECIAL: dict[str, list[tuple[float, float]]] = {
    "exp": [
        (0.0, 1.0),
        (-0.0, 1.0),
        (LEAST, 1.0),
        (-1e-17, 1.0),
        (1.0, math.e),
        (709.782712893384, 1.7976931348622732e308),
        (709.7827128933841, INF),
        (LARGEST, INF),
        (INF, INF),
        (-708.3964185322641, 2.2250738585072626e-308),
        (-745.1332191019411, LEAST),
        (-745.1332191019412, 0.0),
        (-LARGEST, 0.0),
        (-INF, 0.0),
        (NAN, NAN),
    ],
    "log": [
        (1.0, 0.0),
        (2.0, math.log(2)),
        (0.0, -INF),
        (-0.0, -INF),
        (LEAST, -744.4400719213812),
        (LEAST_NORMAL, -708.3964185322641),
        (LARGEST, 709.782712893384),
        (INF, INF),
        (-LEAST, NAN),
        (-1.0, NAN),
        (-INF, NAN),
        (NAN, NAN),
    ],
    "log1p": [
        (0.0, 0.0),
        (-0.0, -0.0),
        (LEAST, LEAST),
        (-LEAST, -LEAST),
        (1e-300, 1e-300),
        (-1e-20, -1e-20),
        (1.0, math.log(2)),
        (-1.0, -INF),
        (-1.0000000000000002, NAN),
        (LARGEST, 709.782712893384),
        (INF, INF),
        (-INF, NAN),
        (NAN, NAN),
    ],
    "tanh": [
        (0.0, 0.0),
        (-0.0, -0.0),
        (LEAST, LEAST),
        (-LEAST, -LEAST),
        (1e-300, 1e-300),
        (-1e-9, -1e-9),
        (19.0, 1 - 2.0**-53),
        (-20.0, -1.0),
        (22.0, 1.0),
        (LARGEST, 1.0),
        (INF, 1.0),
        (-INF, -1.0),
        (NAN, NAN),
    ],
    "sin": [
        (0.0, 0.0),
        (-0.0, -0.0),
        (LEAST, LEAST),
        (-LEAST, -LEAST),
        (1e-300, 1e-300),
        (math.pi / 2, 1.0),
        (math.pi, 1.2246467991473532e-16),
        (FAR, -0.34999350217129294),
        (math.nextafter(FAR, INF), NAN),
        (-1e300, NAN),
        (INF, NAN),
        (-INF, NAN),
        (NAN, NAN),
    ],
    "cos": [
        (0.0, 1.0),
        (-0.0, 1.0),
        (LEAST, 1.0),
        (math.pi / 2, 6.123233995736766e-17),
        (math.pi, -1.0),
        (FAR, 0.9367521275331447),
        (math.nextafter(-FAR, -INF), NAN),
        (1e300, NAN),
        (INF, NAN),
        (-INF, NAN),
        (NAN, NAN),
    ],
    "erfc": [
        (0.0, 1.0),
        (-0.0, 1.0),
        (LEAST, 1.0),
        (-1e-300, 1.0),
        (-6.0, 2.0),
        (27.3, 0.0),
        (28.0, 0.0),
        (LARGEST, 0.0),
        (-LARGEST, 2.0),
        (INF, 0.0),
        (-INF, 2.0),
        (NAN, NAN),
    ],
}


@for_each("name", SPECIAL)
def test_special_points(name: str) -> None:
    found = map_function(name, [x for x, _ in SPECIAL[name]])
    wrong = [
        f"{name}({x!r}) is {y!r}, not {wanted!r}"
        for (x, wanted), y in zip(SPECIAL[name], found, strict=True)
        if not same(y, wanted)
    ]
    assert not wrong


@pytest.mark.parametrize("name", ["tanh", "sin"])
def test_odd(name: str) -> None:
    xs = points(name)[::7]
    assert map_function(name, [-x for x in xs]) == [-y for y in map_function(name, xs)]


def test_even() -> None:
    xs = points("cos")[::7]
    assert map_function("cos", [-x for x in xs]) == map_function("cos", xs)


@pytest.mark.parametrize("name", SOURCES)
def test_neighbours_do_not_matter(name: str) -> None:
    """A number's result is the same in either lane and beside any other number."""
    xs = points(name)[:1001] + [x for x, _ in SPECIAL[name]]
    alone = [map_function(name, [x])[0] for x in xs[-20:]]
    together = map_function(name, xs)
    backwards = map_function(name, xs[::-1])[::-1]
    assert all(same(a, b) for a, b in zip(together, backwards, strict=True))
    assert all(same(a, b) for a, b in zip(together[-20:], alone, strict=True))


def test_figures_can_be_computed_anew() -> None:
    assert coefficients.parts() == mathematics.PARTS
    assert coefficients.polynomials() == mathematics.POLYNOMIALS


def test_every_constant_is_used() -> None:
    named = set(re.findall(r"\b[A-Z][A-Z0-9_]+\b", "\n".join(mathematics.FUNCTIONS.values())))
    assert named == set(mathematics.CONSTANTS)


def test_parts_leave_room_for_whole_numbers() -> None:
    """Products of the high parts with every k that occurs are exact."""
    for name, largest in (
        ("LN2_HIGH", 1080),
        ("HALF_PI_HIGH", 636_620),
        ("HALF_PI_MIDDLE", 636_620),
    ):
        digits = mathematics.PARTS[name].as_integer_ratio()[0]
        assert (digits * largest).bit_length() <= 53
