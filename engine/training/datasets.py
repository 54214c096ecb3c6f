"""The table of data sets, each a generator of samples.

`.samples` rounds the rows to six decimals, so that the last bit of a platform's sine makes
no difference. To add a data set, add one entry to DATASETS.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

Row = tuple[tuple[float, ...], float]
"""The inputs of one sample and its label: the class index from 0, or the regression target y."""

MOST_CLASSES = 1_000


@dataclass(frozen=True, slots=True)
class DataSet:
    """One data set. `classes` is the number of classes, 0 for regression.

    `make` generates `samples` rows with `noise` from a random generator. A set that is not `drawn`
    has fixed rows, independent of samples, noise and seed. `defaults` are the settings with which
    a run of this data learns, where they differ from those of moons, or for regression from
    REGRESSION. `enough` are the samples, if more than by default, of which a part held out is
    predicted too.
    """

    name: str
    help: str
    formula: str
    classes: int
    inputs: int
    make: Callable[[int, float, random.Random], list[Row]]
    drawn: bool = True
    defaults: Mapping[str, object] = field(default_factory=dict)
    enough: int | None = None

    @property
    def problem(self) -> str:
        """The type of the problem; "" where the rows decide."""
        if self.name == "rows":
            return ""
        return f"Classification, {self.classes} classes" if self.classes else "Regression"


REGRESSION: Mapping[str, object] = {
    "loss": "mse",
    "layers": (1, 8, 8, 1),
    "activation": "tanh",
    "learning_rate": 0.1,
    "steps": 500,
}
"""Default settings for numbers to predict."""

FOUR_POINTS: tuple[Row, ...] = (
    ((2.0, 3.0, -1.0), 1.0),
    ((3.0, -1.0, 0.5), 0.0),
    ((0.5, 1.0, 1.0), 0.0),
    ((1.0, 1.0, -1.0), 1.0),
)
_CORNERS = ((1.0, 1.0), (1.0, -1.0), (-1.0, -1.0), (-1.0, 1.0))


def _along(samples: int, classes: int) -> Iterator[tuple[int, float, float]]:
    """(class, t in [0, 1], t in (0, 1]) for each sample, class by class, in classes of equal size.

    The half-open t keeps the two ends of a circle, and the starts of a spiral's arms, from
    coinciding.
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
    """Spiral arms of `turn` radians each from the origin, with noise on the angle."""

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


_HILL = 0.2  # the standard deviation of a hill or a dip
HILLS = tuple(
    (x1, x2, 1.0 if (column + row) % 2 else -1.0)
    for column, x1 in enumerate((-0.6, 0.0, 0.6))
    for row, x2 in enumerate((-0.5, 0.5))
)
"""The centre and the height of each hill, or dip, of the data set "hills"."""


def _hills(samples: int, noise: float, rng: random.Random) -> list[Row]:
    out: list[Row] = []
    for _ in range(samples):
        x1, x2 = rng.uniform(-1, 1), rng.uniform(-1, 1)
        squares = [((x1 - a) ** 2 + (x2 - b) ** 2, height) for a, b, height in HILLS]
        y = sum(height * math.exp(-d / (2 * _HILL**2)) for d, height in squares)
        out.append(((x1, x2), y + rng.gauss(0.0, noise)))
    return out


DATASETS: dict[str, DataSet] = {
    data.name: data
    for data in (
        DataSet(
            "four_points",
            "Four samples with three inputs each, from micrograd's lecture.",
            "x ∈ ℝ³, y = 1, −1, −1, 1",
            2,
            3,
            lambda samples, noise, rng: list(FOUR_POINTS),
            drawn=False,
            defaults={
                "layers": (3, 4, 4, 1),
                "activation": "tanh",
                "output_activation": "tanh",
                "loss": "sum_squares",
                "l2": 0.0,
                "learning_rate": 0.05,
                "schedule": "constant",
            },
        ),
        DataSet(
            "xor",
            "Four clusters, opposite corners in the same class: not linearly separable.",
            "x = (±1, ±1) + N(0, noise), class 1 where the signs differ",
            2,
            2,
            _xor,
        ),
        DataSet(
            "moons",
            "Two interleaved half circles.",
            "(cos t, sin t) and (1 − cos t, ½ − sin t), t from 0 to π, + N(0, noise)",
            2,
            2,
            _moons,
        ),
        DataSet(
            "circles",
            "Two concentric circles.",
            "r·(cos t, sin t), r = 1 and ½, + N(0, noise)",
            2,
            2,
            _circles,
        ),
        DataSet(
            "gauss",
            "Two Gaussian clusters that a line nearly separates.",
            "(−¾, −¾) and (¾, ¾), + N(0, 0.2 + noise)",
            2,
            2,
            _gauss,
        ),
        DataSet(
            "spiral",
            "Two interleaved spiral arms, the hardest of the binary data sets.",
            "r·(sin t, cos t), t = 3.5·π·r + π·class + N(0, noise), 0 < r ≤ 1",
            2,
            2,
            _arms(2, 3.5 * math.pi),
            defaults={"activation": "tanh", "steps": 1500},
            enough=300,
        ),
        DataSet(
            "three_spirals",
            "Three spiral arms, one class and one output each.",
            "r·(sin t, cos t), t = 4·r + 2·π∕3·class + N(0, noise), 0 < r ≤ 1",
            3,
            2,
            _arms(3, 4.0),
            defaults={"activation": "tanh", "steps": 300},
        ),
        DataSet(
            "sine",
            "One period of a sine.",
            "y = sin(π·x) + N(0, noise), x from −1 to 1",
            0,
            1,
            _sine,
        ),
        DataSet(
            "plane",
            "A plane over two inputs.",
            "y = (x₁ + x₂)∕2 + N(0, noise), x ~ U(−1, 1)",
            0,
            2,
            _plane,
            defaults={"layers": (2, 4, 1), "steps": 100},
        ),
        DataSet(
            "hills",
            "Three hills and three dips over two inputs.",
            "y = Σ ±exp(−|x − c|²∕2σ²) + N(0, noise), x ~ U(−1, 1), σ = 0.2",
            0,
            2,
            _hills,
            defaults={
                "layers": (2, 8, 8, 1),
                "optimizer": "adam",
                "learning_rate": 0.03,
                "steps": 800,
            },
        ),
        DataSet(
            "rows",
            "Your own rows: the inputs, then the class or the target y in the last column.",
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
    """The class indices from 0 that labels stand for; None if they are not class labels.

    Class labels are either −1 and 1, or integers from 0 to below MOST_CLASSES.
    """
    if all(y in (-1.0, 1.0) for y in labels):
        return tuple(int(y > 0) for y in labels)
    if all(0 <= y < MOST_CLASSES and y.is_integer() for y in labels):
        return tuple(int(y) for y in labels)
    return None
