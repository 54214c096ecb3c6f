# kind: class
import unittest
import math

class Value:
    def __init__(self, data, parents=()):
        self.data, self.parents, self.grad = data, parents, 0.0
        self._b = None
    def __add__(self, o):
        out = Value(self.data + o.data, (self, o))
        def b():
            self.grad += out.grad; o.grad += out.grad
        out._b = b
        return out
    def __mul__(self, o):
        out = Value(self.data * o.data, (self, o))
        def b():
            self.grad += o.data*out.grad; o.grad += self.data*out.grad
        out._b = b
        return out
    def backward(self):
        order, seen = [], set()
        def visit(v):
            if id(v) in seen: return
            seen.add(id(v))
            [visit(p) for p in v.parents]
            order.append(v)
        visit(self)
        self.grad = 1.0
        for v in order[::-1]:
            if v._b: v._b()

class TestValue(unittest.TestCase):
    def setUp(self):
        self.a = Value(2.0)
        self.b = Value(-3.0)

    def tearDown(self):
        print("done", self.id().split(".")[-1])

    def test_add(self):
        c = self.a + self.b
        c.backward()
        self.assertEqual(c.data, -1.0)
        self.assertEqual((self.a.grad, self.b.grad), (1.0, 1.0))

    def test_mul(self):
        c = self.a * self.b
        c.backward()
        self.assertAlmostEqual(self.a.grad, -3.0)
        self.assertAlmostEqual(self.b.grad, 2.0, places=5)

    def test_reuse(self):
        c = self.a * self.a
        c.backward()
        self.assertTrue(math.isclose(self.a.grad, 4.0))
        self.assertIsNone(self.a._b)
        self.assertIn(self.a, c.parents)

    def test_type_error(self):
        with self.assertRaises(AttributeError):
            self.a + 1
        with self.assertRaises(ZeroDivisionError) as cm:
            1/0
        print(cm.exception)

if __name__ == '__main__':
    unittest.main(argv=[''], exit=False, verbosity=0)
    print("after")
