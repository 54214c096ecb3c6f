# kind: imports
import unittest
from math import isclose

class Value:
    def __init__(self, x, deps=()):
        self.x, self.deps, self.g = x, deps, 0.0
    def __mul__(self, o): return Value(self.x * o.x, ((self, o.x), (o, self.x)))
    def __add__(self, o): return Value(self.x + o.x, ((self, 1), (o, 1)))
    def back(self, g=1.0):
        self.g += g
        for d, w in self.deps: d.back(w * g)

class TestValue(unittest.TestCase):
    def setUp(self):
        self.a, self.b = Value(2.0), Value(5.0)
    def test_mul(self):
        y = self.a * self.b
        y.back()
        self.assertEqual(y.x, 10.0)
        self.assertAlmostEqual(self.a.g, 5.0)
    def test_add(self):
        (self.a + self.b).back()
        self.assertTrue(isclose(self.a.g, 1.0))

t = TestValue()
for name in ("test_mul", "test_add"):
    t.setUp()
    getattr(t, name)()
    print(name, "passed")
