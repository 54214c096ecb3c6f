"""The baseline of `scalar` and `train`: a scalar in the style of micrograd's tutorials.

Each result keeps a set of its children and a closure that adds to their gradients; the backward
pass sorts the graph recursively. Has `+`, `*` and the operations that the tasks of `train` need.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable


def _nothing() -> None:
    pass


class Value:
    """A number with its gradient, children and backward closure."""

    def __init__(self, data: float, came_from: Iterable[Value] = (), sign: str = "") -> None:
        self.data = data
        self.grad = 0.0
        self.send_back: Callable[[], None] = _nothing
        self.came_from = set(came_from)
        self.sign = sign

    def __add__(self, other: Value | float) -> Value:
        right = other if isinstance(other, Value) else Value(other)
        out = Value(self.data + right.data, (self, right), "+")

        def send_back() -> None:
            self.grad += out.grad
            right.grad += out.grad

        out.send_back = send_back
        return out

    def __mul__(self, other: Value | float) -> Value:
        right = other if isinstance(other, Value) else Value(other)
        out = Value(self.data * right.data, (self, right), "*")

        def send_back() -> None:
            self.grad += right.data * out.grad
            right.grad += self.data * out.grad

        out.send_back = send_back
        return out

    def _of(self, data: float, slope: float, sign: str) -> Value:
        """The result of a unary function, from its value and derivative."""
        out = Value(data, (self,), sign)

        def send_back() -> None:
            self.grad += slope * out.grad

        out.send_back = send_back
        return out

    def tanh(self) -> Value:
        data = math.tanh(self.data)
        return self._of(data, 1 - data * data, "tanh")

    def relu(self) -> Value:
        return self._of(max(self.data, 0.0), float(self.data > 0), "relu")

    def exp(self) -> Value:
        data = math.exp(self.data)
        return self._of(data, data, "exp")

    def log(self) -> Value:
        return self._of(math.log(self.data), 1 / self.data, "log")

    def square(self) -> Value:
        return self._of(self.data * self.data, 2 * self.data, "square")

    def backward(self) -> None:
        """Sort the graph and run the closures in reverse topological order."""
        order: list[Value] = []
        seen: set[Value] = set()

        def visit(value: Value) -> None:
            if value not in seen:
                seen.add(value)
                for child in value.came_from:
                    visit(child)
                order.append(value)

        visit(self)
        self.grad = 1.0
        for value in reversed(order):
            value.send_back()
