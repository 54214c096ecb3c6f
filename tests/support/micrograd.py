"""A reimplementation of micrograd's algorithm as a test oracle: closures, accumulating gradients.

CPython executes programs with this class, which gives reference results for the whole language.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any


class Value:
    """A scalar; `pull` adds its contributions to the gradients of its children."""

    def __init__(self, data: float, _children: tuple[Value, ...] = (), _op: str = "") -> None:
        self.data, self.grad, self._prev, self._op = float(data), 0.0, _children, _op
        self.pull: Callable[[], None] = lambda: None
        self.is_constant = False

    def _result(self, data: float, *given: tuple[Value, float], op: str) -> Value:
        """A Value with the partial derivative with respect to each child."""
        out = KIND(data, tuple(child for child, _ in given), op)

        def pull() -> None:
            for child, partial in given:
                child.grad += out.grad * partial

        out.pull = pull
        return out

    def __add__(self, other: Any) -> Value:
        x = lifted(other)
        return self._result(self.data + x.data, (self, 1.0), (x, 1.0), op="+")

    def __sub__(self, other: Any) -> Value:
        x = lifted(other)
        return self._result(self.data - x.data, (self, 1.0), (x, -1.0), op="-")

    def __mul__(self, other: Any) -> Value:
        x = lifted(other)
        return self._result(self.data * x.data, (self, x.data), (x, self.data), op="*")

    def __truediv__(self, other: Any) -> Value:
        x = lifted(other)
        y = divide(self.data, x.data)
        return self._result(y, (self, divide(1, x.data)), (x, divide(-y, x.data)), op="/")

    def __pow__(self, other: float) -> Value:
        slope = other * self.data ** (other - 1)
        return self._result(self.data**other, (self, slope), (lifted(other), 0.0), op="**")

    def __neg__(self) -> Value:
        return self._result(-self.data, (self, -1.0), op="neg")

    def __radd__(self, other: Any) -> Value:
        return lifted(other) + self

    def __rsub__(self, other: Any) -> Value:
        return lifted(other) - self

    def __rmul__(self, other: Any) -> Value:
        return lifted(other) * self

    def __rtruediv__(self, other: Any) -> Value:
        return lifted(other) / self

    def relu(self) -> Value:
        on = self.data > 0
        return self._result(self.data if on else 0.0, (self, float(on)), op="relu")

    def tanh(self) -> Value:
        t = math.tanh(self.data)
        return self._result(t, (self, 1 - t**2), op="tanh")

    def exp(self) -> Value:
        y = math.exp(self.data) if self.data < 709 else math.inf
        return self._result(y, (self, y), op="exp")

    def log(self) -> Value:
        x = self.data
        y = math.log(x) if x > 0 else -math.inf if x == 0 else math.nan
        return self._result(y, (self, divide(1, x)), op="log")

    def __abs__(self) -> Value:
        x = self.data
        return self._result(abs(x), (self, float((x > 0) - (x < 0))), op="abs")

    def larger(self, other: Value) -> Value:
        """max(self, other): a tie splits the gradient evenly."""
        share = 0.5 * ((self.data > other.data) - (self.data < other.data)) + 0.5
        y = max(self.data, other.data)
        return self._result(y, (self, share), (other, 1 - share), op="max")

    def backward(self) -> None:
        """Set the gradient to 1, then pull every Value in reverse topological order."""
        self.grad = 1.0
        for value in reversed(topological(self)):
            value.pull()


def divide(a: float, b: float) -> float:
    """a / b as IEEE 754 has it, where Python raises."""
    if b != 0:
        return a / b
    return math.nan if a == 0 or a != a else math.copysign(math.inf, a) * math.copysign(1, b)


def lifted(x: Any) -> Value:
    """A Value as it is, a number as a constant of its own."""
    if isinstance(x, Value):
        return x
    out = KIND(x)
    out.is_constant = True
    return out


KIND: type[Value] = Value
"""The class of results and constants."""


def topological(output: Value) -> list[Value]:
    """The Values that `output` depends on, itself last, in topological order."""
    order: list[Value] = []
    seen: set[Value] = set()

    def visit(value: Value) -> None:
        if value not in seen:
            seen.add(value)
            for child in value._prev:
                visit(child)
            order.append(value)

    visit(output)
    return order


def names_after(program: str, **given: object) -> dict[str, Value]:
    """The Values bound to a program's names after CPython has run it."""
    names: dict[str, object] = {"Value": Value, **given}
    exec(compile(program, "<oracle>", "exec"), names)  # noqa: S102  # the tests' own text
    return {name: value for name, value in names.items() if isinstance(value, Value)}
