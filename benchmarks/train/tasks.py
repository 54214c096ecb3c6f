"""The four tasks: data, initial parameters and update rule, the same for all contestants.

Data and parameters come from seeded generators of the standard library, with rows rounded to six
decimals, so that contestants share no package. Parameters are flat lists in Seegrad's order: by
layer and neuron, weights, then bias. All numbers are 64-bit floats. A step is forward pass, loss,
backward pass and update on one batch; batches cycle through the rows in order.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

Row = tuple[float, ...]
Layer = tuple[list[list[float]], list[float]]
"""Weights by neuron, and biases by neuron."""


@dataclass(frozen=True, slots=True)
class Task:
    """A network and its data; the last column of a row is the target or class."""

    name: str
    says: str
    rows: tuple[Row, ...]
    layers: tuple[int, ...]
    hidden: str
    output: str
    loss: str
    optimizer: str
    rate: float
    batch: int
    l2: float = 0.0
    scaled: bool = True

    @property
    def inputs(self) -> list[Row]:
        return [row[:-1] for row in self.rows]

    @property
    def targets(self) -> list[float]:
        return [row[-1] for row in self.rows]

    @property
    def activations(self) -> list[str]:
        """One name for each layer."""
        return [self.hidden] * (len(self.layers) - 2) + [self.output]

    def start(self) -> list[float]:
        """Weights uniform in (−1, 1), divided by √inputs if `scaled`; biases 0."""
        chance = random.Random(f"start {self.name}")
        flat: list[float] = []
        for width, neurons in zip(self.layers, self.layers[1:], strict=False):
            divisor = math.sqrt(width) if self.scaled else 1.0
            for _ in range(neurons):
                flat += [chance.uniform(-1, 1) / divisor for _ in range(width)]
                flat.append(0.0)
        return flat

    def spec(self, steps: int) -> dict[str, Any]:
        """The task as plain data for a TrainSpec."""
        return {
            "data": "rows",
            "rows": [list(row) for row in self.rows],
            "layers": list(self.layers),
            "activation": self.hidden,
            "output_activation": self.output,
            "initial": self.start(),
            "loss": self.loss,
            "l2": self.l2,
            "optimizer": self.optimizer,
            "learning_rate": self.rate,
            "schedule": "constant",
            "batch": "all" if self.batch == len(self.rows) else self.batch,
            "shuffle": False,
            "steps": steps,
        }


def split(task: Task, flat: Sequence[float]) -> list[Layer]:
    """The flat parameters by layer."""
    numbers = iter(flat)
    found: list[Layer] = []
    for width, neurons in zip(task.layers, task.layers[1:], strict=False):
        rows = [[next(numbers) for _ in range(width + 1)] for _ in range(neurons)]
        found.append(([row[:-1] for row in rows], [row[-1] for row in rows]))
    return found


def joined(layers: Sequence[Layer]) -> list[float]:
    """The parameters of all layers as one flat list."""
    return [
        number
        for weights, biases in layers
        for row, bias in zip(weights, biases, strict=True)
        for number in (*row, bias)
    ]


def loss(task: Task, flat: Sequence[float]) -> float:
    """The loss on all rows at the parameters `flat`, penalty included, in plain Python.

    The common reference, evaluated on every contestant's parameters.
    """
    layers = split(task, flat)
    sample = LOSSES[task.loss]
    total = math.fsum(sample(_outputs(task, layers, row[:-1]), row[-1]) for row in task.rows)
    mean = total if task.loss == "sum_squares" else total / len(task.rows)
    return mean + task.l2 * math.fsum(p * p for p in flat)


def _outputs(task: Task, layers: Sequence[Layer], x: Sequence[float]) -> list[float]:
    values = list(x)
    for (weights, biases), activation in zip(layers, task.activations, strict=True):
        act = ACTIVATIONS[activation]
        values = [
            act(math.fsum(w * v for w, v in zip(row, values, strict=True)) + bias)
            for row, bias in zip(weights, biases, strict=True)
        ]
    return values


def _cross_entropy(outputs: list[float], label: float) -> float:
    most = max(outputs)
    return math.log(math.fsum(math.exp(o - most) for o in outputs)) + most - outputs[int(label)]


ACTIVATIONS: dict[str, Callable[[float], float]] = {
    "tanh": math.tanh,
    "relu": lambda x: max(x, 0.0),
    "linear": lambda x: x,
}
LOSSES: dict[str, Callable[[list[float], float], float]] = {
    "sum_squares": lambda outputs, y: (outputs[0] - y) ** 2,
    "mse": lambda outputs, y: (outputs[0] - y) ** 2,
    "hinge": lambda outputs, y: max(1 - y * outputs[0], 0.0),
    "cross_entropy": _cross_entropy,
}

# The rows

FOUR_POINTS = (
    (2.0, 3.0, -1.0, 1.0),
    (3.0, -1.0, 0.5, -1.0),
    (0.5, 1.0, 1.0, -1.0),
    (1.0, 1.0, -1.0, 1.0),
)


def moons(count: int, noise: float) -> Iterator[Row]:
    """Two interleaving half circles of `count` noisy points each; class −1 first, then class 1."""
    chance = random.Random("moons")
    for label in (-1.0, 1.0):
        for i in range(count):
            angle = math.pi * i / (count - 1)
            x, y = math.cos(angle), math.sin(angle)
            if label > 0:
                x, y = 1 - x, 0.5 - y
            yield x + chance.gauss(0, noise), y + chance.gauss(0, noise), label


def spiral(count: int) -> Iterator[Row]:
    """Two spiral arms, 1 and −1, with 1¾ turns to radius 5, as in TensorFlow Playground."""
    chance = random.Random("spiral")
    for label, turned in ((1.0, 0.0), (-1.0, math.pi)):
        for i in range(count):
            radius = 5 * i / count
            angle = 1.75 * 2 * math.pi * i / count + turned
            x, y = radius * math.sin(angle), radius * math.cos(angle)
            yield x + chance.uniform(-0.1, 0.1), y + chance.uniform(-0.1, 0.1), label


def three_arms(count: int) -> Iterator[Row]:
    """Three spiral arms, classes 0, 1 and 2, from the origin to radius 1, with noisy angles."""
    chance = random.Random("three arms")
    for label in range(3):
        for i in range(count):
            radius = i / (count - 1)
            angle = 4 * (label + radius) + chance.gauss(0, 0.2)
            yield radius * math.sin(angle), radius * math.cos(angle), float(label)


def _rounded(rows: Iterator[Row]) -> tuple[Row, ...]:
    return tuple(tuple(round(number, 6) for number in row) for row in rows)


def _mixed(rows: tuple[Row, ...]) -> tuple[Row, ...]:
    return tuple(random.Random("order").sample(rows, len(rows)))


TASKS = {
    task.name: task
    for task in (
        Task(
            name="T1",
            says="four points, 3 → 4 → 4 → 1, tanh, sum of squares, SGD",
            rows=FOUR_POINTS,
            layers=(3, 4, 4, 1),
            hidden="tanh",
            output="tanh",
            loss="sum_squares",
            optimizer="sgd",
            rate=0.05,
            batch=4,
            scaled=False,
        ),
        Task(
            name="T2",
            says="moons, 100 rows in one batch, 2 → 16 → 16 → 1, relu, hinge and L2, SGD",
            rows=_rounded(moons(50, 0.1)),
            layers=(2, 16, 16, 1),
            hidden="relu",
            output="linear",
            loss="hinge",
            optimizer="sgd",
            rate=0.1,
            batch=100,
            l2=1e-4,
        ),
        Task(  # the mean of (o − y)² at rate 0.015 is ½(o − y)², as the Playground has it, at 0.03
            name="T3",
            says="spiral, 500 rows in batches of 10, 2 → 8 → 8 → 1, tanh, mean squares, SGD",
            rows=_mixed(_rounded(spiral(250))),
            layers=(2, 8, 8, 1),
            hidden="tanh",
            output="tanh",
            loss="mse",
            optimizer="sgd",
            rate=0.015,
            batch=10,
        ),
        Task(
            name="T4",
            says="three arms, 300 rows in one batch, 2 → 32 → 32 → 3, tanh, cross-entropy, Adam",
            rows=_rounded(three_arms(100)),
            layers=(2, 32, 32, 3),
            hidden="tanh",
            output="linear",
            loss="cross_entropy",
            optimizer="adam",
            rate=0.01,
            batch=300,
        ),
    )
}
