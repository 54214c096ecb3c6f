"""A small autograd of the usual kind, for programs that import a file of their own."""

import math
import random


class Value:
    def __init__(self, data, _children=(), _op="", label=""):
        self.data = data
        self.grad = 0.0
        self.label = label
        self._prev = tuple(_children)
        self._op = _op
        self._pull = lambda: None

    def __repr__(self):
        return f"Value(data={self.data})"

    def _new(self, data, op, *locals_):
        out = Value(data, tuple(child for child, _ in locals_), op)

        def pull():
            for child, slope in locals_:
                child.grad += slope * out.grad

        out._pull = pull
        return out

    def __add__(self, other):
        other = lift(other)
        return self._new(self.data + other.data, "+", (self, 1.0), (other, 1.0))

    def __sub__(self, other):
        other = lift(other)
        return self._new(self.data - other.data, "-", (self, 1.0), (other, -1.0))

    def __mul__(self, other):
        other = lift(other)
        return self._new(self.data * other.data, "*", (self, other.data), (other, self.data))

    def __truediv__(self, other):
        other = lift(other)
        y = self.data / other.data
        return self._new(y, "/", (self, 1 / other.data), (other, -y / other.data))

    def __pow__(self, power):
        slope = power * self.data ** (power - 1)
        return self._new(self.data**power, f"**{power}", (self, slope))

    def __neg__(self):
        return self._new(-self.data, "neg", (self, -1.0))

    def __radd__(self, other):
        return lift(other) + self

    def __rsub__(self, other):
        return lift(other) - self

    def __rmul__(self, other):
        return lift(other) * self

    def __rtruediv__(self, other):
        return lift(other) / self

    def tanh(self):
        t = math.tanh(self.data)
        return self._new(t, "tanh", (self, 1 - t * t))

    def exp(self):
        y = math.exp(self.data)
        return self._new(y, "exp", (self, y))

    def relu(self):
        on = self.data > 0
        return self._new(self.data if on else 0.0, "relu", (self, 1.0 if on else 0.0))

    def backward(self):
        order, seen = [], set()

        def visit(value):
            if value not in seen:
                seen.add(value)
                for child in value._prev:
                    visit(child)
                order.append(value)

        visit(self)
        self.grad = 1.0
        for value in reversed(order):
            value._pull()


def lift(x):
    return x if isinstance(x, Value) else Value(x)


class Module:
    def zero_grad(self):
        for p in self.parameters():
            p.grad = 0.0

    def parameters(self):
        return []


class Neuron(Module):
    def __init__(self, nin):
        self.w = [Value(random.uniform(-1, 1)) for _ in range(nin)]
        self.b = Value(random.uniform(-1, 1))

    def __call__(self, x):
        total = self.b
        for w, xi in zip(self.w, x):
            total = total + w * xi
        return total.tanh()

    def parameters(self):
        return [*self.w, self.b]


class Layer(Module):
    def __init__(self, nin, nout):
        self.neurons = [Neuron(nin) for _ in range(nout)]

    def __call__(self, x):
        out = [neuron(x) for neuron in self.neurons]
        return out[0] if len(out) == 1 else out

    def parameters(self):
        return [p for neuron in self.neurons for p in neuron.parameters()]


class MLP(Module):
    def __init__(self, nin, nouts):
        sizes = [nin, *nouts]
        self.layers = [Layer(a, b) for a, b in zip(sizes, sizes[1:])]

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x

    def parameters(self):
        return [p for layer in self.layers for p in layer.parameters()]


def trace(root):
    nodes, edges = [], []

    def visit(value):
        if value not in nodes:
            nodes.append(value)
            for child in value._prev:
                if (child, value) not in edges:
                    edges.append((child, value))
                visit(child)

    visit(root)
    return nodes, edges


def draw_dot(root, format="svg", rankdir="LR"):
    """The picture is no part of what a program prints."""
