"""The class of the exercises as it should be; every exercise is this text with one change."""

RIGHT = """
import math


class Value:
    def __init__(self, data, children=(), op=""):
        self.data = data
        self.grad = 0.0
        self.children = children
        self.op = op
        self.push = lambda: None

    def __repr__(self):
        return f"Value(data={self.data}, grad={self.grad})"

    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data + other.data, (self, other), "+")

        def push():
            self.grad += out.grad
            other.grad += out.grad

        out.push = push
        return out

    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data * other.data, (self, other), "*")

        def push():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad

        out.push = push
        return out

    def __sub__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data - other.data, (self, other), "-")

        def push():
            self.grad += out.grad
            other.grad += -out.grad

        out.push = push
        return out

    def __pow__(self, n):
        out = Value(self.data**n, (self,), f"**{n}")

        def push():
            self.grad += n * self.data ** (n - 1) * out.grad

        out.push = push
        return out

    def tanh(self):
        t = math.tanh(self.data)
        out = Value(t, (self,), "tanh")

        def push():
            self.grad += (1 - t**2) * out.grad

        out.push = push
        return out

    def backward(self):
        order = []
        seen = set()

        def visit(value):
            if value not in seen:
                seen.add(value)
                for child in value.children:
                    visit(child)
                order.append(value)

        visit(self)
        self.grad = 1.0
        for value in reversed(order):
            value.push()
""".strip()
"""A scalar with its gradient, in the manner of many tutorials.

Each operation leaves a function that pushes the gradient of its output to its inputs, and
`backward` calls them from the end to the start.
"""
