# kind: lecture
import math

class Value:
    def __init__(self, data, _children=()):
        self.data = data
        self.grad = 0.0
        self._prev = _children
        self._backward = lambda: None
    def __mul__(self, other):
        out = Value(self.data * other.data, (self, other))
        def _backward():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad
        out._backward = _backward
        return out
    def exp(self):
        out = Value(math.exp(self.data), (self,))
        def _backward():
            self.grad += out.data * out.grad
        out._backward = _backward
        return out

def check(f, df, x, tol=1e-5):
    h = 1e-6
    numeric = (f(x + h) - f(x - h)) / (2*h)
    ok = abs(numeric - df) < tol
    print(f"numeric {numeric:.5f}  backprop {df:.5f}  {'OK' if ok else 'WRONG'}")
    assert ok

a = Value(0.5)
b = Value(2.0)
c = (a * b).exp()
c.grad = 1.0
c._backward()
c._prev[0]._backward()
check(lambda x: math.exp(x * 2.0), a.grad, 0.5)
check(lambda x: math.exp(0.5 * x), b.grad, 2.0)
