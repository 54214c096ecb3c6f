# kind: own
import math
import random
import unittest


class Var:
    def __init__(self, v, deps=()):
        self.v = v
        self.deps = deps      # list of (var, local_gradient)
        self.g = 0.0

    def __add__(self, o):
        o = Var.lift(o)
        return Var(self.v + o.v, [(self, 1.0), (o, 1.0)])

    def __mul__(self, o):
        o = Var.lift(o)
        return Var(self.v * o.v, [(self, o.v), (o, self.v)])

    def __sub__(self, o):
        o = Var.lift(o)
        return Var(self.v - o.v, [(self, 1.0), (o, -1.0)])

    def __truediv__(self, o):
        o = Var.lift(o)
        return Var(self.v / o.v, [(self, 1.0 / o.v), (o, -self.v / o.v ** 2)])

    __radd__ = __add__
    __rmul__ = __mul__

    def __rsub__(self, o):
        return Var.lift(o) - self

    @classmethod
    def lift(cls, x):
        return x if isinstance(x, cls) else cls(x)


def sin(x): return Var(math.sin(x.v), [(x, math.cos(x.v))])
def exp(x): return Var(math.exp(x.v), [(x, math.exp(x.v))])
def log(x): return Var(math.log(x.v), [(x, 1.0 / x.v)])


def grads(root):
    """ reverse mode: walk all paths """
    def go(var, path):
        for child, local in var.deps:
            val = path * local
            child.g += val
            go(child, val)
    go(root, 1.0)


def f(a, b):
    return (a / b + a) * (b - a) * sin(a) + log(b)


a, b = Var(230.3), Var(33.2)
y = f(a, b)
grads(y)
print("y =", y.v)
print("dy/da =", a.g)
print("dy/db =", b.g)

delta = 1e-8
print("numerical a:", round((f(Var(230.3 + delta), Var(33.2)).v - y.v) / delta, 1))


class TestVar(unittest.TestCase):
    def test_add(self):
        x, z = Var(1.0), Var(2.0)
        s = x + z
        grads(s)
        self.assertEqual((x.g, z.g), (1.0, 1.0))

    def test_exp(self):
        x = Var(0.5)
        grads(exp(x))
        self.assertAlmostEqual(x.g, math.exp(0.5))


t = TestVar()
t.test_add(); t.test_exp()
print("tests ok")
