# kind: python
"""Unit tests of a little autograd, run with python test_engine.py"""
import math
import sys

class Value:
    def __init__(self, data, _prev=(), _op=""):
        if not isinstance(data, (int, float)):
            raise TypeError(f"data must be a number, not {type(data).__name__}")
        self.data = data
        self.grad = 0.0
        self._prev = _prev
        self._op = _op
        self._backward = lambda: None
    def __add__(self, other):
        if not isinstance(other, Value):
            if not isinstance(other, (int, float)):
                return NotImplemented
            other = Value(other)
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
    def __pow__(self, power):
        assert isinstance(power, (int, float)), "only supporting int/float powers"
        out = Value(self.data ** power, (self,), f"**{power}")
        def _backward():
            self.grad += power * self.data ** (power - 1) * out.grad
        out._backward = _backward
        return out
    def backward(self):
        topo, visited = [], set()
        def build(v):
            if v not in visited:
                visited.add(v)
                [build(p) for p in v._prev]
                topo.append(v)
        build(self)
        self.grad = 1.0
        for v in topo[::-1]:
            v._backward()

def test_add():
    a, b = Value(2), Value(3)
    c = a + b
    c.backward()
    assert c.data == 5
    assert (a.grad, b.grad) == (1.0, 1.0)

def test_mul_grad():
    a, b = Value(-2.0), Value(3.0)
    (a * b).backward()
    assert a.grad == 3.0 and b.grad == -2.0

def test_reuse():
    a = Value(3.0)
    b = a + a
    b.backward()
    assert a.grad == 2.0, f"expected 2.0, got {a.grad}"

def test_pow_negative():
    a = Value(4.0)
    y = a ** -0.5
    y.backward()
    assert math.isclose(a.grad, -0.0625)

def test_bad_type():
    try:
        Value("3")
    except TypeError as e:
        assert "str" in str(e)
    else:
        assert False, "no error"

def test_add_string():
    try:
        Value(1) + "x"
    except TypeError as e:
        assert str(e) == "unsupported operand type(s) for +: 'Value' and 'str'", e

def test_pow_value():
    try:
        Value(1) ** Value(2)
    except AssertionError as e:
        print("   ", e)
    else:
        raise AssertionError("should fail")

def test_that_fails():
    assert Value(1).grad == 1, "gradient starts at 0"

def main():
    tests = [(name, f) for name, f in sorted(globals().items()) if name.startswith("test_") and callable(f)]
    failed = []
    for name, f in tests:
        try:
            f()
            print(f"{name:.<24}ok")
        except AssertionError as e:
            failed.append(name)
            print(f"{name:.<24}FAILED ({e})")
    print(f"{len(tests) - len(failed)}/{len(tests)} passed")
    return len(failed)

if __name__ == "__main__":
    n = main()
    if n > 1:
        sys.exit(n)
