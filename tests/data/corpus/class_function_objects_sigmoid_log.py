# kind: class
from __future__ import annotations
from abc import ABC, abstractmethod
from typing import List, Optional, Tuple, Union
import math

Number = Union[int, float]


class Function(ABC):
    """An operation: forward computes, backward gives one gradient per input."""

    def __init__(self, *parents: "Scalar") -> None:
        self.parents = parents
        self.saved: Tuple[float, ...] = ()

    def save(self, *xs: float) -> None:
        self.saved = xs

    @abstractmethod
    def forward(self, *xs: float) -> float: ...

    @abstractmethod
    def backward(self, g: float) -> Tuple[float, ...]: ...

    @classmethod
    def apply(cls, *args) -> "Scalar":
        parents = [a if isinstance(a, Scalar) else Scalar(a) for a in args]
        fn = cls(*parents)
        return Scalar(fn.forward(*(p.value for p in parents)), fn)


class Add(Function):
    def forward(self, a, b):
        return a + b
    def backward(self, g):
        return g, g


class Mul(Function):
    def forward(self, a, b):
        self.save(a, b)
        return a * b
    def backward(self, g):
        a, b = self.saved
        return g * b, g * a


class Sigmoid(Function):
    def forward(self, a):
        s = 1.0 / (1.0 + math.exp(-a))
        self.save(s)
        return s
    def backward(self, g):
        s, = self.saved
        return (g * s * (1 - s),)


class Log(Function):
    def forward(self, a):
        self.save(a)
        return math.log(a)
    def backward(self, g):
        return (g / self.saved[0],)


class Scalar:
    __slots__ = ("value", "grad", "fn")

    def __init__(self, value: Number, fn: Optional[Function] = None):
        self.value = float(value)
        self.grad = 0.0
        self.fn = fn

    def __add__(self, other): return Add.apply(self, other)
    def __radd__(self, other): return Add.apply(other, self)
    def __mul__(self, other): return Mul.apply(self, other)
    def __rmul__(self, other): return Mul.apply(other, self)
    def __neg__(self): return Mul.apply(self, -1.0)
    def __sub__(self, other): return self + (-other)
    def sigmoid(self): return Sigmoid.apply(self)
    def log(self): return Log.apply(self)

    def topo(self) -> List["Scalar"]:
        order: List[Scalar] = []
        seen = set()
        stack = [(self, False)]
        while stack:
            node, done = stack.pop()
            if done:
                order.append(node)
                continue
            if id(node) in seen:
                continue
            seen.add(id(node))
            stack.append((node, True))
            if node.fn is not None:
                stack.extend((p, False) for p in node.fn.parents)
        return order

    def backward(self) -> None:
        self.grad = 1.0
        for node in reversed(self.topo()):
            if node.fn is None:
                continue
            for parent, g in zip(node.fn.parents, node.fn.backward(node.grad)):
                parent.grad += g

    def __str__(self):
        name = type(self.fn).__name__ if self.fn else "leaf"
        return f"<{name} value={self.value:+.4f} grad={self.grad:+.4f}>"


w, b = Scalar(0.3), Scalar(-0.1)
data = [(0.5, 1), (-1.2, 0), (2.0, 1), (-0.4, 0)]
loss = Scalar(0)
for x, t in data:
    p = (w * x + b).sigmoid()
    loss = loss + (-(p.log()) if t else -((Scalar(1) - p).log()))
loss.backward()
print(loss)
print(w)
print(b)
print(len(loss.topo()), {type(n.fn).__name__ for n in loss.topo() if n.fn} == {"Add", "Mul", "Sigmoid", "Log"})
try:
    Function()
except TypeError as e:
    print("TypeError:", e)
