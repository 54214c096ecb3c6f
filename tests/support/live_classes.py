"""Classes for scalars as people write them, in styles that differ in what their objects hold.

Each is compiled as a notebook's cell is: its text stands in `linecache` under a name of its own.
"""

from __future__ import annotations

import linecache
from collections.abc import Iterator, Mapping
from itertools import count
from typing import Any

_SERIAL: Iterator[int] = count(1)

CLOSURES = """\
import math

class {Value}:
    {slots}
    def __init__(self, {data}, {kids}=(), {op}="", label=""):
        self.{data} = {data}
        self.{grad} = 0.0
        self.{kids} = {collection}({kids})
        {keeps_op}
        self.label = label
        self._backward = lambda: None

    def __add__(self, other):
        other = other if isinstance(other, {Value}) else {Value}(other)
        out = {Value}(self.{data} + other.{data}, (self, other), "+")
        def _backward():
            self.{grad} += out.{grad}
            other.{grad} += out.{grad}
        out._backward = _backward
        return out

    def __mul__(self, other):
        other = other if isinstance(other, {Value}) else {Value}(other)
        out = {Value}(self.{data} * other.{data}, (self, other), "*")
        def _backward():
            self.{grad} += other.{data} * out.{grad}
            other.{grad} += self.{data} * out.{grad}
        out._backward = _backward
        return out

    def __sub__(self, other):
        other = other if isinstance(other, {Value}) else {Value}(other)
        out = {Value}(self.{data} - other.{data}, (self, other), "-")
        def _backward():
            self.{grad} += out.{grad}
            other.{grad} -= out.{grad}
        out._backward = _backward
        return out

    def __pow__(self, power):
        out = {Value}(self.{data} ** power, (self,), f"**{{power}}")
        def _backward():
            self.{grad} += power * self.{data} ** (power - 1) * out.{grad}
        out._backward = _backward
        return out

    def tanh(self):
        t = math.tanh(self.{data})
        out = {Value}(t, (self,), "tanh")
        def _backward():
            self.{grad} += (1 - t * t) * out.{grad}
        out._backward = _backward
        return out

    def backward(self):
        order, seen = [], set()
        def visit(value):
            if value not in seen:
                seen.add(value)
                for child in value.{kids}:
                    visit(child)
                order.append(value)
        visit(self)
        self.{grad} = 1.0
        for value in reversed(order):
            value._backward()
"""

BY_TEXT = """\
from math import tanh

class Scalar:
    def __init__(self, value, parents=(), op=None):
        self.value = value
        self.gradient = 0.0
        self.parents = parents
        self.op = op or ""

    def __add__(self, other):
        return Scalar(self.value + other.value, (self, other), "add")

    def __mul__(self, other):
        return Scalar(self.value * other.value, (self, other), "mul")

    def __sub__(self, other):
        return Scalar(self.value - other.value, (self, other), "sub")

    def __pow__(self, power):
        return self * self if power == 2 else self * self * self

    def tanh(self):
        return Scalar(tanh(self.value), (self,), "tanh")

    def push(self):
        g = self.gradient
        if self.op == "add":
            a, b = self.parents
            a.gradient += g
            b.gradient += g
        elif self.op == "sub":
            a, b = self.parents
            a.gradient += g
            b.gradient -= g
        elif self.op == "mul":
            a, b = self.parents
            a.gradient += g * b.value
            b.gradient += g * a.value
        elif self.op == "tanh":
            (a,) = self.parents
            a.gradient += g * (1 - self.value ** 2)

    def backprop(self):
        order, seen = [], set()
        def visit(x):
            if id(x) in seen:
                return
            seen.add(id(x))
            for parent in x.parents:
                visit(parent)
            order.append(x)
        visit(self)
        self.gradient = 1.0
        for x in reversed(order):
            x.push()
"""

PAIRS = """\
import math

class Num:
    def __init__(self, value, made=()):
        self.value = value
        self.made = made
        self.grad = 0.0

    def __add__(self, other):
        return Num(self.value + other.value, ((self, 1.0), (other, 1.0)))

    def __mul__(self, other):
        return Num(self.value * other.value, ((self, other.value), (other, self.value)))

    def __sub__(self, other):
        return Num(self.value - other.value, ((self, 1.0), (other, -1.0)))

    def __pow__(self, n):
        return Num(self.value ** n, ((self, n * self.value ** (n - 1)),))

    def tanh(self):
        t = math.tanh(self.value)
        return Num(t, ((self, 1 - t * t),))

def backward(result):
    order = []
    def visit(x):
        if x not in order:
            for other, _ in x.made:
                visit(other)
            order.append(x)
    visit(result)
    result.grad = 1.0
    for x in reversed(order):
        for other, partial in x.made:
            other.grad += partial * x.grad
"""
"""Objects that hold pairs of operand and partial, and a pass that is no method."""

HELPER = """\
import math

class Value:
    def __init__(self, data, children=(), op=""):
        self.data, self.grad = data, 0.0
        self._prev, self._op = children, op
        self._pull = lambda: None

    def _new(self, data, op, *slopes):
        out = Value(data, tuple(child for child, _ in slopes), op)
        def pull():
            for child, slope in slopes:
                child.grad += slope * out.grad
        out._pull = pull
        return out

    def __add__(self, other):
        return self._new(self.data + other.data, "+", (self, 1.0), (other, 1.0))

    def __sub__(self, other):
        return self._new(self.data - other.data, "-", (self, 1.0), (other, -1.0))

    def __mul__(self, other):
        return self._new(self.data * other.data, "*", (self, other.data), (other, self.data))

    def __pow__(self, n):
        return self._new(self.data ** n, f"**{n}", (self, n * self.data ** (n - 1)))

    def tanh(self):
        t = math.tanh(self.data)
        return self._new(t, "tanh", (self, 1 - t * t))

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
"""
"""One method makes the objects of all operations, and their functions for the pass."""

SUBCLASSES = """\
import math

class Expr:
    def __init__(self, v, *kids):
        self.v, self.kids, self.d = v, kids, 0.0

    def __add__(self, other):
        return Sum(self, other)

    def __sub__(self, other):
        return Sum(self, Product(other, Expr(-1.0)))

    def __mul__(self, other):
        return Product(self, other)

    def __pow__(self, n):
        return Product(self, self)

    def tanh(self):
        return Tanh(self)

    def flow(self):
        pass

    def backward(self):
        order = []
        def visit(x):
            if x not in order:
                for kid in x.kids:
                    visit(kid)
                order.append(x)
        visit(self)
        for x in reversed(order):
            x.flow()

class Sum(Expr):
    def __init__(self, a, b):
        super().__init__(a.v + b.v, a, b)

    def flow(self):
        for kid in self.kids:
            kid.d += self.d

class Product(Expr):
    def __init__(self, a, b):
        super().__init__(a.v * b.v, a, b)

    def flow(self):
        a, b = self.kids
        a.d += b.v * self.d
        b.d += a.v * self.d

class Tanh(Expr):
    def __init__(self, a):
        super().__init__(math.tanh(a.v), a)

    def flow(self):
        self.kids[0].d += (1 - self.v ** 2) * self.d
"""
"""A class for each operation, and a pass that leaves the first gradient to its caller."""

_NAMES = {
    "Value": "Value", "data": "data", "grad": "grad", "kids": "_prev", "op": "_op",
    "collection": "set", "slots": "", "keeps_op": "self._op = _op",
}  # fmt: skip


def _closures(**names: str) -> str:
    used = {**_NAMES, **names}
    used["keeps_op"] = names.get("keeps_op", f"self.{used['op']} = {used['op']}")
    return CLOSURES.format(**used)


STYLES: Mapping[str, str] = {
    "micrograd": _closures(),
    "tuple": _closures(collection="tuple"),
    "list": _closures(collection="list", kids="children"),
    "other names": _closures(Value="Var", data="value", grad="gradient", kids="parents", op="op"),
    "short names": _closures(Value="V", data="v", grad="g", kids="args", op="operation"),
    "private names": _closures(Value="Node", data="_data", grad="_grad", kids="_parents"),
    "derivative": _closures(Value="Num", data="num", grad="derivative", kids="inputs"),
    "no operation": _closures(keeps_op="pass"),
    "slots": _closures(slots='__slots__ = ("data", "grad", "_prev", "_op", "label", "_backward")'),
    "frozen children": _closures(collection="frozenset", kids="kids"),
    "unknown names": _closures(data="data", grad="grad", kids="made_from", op="made_by"),
    "by text": BY_TEXT,
    "pairs": PAIRS,
    "helper": HELPER,
    "subclasses": SUBCLASSES,
}
"""The text of each style of class."""


def cell(text: str, module: str = "__main__") -> dict[str, Any]:
    """The names that a cell of a notebook defines, or a module."""
    file = f"<cell {next(_SERIAL)}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    names: dict[str, Any] = {"__name__": module}
    exec(compile(text, file, "exec"), names)  # noqa: S102  a class of the table above
    return names


def value_class(text: str) -> Any:
    """The class that a text defines."""
    return next(
        it for it in cell(text).values() if isinstance(it, type) and it.__module__ == "__main__"
    )
