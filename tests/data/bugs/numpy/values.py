import numpy as np


class Value:
    def __init__(self, data, children=()):
        self.data = np.float64(data)
        self.grad = np.float64(0.0)
        self._children = children
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

    def __sub__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(np.subtract(self.data, other.data), (self, other))

        def _backward():
            self.grad += out.grad
            other.grad -= out.grad

        out._backward = _backward
        return out

    def tanh(self):
        t = np.tanh(self.data)
        out = Value(t, (self,))

        def _backward():
            self.grad += (1 - t**2) * out.grad

        out._backward = _backward
        return out

    def exp(self):
        out = Value(np.exp(self.data), (self,))

        def _backward():
            self.grad += out.data * out.grad

        out._backward = _backward
        return out

    def log(self):
        out = Value(np.log(self.data), (self,))

        def _backward():
            self.grad += out.grad / self.data

        out._backward = _backward
        return out

    def relu(self):
        out = Value(np.maximum(0, self.data), (self,))

        def _backward():
            self.grad += np.float64(self.data > 0) * out.grad

        out._backward = _backward
        return out

    def backward(self):
        topo, visited = [], set()

        def build(v):
            if v not in visited:
                visited.add(v)
                for child in v._children:
                    build(child)
                topo.append(v)

        build(self)
        self.grad = np.float64(1.0)
        for v in reversed(topo):
            v._backward()


a = Value(0.5)
b = Value(-1.5)
c = a * b
d = (c + a).tanh()
e = (d * 0.5).exp() - b
f = e.log() * c
g = (f + 2.0).relu() + (c - 4.0).relu()
h = g * d + e * e
h.backward()
for v in (a, b, c, d, e, f, g):
    print(float(v.data), float(v.grad))
