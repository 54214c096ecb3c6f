"""The baseline of `scalar`: a scalar in micrograd's way, as its tutorials build it.

Each result keeps the set of what it came from and a closure that adds to their gradients; the
backward pass sorts the graph by recursion. `+` and `*` only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable


def _nothing() -> None:
    pass


class Value:
    """A number, its gradient, what it came from, and how its gradient flows back."""

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

    def backward(self) -> None:
        """Sort the graph, then let each Value pass its gradient on, from this one back."""
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
