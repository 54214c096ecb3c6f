"""micrograd's classes as text of the language, for programs that make operations of their own.

A program that imports micrograd's Value and builds on it, `out = Value(t, (self,), "tanh")` with an
`out._backward`, needs a class whose objects take children and a closure. The built-in Value has
neither; here is one that has, written in the language itself, with micrograd's names and rules.
"""

from __future__ import annotations

import ast
from typing import Any

from engine import parser_lock
from engine.record.source import Source

TEXT = """
def _seegrad_classes(random):
    class Value:
        def __init__(self, data, _children=(), _op=''):
            self.data = data
            self.grad = 0
            self._prev = set(_children)
            self._op = _op
            self._backward = lambda: None

        def _with(self, data, operands, sign, partials):
            out = Value(data, operands, sign)

            def pull():
                for operand, partial in zip(operands, partials()):
                    operand.grad += partial * out.grad

            out._backward = pull
            return out

        def __add__(self, other):
            other = other if isinstance(other, Value) else Value(other)
            return self._with(self.data + other.data, (self, other), '+', lambda: (1, 1))

        def __mul__(self, other):
            other = other if isinstance(other, Value) else Value(other)
            partials = lambda: (other.data, self.data)
            return self._with(self.data * other.data, (self, other), '*', partials)

        def __pow__(self, other):
            assert isinstance(other, (int, float)), "only supporting int/float powers for now"
            partials = lambda: (other * self.data ** (other - 1),)
            return self._with(self.data ** other, (self,), f'**{other}', partials)

        def relu(self):
            data = 0 if self.data < 0 else self.data
            return self._with(data, (self,), 'ReLU', lambda: (data > 0,))

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
            return self * other ** -1

        def __rtruediv__(self, other):
            return other * self ** -1

        def __repr__(self):
            return f"Value(data={self.data}, grad={self.grad})"

    class Module:
        def zero_grad(self):
            for p in self.parameters():
                p.grad = 0

        def parameters(self):
            return []

    class Neuron(Module):
        def __init__(self, nin, nonlin=True):
            self.w = [Value(random.uniform(-1, 1)) for _ in range(nin)]
            self.b = Value(0)
            self.nonlin = nonlin

        def __call__(self, x):
            total = sum((wi * xi for wi, xi in zip(self.w, x)), self.b)
            return total.relu() if self.nonlin else total

        def parameters(self):
            return self.w + [self.b]

        def __repr__(self):
            return f"{'ReLU' if self.nonlin else 'Linear'}Neuron({len(self.w)})"

    class Layer(Module):
        def __init__(self, nin, nout, **options):
            self.neurons = [Neuron(nin, **options) for _ in range(nout)]

        def __call__(self, x):
            out = [n(x) for n in self.neurons]
            return out[0] if len(out) == 1 else out

        def parameters(self):
            return [p for n in self.neurons for p in n.parameters()]

        def __repr__(self):
            return f"Layer of [{', '.join(str(n) for n in self.neurons)}]"

    class MLP(Module):
        def __init__(self, nin, nouts):
            sizes = [nin] + nouts
            last = len(nouts) - 1
            pairs = zip(sizes, nouts)
            self.layers = [Layer(m, n, nonlin=i != last) for i, (m, n) in enumerate(pairs)]

        def __call__(self, x):
            for layer in self.layers:
                x = layer(x)
            return x

        def parameters(self):
            return [p for layer in self.layers for p in layer.parameters()]

        def __repr__(self):
            return f"MLP of [{', '.join(str(layer) for layer in self.layers)}]"

    return {'Value': Value, 'Module': Module, 'Neuron': Neuron, 'Layer': Layer, 'MLP': MLP}
"""
MODULE = "micrograd"
_CHILDREN = frozenset({"_children", "_op"})
_SET = frozenset({"_backward", "_prev"})


def is_needed(source: Source) -> bool:
    """Whether a program gives Values children, or closures for their gradients, of its own."""
    names = {"Value"} | {
        node.name
        for node in ast.walk(source.tree)
        if isinstance(node, ast.ClassDef) and any(_is_value(base) for base in node.bases)
    }
    return any(_makes_operation(node, names) for node in ast.walk(source.tree))


def _is_value(base: ast.expr) -> bool:
    return isinstance(base, ast.Name) and base.id == "Value"


def _makes_operation(node: ast.AST, names: set[str]) -> bool:
    match node:
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name), args=args, keywords=given):
            return name in names and (
                len(args) > 1 or any(keyword.arg in _CHILDREN for keyword in given)
            )
        case ast.Attribute(attr=name, ctx=ast.Store()):
            return name in _SET
    return False


def definition(at: ast.stmt) -> ast.FunctionDef:
    """The function that makes the classes, all of it at the place of the import."""
    (made,) = parser_lock.module(TEXT).body
    assert isinstance(made, ast.FunctionDef)
    for node in ast.walk(made):
        if hasattr(node, "lineno"):
            ast.copy_location(node, at)
    return made


def named(classes: dict[str, Any]) -> dict[str, Any]:
    """The classes under micrograd's own names."""
    for name, made in classes.items():
        made.__qualname__ = name
        made.__module__ = f"{MODULE}.{'engine' if name == 'Value' else 'nn'}"
    return classes
