"""Programs with a class of their own, as learners write it; CPython runs them as they are."""

from __future__ import annotations

ADDING = """\
class Scalar:
    def __init__(self, data, children=()):
        self.data = data
        self.grad = 0.0
        self.children = children
        self.pull = lambda: None

    def __add__(self, other):
        out = Scalar(self.data + other.data, (self, other))
        def pull():
            self.grad SIGN out.grad
            other.grad SIGN out.grad
        out.pull = pull
        return out

    def __mul__(self, other):
        out = Scalar(self.data * other.data, (self, other))
        def pull():
            self.grad SIGN other.data * out.grad
            other.grad SIGN self.data * out.grad
        out.pull = pull
        return out

    def backward(self):
        order, seen = [], set()
        def visit(node):
            if node not in seen:
                seen.add(node)
                for child in node.children:
                    visit(child)
                order.append(node)
        visit(self)
        self.grad = 1.0
        for node in reversed(order):
            node.pull()

"""
RIGHT = ADDING.replace("SIGN", "+=")
WRONG = ADDING.replace("SIGN", "=")
"""Overwrites gradients where it should add to them: a Value that is used twice gets a wrong one."""
DOUBLE = "a = Scalar(3.0)\nb = a + a\nb.backward()\n"
"""db/da = 2."""
TWO_PASSES = "a = Scalar(3.0)\nb = a * a\nb.backward()\nc = b + a\nc.backward()\n"
BY_HAND = """\
a = Value(2.0)
b = Value(-3.0)
c = a * b
c.grad = 1.0
a.grad = b.data * c.grad
b.grad += a.data * c.grad
"""
STEPS = """\
a = Value(2.0)
for k in range(300):
    L = a * a
    a.grad = 0.0
    L.backward()
    a.data -= 0.01 * a.grad
"""
"""300 scenes: the data of `a` is 2·0.98ᵏ in the one numbered k + 1."""
