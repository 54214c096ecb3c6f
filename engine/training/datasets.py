"""The table of data sets, and the samples that a training run sees.

Points are drawn from the seed by additions, multiplications, roots, sines and cosines, and rounded
to six decimals, so that the last bit of some machine's sine changes nothing. To add a data set, add
one entry to DATASETS.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

Row = tuple[tuple[float, ...], float]
"""The inputs of one sample and its label: the number of its class from 0, or y."""

MOST_CLASSES = 1_000


@dataclass(frozen=True, slots=True)
class DataSet:
    """One data set. `classes` is how many it has, 0 where a number is to be predicted.

    `make` draws `samples` rows with `noise` from a generator. A set that is not `drawn` has its
    own rows, whatever samples, noise and seed.
    """

    name: str
    help: str
    formula: str
    classes: int
    inputs: int
    make: Callable[[int, float, random.Random], list[Row]]
    drawn: bool = True


FOUR_POINTS: tuple[Row, ...] = (
    ((2.0, 3.0, -1.0), 1.0),
    ((3.0, -1.0, 0.5), 0.0),
    ((0.5, 1.0, 1.0), 0.0),
    ((1.0, 1.0, -1.0), 1.0),
)
_CORNERS = ((1.0, 1.0), (1.0, -1.0), (-1.0, -1.0), (-1.0, 1.0))


def _along(samples: int, classes: int) -> Iterator[tuple[int, float, float]]:
    """Class by class, of equal size: its number; how far along it is, from 0 to 1 and from above 0.

    The second way never starts at 0: the ends of a circle would be one point twice, and the arms of
    a spiral would share the middle.
    """
    for number in range(classes):
        count = len(range(number, samples, classes))
        for i in range(count):
            yield number, i / max(count - 1, 1), (i + 1) / count


def _blurred(x: float, y: float, noise: float, rng: random.Random) -> tuple[float, float]:
    return x + rng.gauss(0.0, noise), y + rng.gauss(0.0, noise)


def _xor(samples: int, noise: float, rng: random.Random) -> list[Row]:
    return [(_blurred(*_CORNERS[i % 4], noise, rng), float(i % 2)) for i in range(samples)]


def _moons(samples: int, noise: float, rng: random.Random) -> list[Row]:
    out: list[Row] = []
    for number, along, _ in _along(samples, 2):
        x, y = math.cos(math.pi * along), math.sin(math.pi * along)
        at = (1 - x, 0.5 - y) if number else (x, y)
        out.append((_blurred(*at, noise, rng), float(number)))
    return out


def _circles(samples: int, noise: float, rng: random.Random) -> list[Row]:
    out: list[Row] = []
    for number, _, along in _along(samples, 2):
        radius, angle = (0.5 if number else 1.0), 2 * math.pi * along
        at = radius * math.cos(angle), radius * math.sin(angle)
        out.append((_blurred(*at, noise, rng), float(number)))
    return out


def _gauss(samples: int, noise: float, rng: random.Random) -> list[Row]:
    out: list[Row] = []
    for number, _, _ in _along(samples, 2):
        centre = 0.75 if number else -0.75
        out.append((_blurred(centre, centre, 0.2 + noise, rng), float(number)))
    return out


def _arms(count: int, turn: float) -> Callable[[int, float, random.Random], list[Row]]:
    """Spirals that start in the middle, each `turn` round; the noise blurs the angle."""

    def make(samples: int, noise: float, rng: random.Random) -> list[Row]:
        out: list[Row] = []
        for number, _, radius in _along(samples, count):
            angle = turn * radius + 2 * math.pi * number / count + rng.gauss(0.0, noise)
            at = radius * math.sin(angle), radius * math.cos(angle)
            out.append((at, float(number)))
        return out

    return make


def _sine(samples: int, noise: float, rng: random.Random) -> list[Row]:
    out: list[Row] = []
    for _, along, _ in _along(samples, 1):
        x = 2 * along - 1
        out.append(((x,), math.sin(math.pi * x) + rng.gauss(0.0, noise)))
    return out


def _plane(samples: int, noise: float, rng: random.Random) -> list[Row]:
    out: list[Row] = []
    for _ in range(samples):
        x1, x2 = rng.uniform(-1, 1), rng.uniform(-1, 1)
        out.append(((x1, x2), (x1 + x2) / 2 + rng.gauss(0.0, noise)))
    return out


DATASETS: dict[str, DataSet] = {
    data.name: data
    for data in (
        DataSet(
            "four_points",
            "Four samples of three numbers, the first thing that micrograd's networks learn.",
            "x ∈ ℝ³, y = 1, −1, −1, 1",
            2,
            3,
            lambda samples, noise, rng: list(FOUR_POINTS),
            drawn=False,
        ),
        DataSet(
            "xor",
            "Four corners, opposite ones alike: no single line parts them.",
            "x = (±1, ±1) + N(0, noise), class 1 where the signs differ",
            2,
            2,
            _xor,
        ),
        DataSet(
            "moons",
            "Two half circles that reach into each other.",
            "(cos t, sin t) and (1 − cos t, ½ − sin t), t from 0 to π, + N(0, noise)",
            2,
            2,
            _moons,
        ),
        DataSet(
            "circles",
            "A circle inside another one.",
            "r·(cos t, sin t), r = 1 and ½, + N(0, noise)",
            2,
            2,
            _circles,
        ),
        DataSet(
            "gauss",
            "Two clouds of points, which a single line can part.",
            "(−¾, −¾) and (¾, ¾), + N(0, 0.2 + noise)",
            2,
            2,
            _gauss,
        ),
        DataSet(
            "spiral",
            "Two arms wound around each other, the hardest of the sets with two classes.",
            "r·(sin t, cos t), t = 3.5·π·r + π·class + N(0, noise), 0 < r ≤ 1",
            2,
            2,
            _arms(2, 3.5 * math.pi),
        ),
        DataSet(
            "three_spirals",
            "Three arms and three classes, one output each.",
            "r·(sin t, cos t), t = 4·r + 2·π∕3·class + N(0, noise), 0 < r ≤ 1",
            3,
            2,
            _arms(3, 4.0),
        ),
        DataSet(
            "sine",
            "One wave, to be predicted from its place.",
            "y = sin(π·x) + N(0, noise), x from −1 to 1",
            0,
            1,
            _sine,
        ),
        DataSet(
            "plane",
            "A tilted plane, to be predicted from two numbers.",
            "y = (x₁ + x₂)∕2 + N(0, noise), x ~ U(−1, 1)",
            0,
            2,
            _plane,
        ),
        DataSet(
            "rows",
            "Your own rows: the inputs, and in the last column the class or the number y.",
            "x₁, …, xₙ, y",
            0,
            0,
            lambda samples, noise, rng: [],
            drawn=False,
        ),
    )
}
"""Every data set by its name. The classes and inputs of "rows" are those of the rows given."""


def class_numbers(labels: Sequence[float]) -> tuple[int, ...] | None:
    """The classes, numbered from 0, that labels mean; None if they mean none.

    They are either −1 and 1, or whole numbers from 0 and below MOST_CLASSES.
    """
    if all(y in (-1.0, 1.0) for y in labels):
        return tuple(int(y > 0) for y in labels)
    if all(0 <= y < MOST_CLASSES and y.is_integer() for y in labels):
        return tuple(int(y) for y in labels)
    return None
