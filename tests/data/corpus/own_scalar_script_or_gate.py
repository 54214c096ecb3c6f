# kind: class
#!/usr/bin/env python3
"""
scalar_grad.py

My implementation of a scalar autograd, written after watching the video twice :)
"""
from __future__ import annotations
import math
import random
from typing import Callable, Iterable, List, Optional, Tuple, Union

Number = Union[int, float]


class Scalar:
    """stores a single scalar value and its gradient"""

    __slots__ = ("data", "grad", "_prev", "_op", "_backward", "name")

    def __init__(self, data: Number, _prev: Tuple["Scalar", ...] = (), _op: str = "", name: Optional[str] = None) -> None:
        self.data = float(data)
        self.grad = 0.0
        self._prev = _prev
        self._op = _op
        self._backward: Callable[[], None] = lambda: None
        self.name = name

    @staticmethod
    def ensure(x: Union[Scalar, Number]) -> Scalar:
        return x if isinstance(x, Scalar) else Scalar(x)

    def __add__(self, other) -> Scalar:
        other = Scalar.ensure(other)
        out = Scalar(self.data + other.data, (self, other), "+")

        def backward():
            self.grad += out.grad
            other.grad += out.grad

        out._backward = backward
        return out

    __radd__ = __add__

    def __mul__(self, other) -> Scalar:
        other = Scalar.ensure(other)
        out = Scalar(self.data * other.data, (self, other), "*")

        def backward():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad

        out._backward = backward
        return out

    __rmul__ = __mul__

    def __pow__(self, k: Number) -> Scalar:
        if not isinstance(k, (int, float)):
            raise TypeError(f"unsupported exponent type: {type(k).__name__}")
        out = Scalar(self.data ** k, (self,), f"**{k}")

        def backward():
            self.grad += k * self.data ** (k - 1) * out.grad

        out._backward = backward
        return out

    def __neg__(self):
        return self * -1

    def __sub__(self, other):
        return self + (-Scalar.ensure(other))

    def __rsub__(self, other):
        return Scalar.ensure(other) - self

    def __truediv__(self, other):
        return self * Scalar.ensure(other) ** -1

    def __rtruediv__(self, other):
        return Scalar.ensure(other) / self

    def sigmoid(self) -> Scalar:
        s = 1.0 / (1.0 + math.exp(-self.data))
        out = Scalar(s, (self,), "σ")

        def backward():
            self.grad += s * (1 - s) * out.grad

        out._backward = backward
        return out

    def log(self) -> Scalar:
        out = Scalar(math.log(self.data), (self,), "ln")

        def backward():
            self.grad += out.grad / self.data

        out._backward = backward
        return out

    def backward(self) -> None:
        order: List[Scalar] = []
        seen: set[int] = set()

        def visit(node: Scalar) -> None:
            if id(node) in seen:
                return
            seen.add(id(node))
            for p in node._prev:
                visit(p)
            order.append(node)

        visit(self)
        self.grad = 1.0
        while order:
            order.pop()._backward()

    def __repr__(self) -> str:
        name = f"{self.name}=" if self.name else ""
        return f"Scalar({name}{self.data:.4g}, ∂={self.grad:.4g})"


def binary_cross_entropy(p: Scalar, t: int) -> Scalar:
    return -(p.log() if t else (1 - p).log())


def main() -> None:
    random.seed(42)
    data = [((0, 0), 0), ((0, 1), 1), ((1, 0), 1), ((1, 1), 1)]   # OR gate
    w = [Scalar(random.gauss(0, 1), name=f"w{i}") for i in range(2)]
    b = Scalar(0, name="b")
    lr = 0.5
    for epoch in range(1, 31):
        total = Scalar(0)
        for (x1, x2), t in data:
            p = (w[0] * x1 + w[1] * x2 + b).sigmoid()
            total += binary_cross_entropy(p, t)
        total = total / len(data)
        for p in (*w, b):
            p.grad = 0.0
        total.backward()
        for p in (*w, b):
            p.data -= lr * p.grad
        if epoch % 10 == 0:
            print(f"epoch {epoch:>3} | loss {total.data:.5f} | w = {w} | {b}")
    print("predictions:")
    for (x1, x2), t in data:
        p = (w[0] * x1 + w[1] * x2 + b).sigmoid().data
        print(f"\t{x1} OR {x2} -> {p:.3f} ({'ok' if round(p) == t else 'WRONG'})")
    try:
        Scalar(2.0) ** Scalar(3.0)
    except TypeError as e:
        print("TypeError:", e)


if __name__ == "__main__":
    main()
