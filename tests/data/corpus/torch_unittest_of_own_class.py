# kind: torch
"""test_engine.py - sanity checks against PyTorch, from my repo"""
import math
import unittest
import torch


class Var:
    __slots__ = ('v', 'g', 'children', 'fn')

    def __init__(self, v, children=(), fn=None):
        self.v, self.g = float(v), 0.0
        self.children = children
        self.fn = fn

    @classmethod
    def lift(cls, x):
        return x if isinstance(x, cls) else cls(x)

    def __add__(self, o):
        o = Var.lift(o)
        return Var(self.v + o.v, ((self, 1.0), (o, 1.0)))
    __radd__ = __add__

    def __mul__(self, o):
        o = Var.lift(o)
        return Var(self.v * o.v, ((self, o.v), (o, self.v)))
    __rmul__ = __mul__

    def __neg__(self): return -1 * self
    def __sub__(self, o): return self + -Var.lift(o)
    def __rsub__(self, o): return Var.lift(o) - self
    def __pow__(self, k): return Var(self.v ** k, ((self, k * self.v ** (k - 1)),))
    def __truediv__(self, o): return self * Var.lift(o) ** -1
    def __rtruediv__(self, o): return Var.lift(o) / self
    def relu(self): return Var(max(0.0, self.v), ((self, float(self.v > 0)),))
    def tanh(self):
        t = math.tanh(self.v)
        return Var(t, ((self, 1 - t * t),))
    def exp(self):
        e = math.exp(self.v)
        return Var(e, ((self, e),))
    def log(self): return Var(math.log(self.v), ((self, 1 / self.v),))

    def backward(self):
        indeg = {}
        stack = [self]
        while stack:
            n = stack.pop()
            for c, _ in n.children:
                indeg[c] = indeg.get(c, 0) + 1
                if indeg[c] == 1:
                    stack.append(c)
        self.g = 1.0
        ready = [self]
        while ready:
            n = ready.pop()
            for c, d in n.children:
                c.g += d * n.g
                indeg[c] -= 1
                if not indeg[c]:
                    ready.append(c)


class TestEngine(unittest.TestCase):
    tol = 1e-6

    def setUp(self):
        self.a, self.b = -4.0, 2.0

    def run_both(self, f):
        mine = [Var(self.a), Var(self.b)]
        theirs = [torch.tensor([x], dtype=torch.float64, requires_grad=True) for x in (self.a, self.b)]
        out, ref = f(*mine), f(*theirs)
        out.backward()
        ref.backward()
        self.assertAlmostEqual(out.v, ref.data.item(), places=6)
        for m, t in zip(mine, theirs):
            self.assertLess(abs(m.g - t.grad.item()), self.tol)

    def test_sanity(self):
        def f(x, _):
            z = 2 * x + 2 + x
            q = z.relu() + z * x
            h = (z * z).relu()
            return h + q + q * x
        self.run_both(f)

    def test_more_ops(self):
        def f(a, b):
            c = a + b
            d = a * b + b**3
            c = c + c + 1
            c = c + 1 + c + (-a)
            d = d + d * 2 + (b + a).relu()
            d = d + 3 * d + (b - a).relu()
            e = c - d
            f = e**2
            g = f / 2.0
            g = g + 10.0 / f
            return g
        self.run_both(f)

    def test_unary(self):
        for name in ("tanh", "exp"):
            with self.subTest(op=name):
                self.run_both(lambda a, b: getattr(a * b, name)() * b)

    def test_log_of_negative(self):
        with self.assertRaises(ValueError):
            Var(-1.0).log()
        with self.assertRaisesRegex(ZeroDivisionError, "0.0 cannot be raised"):
            1 / Var(0.0)


suite = unittest.defaultTestLoader.loadTestsFromTestCase(TestEngine)
result = unittest.TextTestRunner(verbosity=0).run(suite)
print(result.testsRun, len(result.failures), len(result.errors), result.wasSuccessful())
