"""A class with one mistake: `python examples/own_value.py` names its line, and writes a page."""

import seegrad


class Scalar:
    """A number that remembers what it was computed from."""

    def __init__(self, data, parents=()):
        self.data = data
        self.grad = 0.0
        self.parents = parents
        self._backward = lambda: None

    def __add__(self, other):
        out = Scalar(self.data + other.data, (self, other))

        def _backward():
            self.grad = out.grad
            other.grad = out.grad

        out._backward = _backward
        return out

    def __mul__(self, other):
        out = Scalar(self.data * other.data, (self, other))

        def _backward():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad

        out._backward = _backward
        return out

    def backward(self):
        order, seen = [], set()

        def visit(scalar):
            if scalar not in seen:
                seen.add(scalar)
                for parent in scalar.parents:
                    visit(parent)
                order.append(scalar)

        visit(self)
        self.grad = 1.0
        for scalar in reversed(order):
            scalar._backward()


if __name__ == "__main__":
    a, b = Scalar(2.0), Scalar(5.0)
    L = (a + b) * a
    L.backward()
    shown = seegrad.show(L)
    print(shown)
    print(shown.save("own_value.html"))
