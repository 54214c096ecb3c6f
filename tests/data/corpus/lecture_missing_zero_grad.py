# kind: lecture
import math, random

class Value:
    def __init__(self, data, parents=()):
        self.data = data
        self.grad = 0.0
        self.parents = parents
        self._backward = lambda: None
    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data + other.data, (self, other))
        def _backward():
            self.grad += out.grad
            other.grad += out.grad
        out._backward = _backward
        return out
    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data * other.data, (self, other))
        def _backward():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad
        out._backward = _backward
        return out
    def backward(self):
        order, seen = [], set()
        def walk(v):
            if v in seen: return
            seen.add(v)
            for p in v.parents: walk(p)
            order.append(v)
        walk(self)
        self.grad = 1.0
        for v in reversed(order): v._backward()

w = Value(0.0)
b = Value(0.0)
data = [(1.0, 3.0), (2.0, 5.0), (3.0, 7.0)]
for step in range(8):
    loss = Value(0.0)
    for x, y in data:
        diff = w*x + b + (-y)
        loss = loss + diff*diff
    loss.backward()   # forgot p.grad = 0
    w.data -= 0.01*w.grad
    b.data -= 0.01*b.grad
    print(step, loss.data, w.data, b.data)
