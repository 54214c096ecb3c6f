"""A folder in which exported programs find micrograd."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest

STAND_IN = '''
class Value:
    """A scalar as micrograd's: the same methods and attributes, and no other."""

    def __init__(self, data, _children=(), _op=""):
        self.data, self.grad = data, 0
        self._prev, self._op = set(_children), _op
        self._backward = lambda: None

    def _made(self, data, others, op, give):
        out = Value(data, (self, *others), op)
        out._backward = lambda: give(out.grad)
        return out

    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)

        def give(g):
            self.grad += g
            other.grad += g

        return self._made(self.data + other.data, (other,), "+", give)

    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)

        def give(g):
            self.grad += other.data * g
            other.grad += self.data * g

        return self._made(self.data * other.data, (other,), "*", give)

    def __pow__(self, other):
        assert isinstance(other, (int, float))

        def give(g):
            self.grad += other * self.data ** (other - 1) * g

        return self._made(self.data**other, (), "**", give)

    def relu(self):
        def give(g):
            self.grad += (self.data > 0) * g

        return self._made(max(0, self.data), (), "ReLU", give)

    def backward(self):
        order, seen = [], set()

        def visit(v):
            if v not in seen:
                seen.add(v)
                for child in v._prev:
                    visit(child)
                order.append(v)

        visit(self)
        self.grad = 1
        for v in reversed(order):
            v._backward()

    def __neg__(self):
        return self * -1

    def __radd__(self, other):
        return self + other

    def __sub__(self, other):
        return self + (-other)

    def __rsub__(self, other):
        return other + (-self)

    def __rmul__(self, other):
        return self * other

    def __truediv__(self, other):
        return self * other**-1

    def __rtruediv__(self, other):
        return other * self**-1
'''


@pytest.fixture(scope="session")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder to run programs in, with a stand-in for micrograd if it is not installed."""
    folder = tmp_path_factory.mktemp("programs")
    if find_spec("micrograd") is None:
        (folder / "micrograd").mkdir()
        (folder / "micrograd" / "__init__.py").touch()
        (folder / "micrograd" / "engine.py").write_text(STAND_IN)
    return folder
