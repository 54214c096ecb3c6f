"""Textbook NumPy: a new array for every result."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.train.tasks import Task, joined, split
from benchmarks.train.worker import Training

APPLY = {"tanh": np.tanh, "relu": lambda z: np.maximum(z, 0), "linear": lambda z: z}
# The derivatives of activations, from their outputs.
SLOPE: dict[str, Any] = {
    "tanh": lambda a: 1 - a**2,
    "relu": lambda a: a > 0,
    "linear": lambda _: 1.0,
}


def squares(o: Any, y: Any) -> Any:
    return 2 * (o - y)


def mean_squares(o: Any, y: Any) -> Any:
    return 2 * (o - y) / len(y)


def hinge(o: Any, y: Any) -> Any:
    return np.where(y * o < 1, -y / len(y), 0)


def cross_entropy(o: Any, y: Any) -> Any:
    e = np.exp(o - o.max(axis=1, keepdims=True))
    return (e / e.sum(axis=1, keepdims=True) - y) / len(y)


PULL = {"sum_squares": squares, "mse": mean_squares, "hinge": hinge, "cross_entropy": cross_entropy}
"""The derivatives of the losses with respect to the outputs."""


class Network:
    """Weights as inputs × neurons, so that a layer is x @ w + b."""

    def __init__(self, task: Task) -> None:
        self.task = task
        layers = split(task, task.start())
        self.w = [np.array(weights).T.copy() for weights, _ in layers]
        self.b = [np.array(biases) for _, biases in layers]
        self.first = [np.zeros_like(p) for p in self.w + self.b]
        self.second = [np.zeros_like(p) for p in self.w + self.b]
        self.steps = 0
        self.x = np.array(task.inputs)
        labels = np.array(task.targets)
        classes = task.layers[-1]
        self.y = np.eye(classes)[labels.astype(int)] if classes > 1 else labels[:, None]
        self.at = 0

    def gradients(self, x: Any, y: Any) -> tuple[list[Any], list[Any]]:
        """The gradients of the loss with respect to weights and biases."""
        seen = [x]
        for w, b, name in zip(self.w, self.b, self.task.activations, strict=True):
            seen.append(APPLY[name](seen[-1] @ w + b))
        by_w: list[Any] = []
        by_b: list[Any] = []
        d = PULL[self.task.loss](seen[-1], y)
        for i in reversed(range(len(self.w))):
            d = d * SLOPE[self.task.activations[i]](seen[i + 1])
            by_w.insert(0, seen[i].T @ d)
            by_b.insert(0, d.sum(axis=0))
            if i:
                d = d @ self.w[i].T
        return by_w, by_b

    def step(self, x: Any, y: Any) -> None:
        by_w, by_b = self.gradients(x, y)
        self.steps += 1
        task, parameters, gradients = self.task, self.w + self.b, by_w + by_b
        if task.l2:
            pairs = zip(parameters, gradients, strict=True)
            gradients = [g + 2 * task.l2 * p for p, g in pairs]
        for i, (p, g) in enumerate(zip(parameters, gradients, strict=True)):
            p -= task.rate * (self.adam(i, g) if task.optimizer == "adam" else g)

    def adam(self, i: int, g: Any) -> Any:
        self.first[i] = 0.9 * self.first[i] + 0.1 * g
        self.second[i] = 0.999 * self.second[i] + 0.001 * g**2
        m = self.first[i] / (1 - 0.9**self.steps)
        v = self.second[i] / (1 - 0.999**self.steps)
        return m / (np.sqrt(v) + 1e-8)

    def train(self, steps: int) -> None:
        rows, batch = len(self.x), self.task.batch
        for _ in range(steps):
            self.step(self.x[self.at : self.at + batch], self.y[self.at : self.at + batch])
            self.at = (self.at + batch) % rows

    def parameters(self) -> list[float]:
        layers = zip(self.w, self.b, strict=True)
        return joined([(w.T.tolist(), b.tolist()) for w, b in layers])


def start(task: Task) -> Training:
    network = Network(task)
    return Training(network.train, network.parameters)
