# kind: class
import math
import unittest
from unittest import TestCase
import random

class Value:
    def __init__(self, data, _prev=(), _op=""):
        self.data = data; self.grad = 0.0; self._prev = set(_prev); self._op = _op
        self._backward = lambda: None
    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data + other.data, (self, other), "+")
        def _backward():
            self.grad += out.grad
            other.grad += out.grad
        out._backward = _backward
        return out
    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data * other.data, (self, other), "*")
        def _backward():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad
        out._backward = _backward
        return out
    def tanh(self):
        out = Value(math.tanh(self.data), (self,), "tanh")
        def _backward():
            self.grad += (1 - out.data ** 2) * out.grad
        out._backward = _backward
        return out
    def __radd__(self, o): return self + o
    def __rmul__(self, o): return self * o
    def __neg__(self): return self * -1
    def __sub__(self, o): return self + (-o)
    def backward(self):
        topo, seen = [], set()
        def go(v):
            if v not in seen:
                seen.add(v)
                for p in v._prev: go(p)
                topo.append(v)
        go(self)
        self.grad = 1.0
        for v in reversed(topo): v._backward()

def numeric(f, args, i, h=1e-6):
    up = list(args); up[i] += h
    dn = list(args); dn[i] -= h
    return (f(*up) - f(*dn)) / (2 * h)

class ValueTests(TestCase):
    @classmethod
    def setUpClass(cls):
        cls.rng = random.Random(0)
    def setUp(self):
        self.points = [tuple(self.rng.uniform(-1, 1) for _ in range(2)) for _ in range(5)]
    def test_add_mul(self):
        for x, y in self.points:
            with self.subTest(x=x, y=y):
                a, b = Value(x), Value(y)
                c = a * b + a
                c.backward()
                self.assertAlmostEqual(a.grad, y + 1)
                self.assertAlmostEqual(b.grad, x)
    def test_tanh_numeric(self):
        f = lambda x, y: math.tanh(x * y + 2 * x)
        for x, y in self.points:
            a, b = Value(x), Value(y)
            (a * b + 2 * a).tanh().backward()
            self.assertAlmostEqual(a.grad, numeric(f, (x, y), 0), places=5)
            self.assertAlmostEqual(b.grad, numeric(f, (x, y), 1), delta=1e-5)
    def test_types(self):
        self.assertIsInstance(Value(1) + 1, Value)
        self.assertIn(Value, type(Value(1)).__mro__)
        self.assertRaises(TypeError, lambda: Value(1) / 2)
        with self.assertRaises(AttributeError) as cm:
            Value(1).foo
        self.assertEqual(str(cm.exception), "'Value' object has no attribute 'foo'")
        self.assertTrue(True); self.assertFalse(0); self.assertIsNone(None)
        self.assertListEqual([1, 2], [1, 2]); self.assertGreater(2, 1); self.assertNotEqual(1, 2)
        self.assertCountEqual([1, 2, 2], [2, 1, 2])
    @unittest.skip("later")
    def test_skip(self): self.fail("no")
    @unittest.expectedFailure
    def test_known_bug(self):
        self.assertEqual(0.1 + 0.2, 0.3)

if __name__ == "__main__":
    suite = unittest.TestSuite()
    suite.addTests(unittest.defaultTestLoader.loadTestsFromTestCase(ValueTests))
    res = unittest.TextTestRunner(verbosity=2).run(suite)
    print("ran", res.testsRun, "ok", res.wasSuccessful(), "skipped", len(res.skipped))
    unittest.main(argv=['first-arg-is-ignored'], exit=False)
