"""micrograd-style scalars (`benchmarks.closures`): a closure per operation and row."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Sequence
from functools import reduce
from operator import add

from benchmarks.closures import Value
from benchmarks.train.tasks import Task, split
from benchmarks.train.worker import Training

APPLY: dict[str, Callable[[Value], Value]] = {
    "tanh": Value.tanh,
    "relu": Value.relu,
    "linear": lambda z: z,
}


def _cross_entropy(o: Sequence[Value], y: float) -> Value:
    return reduce(add, (value.exp() for value in o)).log() + o[int(y)] * -1.0


LOSS: dict[str, Callable[[Sequence[Value], float], Value]] = {
    "sum_squares": lambda o, y: (o[0] + -y).square(),
    "mse": lambda o, y: (o[0] + -y).square(),
    "hinge": lambda o, y: (o[0] * -y + 1.0).relu(),
    "cross_entropy": _cross_entropy,
}


class Network:
    """Every weight and every bias is a Value."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self.layers = [
            [([Value(w) for w in row], Value(b)) for row, b in zip(weights, biases, strict=True)]
            for weights, biases in split(task, task.start())
        ]
        self.parameters = [p for layer in self.layers for row, bias in layer for p in (*row, bias)]
        self.first = [0.0] * len(self.parameters)
        self.second = [0.0] * len(self.parameters)
        self.steps = 0

    def outputs(self, x: Sequence[float]) -> list[Value]:
        values = [Value(number) for number in x]
        for layer, name in zip(self.layers, self.task.activations, strict=True):
            values = [
                APPLY[name](reduce(add, (w * v for w, v in zip(row, values, strict=True)), bias))
                for row, bias in layer
            ]
        return values

    def loss(self, rows: Sequence[Sequence[float]]) -> Value:
        task = self.task
        losses = [LOSS[task.loss](self.outputs(row[:-1]), row[-1]) for row in rows]
        total = reduce(add, losses)
        if task.loss != "sum_squares":
            total = total * (1 / len(rows))
        if task.l2:
            total = total + reduce(add, (p.square() for p in self.parameters)) * task.l2
        return total

    def step(self) -> None:
        task = self.task
        at = self.steps * task.batch % len(task.rows)
        loss = self.loss(task.rows[at : at + task.batch])
        self.steps += 1
        for p in self.parameters:
            p.grad = 0.0
        loss.backward()
        for i, p in enumerate(self.parameters):
            p.data -= task.rate * (self.adam(i, p.grad) if task.optimizer == "adam" else p.grad)

    def adam(self, i: int, g: float) -> float:
        self.first[i] = 0.9 * self.first[i] + 0.1 * g
        self.second[i] = 0.999 * self.second[i] + 0.001 * g * g
        v = self.second[i] / (1 - 0.999**self.steps)
        return self.first[i] / (1 - 0.9**self.steps) / (math.sqrt(v) + 1e-8)


def start(task: Task) -> Training:
    sys.setrecursionlimit(100_000)
    network = Network(task)

    def train(steps: int) -> None:
        for _ in range(steps):
            network.step()

    return Training(train, lambda: [p.data for p in network.parameters])
