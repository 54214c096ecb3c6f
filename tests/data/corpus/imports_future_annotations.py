# kind: imports
from __future__ import annotations

from typing import Iterable, Self, Callable
import copy

class Value:
    def __init__(self: Self, data: float, children: Iterable[Value] = ()) -> None:
        self.data: float = data
        self.children: tuple[Value, ...] = tuple(children)
        self._backward: Callable[[], None] | None = None

    def __add__(self, other: Value) -> Value:
        return Value(self.data + other.data, (self, other))

a: Value = Value(1.0)
b = copy.copy(a)
b.data = 9.0
print(a.data, (a + b).data, len((a + b).children), a._backward)
