"""The lecture's class `Value` as learners write it, in pieces that tests put together."""

from __future__ import annotations

CLASS = """\
import math

class Value:
    def __init__(self, data, children=(), op="", label=""):
        self.data = data
        self.grad = 0.0
        self._prev = set(children)
        self._op = op
        self.label = label
        self._backward = lambda: None

    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data + other.data, (self, other), "+")
        def _backward():
            self.grad += out.grad
            other.grad += out.grad
        out._backward = _backward
        return out

    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data * other.data, (self, other), "*")
        def _backward():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad
        out._backward = _backward
        return out

    def __sub__(self, other):
        return self + other * -1

    def tanh(self):
        x = self.data
        t = (math.exp(2*x) - 1) / (math.exp(2*x) + 1)
        out = Value(t, (self,), "tanh")
        def _backward():
            self.grad += (1 - t**2) * out.grad
        out._backward = _backward
        return out

    def relu(self):
        out = Value(0.0 if self.data < 0 else self.data, (self,), "ReLU")
        def _backward():
            self.grad += (out.data > 0) * out.grad
        out._backward = _backward
        return out

    def rounded(self):
        out = Value(int(self.data), (self,), "int")
        def _backward():
            self.grad += out.grad
        out._backward = _backward
        return out

    def backward(self):
        topo, visited = [], set()
        def build(v):
            if v not in visited:
                visited.add(v)
                for child in v._prev:
                    build(child)
                topo.append(v)
        build(self)
        self.grad = 1.0
        for v in reversed(topo):
            v._backward()
"""
"""A correct class, with formulas of one operation and of seven (`tanh`)."""

OVERWRITES = CLASS.replace("self.grad += out.grad", "self.grad = out.grad").replace(
    "other.grad += out.grad", "other.grad = out.grad"
)
"""The classic mistake: sums set gradients instead of adding to them."""


def method(text: str) -> str:
    """The class with one more method."""
    lines = "\n".join(f"    {line}" for line in text.strip("\n").split("\n"))
    return f"{CLASS}\n{lines}\n"
