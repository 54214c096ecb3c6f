# kind: class
from dataclasses import dataclass, field
from typing import Callable
import math

@dataclass(eq=False)
class Node:
    data: float
    grad: float = field(default=0.0)
    children: tuple = field(default=(), repr=False)
    op: str = ""
    _backward: Callable[[], None] = field(default=lambda: None, repr=False)

    def __post_init__(self):
        self.data = float(self.data)

    def __add__(self, other):
        other = other if isinstance(other, Node) else Node(other)
        out = Node(self.data + other.data, children=(self, other), op="+")
        def _b():
            self.grad += out.grad
            other.grad += out.grad
        out._backward = _b
        return out

    def __mul__(self, other):
        other = other if isinstance(other, Node) else Node(other)
        out = Node(self.data * other.data, children=(self, other), op="*")
        def _b():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad
        out._backward = _b
        return out

    def relu(self):
        out = Node(max(0.0, self.data), children=(self,), op="relu")
        def _b():
            self.grad += (out.data > 0) * out.grad
        out._backward = _b
        return out

    def backward(self):
        order, seen = [], set()
        def visit(n):
            if n in seen: return
            seen.add(n)
            for c in n.children: visit(c)
            order.append(n)
        visit(self)
        self.grad = 1.0
        for n in order[::-1]:
            n._backward()

a = Node(2)
b = Node(-3)
c = Node(10)
d = (a*b + c).relu()
e = d * d + a
e.backward()
print(a)
print(b)
print(c)
print(e)
print(e == Node(e.data), e == e)
