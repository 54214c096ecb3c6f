# kind: own
import math
import random
import matplotlib.pyplot as plt

class Value:
    def __init__(self, data, _children=(), _op='', label=''):
        self.data = data
        self.grad = 0.0
        self._prev = set(_children)
        self._op = _op
        self.label = label
        self._backward = lambda: None

    def __repr__(self):
        return f"Value(data={self.data:.6f}, grad={self.grad:.6f}, op='{self._op}')"

    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data + other.data, (self, other), '+')
        def _backward():
            self.grad += out.grad
            other.grad += out.grad
        out._backward = _backward
        return out
    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data * other.data, (self, other), '*')
        def _backward():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad
        out._backward = _backward
        return out
    def __pow__(self, p):
        out = Value(self.data ** p, (self,), f'**{p}')
        def _backward():
            self.grad += p * self.data ** (p - 1) * out.grad
        out._backward = _backward
        return out
    def leaky_relu(self, alpha=0.01):
        out = Value(self.data if self.data > 0 else alpha * self.data, (self,), 'lrelu')
        def _backward():
            self.grad += (1.0 if self.data > 0 else alpha) * out.grad
        out._backward = _backward
        return out
    def softplus(self):
        out = Value(math.log(1 + math.exp(self.data)), (self,), 'softplus')
        def _backward():
            self.grad += out.grad / (1 + math.exp(-self.data))
        out._backward = _backward
        return out
    def abs(self):
        out = Value(abs(self.data), (self,), 'abs')
        def _backward():
            self.grad += math.copysign(1, self.data) * out.grad
        out._backward = _backward
        return out
    def __neg__(self): return self * -1
    def __sub__(self, o): return self + (-o)
    def __radd__(self, o): return self + o
    def __rmul__(self, o): return self * o
    def __truediv__(self, o): return self * o ** -1
    def __lt__(self, o): return self.data < (o.data if isinstance(o, Value) else o)
    def __gt__(self, o): return self.data > (o.data if isinstance(o, Value) else o)

    def backward(self):
        topo, visited = [], set()
        def build(v):
            if v not in visited:
                visited.add(v)
                for c in v._prev: build(c)
                topo.append(v)
        build(self)
        self.grad = 1.0
        for v in reversed(topo): v._backward()

xs = [-2, -1, -0.5, 0.5, 1, 2]
for name in ('leaky_relu', 'softplus', 'abs'):
    row = []
    for x in xs:
        v = Value(x)
        y = getattr(v, name)()
        y.backward()
        row.append((round(y.data, 4), round(v.grad, 4)))
    print(f"{name:>10}: {row}")

a = Value(-1.5, label='a'); b = Value(2.5, label='b')
L = (a.leaky_relu(0.1) * b + b.softplus() / 2).abs() + max(a, b) * 0.5
L.label = 'L'
L.backward()
print(L)
print(a, b, sep=' | ')
print(a < b, sorted([b, a])[0] is a)
