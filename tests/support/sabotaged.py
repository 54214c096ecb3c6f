"""Small autograd classes for CPython, each with one mistake, written as learners write them."""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any


class Value:
    """Sums and products with the right backward pass; subclasses make one mistake each.

    `partials` are the local derivatives, in the order of the arguments. `serial` counts the Values
    as they are made: users come after their arguments.
    """

    made = 0

    def __init__(self, data: float, args: tuple[Value, ...] = (), *partials: float) -> None:
        self.data, self.grad = data, 0.0
        self.args, self.partials = args, partials
        self.serial = Value.made = Value.made + 1

    def __add__(self, other: Any) -> Value:
        other = self.lifted(other)
        return type(self)(self.data + other.data, (self, other), 1.0, 1.0)

    def __mul__(self, other: Any) -> Value:
        other = self.lifted(other)
        return type(self)(self.data * other.data, (self, other), other.data, self.data)

    def lifted(self, x: Any) -> Value:
        return x if isinstance(x, Value) else type(self)(x)

    def pull(self) -> None:
        for arg, partial in zip(self.args, self.partials, strict=True):
            arg.grad += partial * self.grad

    def order(self) -> list[Value]:
        found, todo = {self}, [self]
        while todo:
            more = set(todo.pop().args) - found
            found |= more
            todo += more
        return sorted(found, key=lambda value: value.serial)

    def backward(self) -> None:
        self.grad = 1.0
        for value in reversed(self.order()):
            value.pull()


class Assigning(Value):
    def pull(self) -> None:
        for arg, partial in zip(self.args, self.partials, strict=True):
            arg.grad = partial * self.grad


class WithoutUpstream(Value):
    def pull(self) -> None:
        for arg, partial in zip(self.args, self.partials, strict=True):
            arg.grad += partial


class DepthFirst(Value):
    def backward(self) -> None:
        self.grad = 1.0
        seen: set[Value] = set()

        def visit(value: Value) -> None:
            if value not in seen:
                seen.add(value)
                value.pull()
                for arg in value.args:
                    visit(arg)

        visit(self)


class EveryPath(Value):
    def backward(self) -> None:
        self.grad = 1.0
        self.recurse()

    def recurse(self) -> None:
        self.pull()
        for arg in dict.fromkeys(self.args):
            arg.recurse()  # type: ignore[attr-defined]


class WrongProduct(Value):
    def __mul__(self, other: Any) -> Value:
        other = self.lifted(other)
        return type(self)(self.data * other.data, (self, other), other.data + 1, self.data)


Build = Callable[[type[Value]], tuple[dict[str, Value], Value]]


def run(kind: type[Value], build: Build) -> dict[str, float]:
    """The gradients by name after one pass."""
    named, output = build(kind)
    output.backward()
    return {name: value.grad for name, value in named.items()}


def run_again(build: Build) -> dict[str, float]:
    """The gradients after two passes over one graph."""
    named, output = build(Value)
    output.backward()
    output.backward()
    return {name: value.grad for name, value in named.items()}


def run_anew(build: Build) -> dict[str, float]:
    """The gradients after two runs of a program that keeps its leaves, and never zeroes them."""
    first, output = build(Value)
    output.backward()
    second, output = build(Value)
    for name, value in second.items():
        if not value.args:
            value.grad = first[name].grad
    output.backward()
    return {name: value.grad for name, value in second.items()}


def is_single(x: float) -> bool:
    """Whether a number is a 32-bit float."""
    return x != x or abs(x) == float("inf") or struct.unpack("f", struct.pack("f", x))[0] == x


OWN_CLASS = """import math

class V:
    def __init__(self, data, _children=()):
        self.data, self.grad, self._prev = data, 0.0, set(_children)
        self._backward = lambda: None

    def __add__(self, other):
        out = V(self.data + other.data, (self, other))
        def _backward():
            self.grad += out.grad
            other.grad += out.grad
        out._backward = _backward
        return out

    def __mul__(self, other):
        out = V(self.data * other.data, (self, other))
        def _backward():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad
        out._backward = _backward
        return out

    def tanh(self):
        e = math.exp(2 * self.data)
        t = (e - 1) / (e + 1)
        out = V(t, (self,))
        def _backward():
            self.grad += (1 - t**2) * out.grad
        out._backward = _backward
        return out

    def backward(self):
        topo, seen = [], set()
        def build(v):
            if v not in seen:
                seen.add(v)
                for child in v._prev:
                    build(child)
                topo.append(v)
        build(self)
        self.grad = 1.0
        for v in reversed(topo):
            v._backward()

a, b = V(0.5), V(-1.5)
t = (a * b).tanh()
L = t * t + t + a
L.backward()
"""
"""A pasted class whose gradients are right; its tanh takes several operations."""
