# kind: lecture
import math
import random

class Value:
    def __init__(self, data, _children=()):
        self.data, self.grad = data, 0.0
        self._prev, self._backward = _children, lambda: None
    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data + other.data, (self, other))
        def _backward():
            self.grad += out.grad
            other.grad += out.grad
        out._backward = _backward
        return out
    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data * other.data, (self, other))
        def _backward():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad
        out._backward = _backward
        return out
    def __rmul__(self, other):
        return self * other
    def __pow__(self, k):
        out = Value(self.data**k, (self,))
        def _backward():
            self.grad += k * self.data**(k-1) * out.grad
        out._backward = _backward
        return out
    def __truediv__(self, other):
        return self * other**-1
    def __sub__(self, other):
        return self + (-1 * other if isinstance(other, Value) else -other)
    def tanh(self):
        t = (math.exp(2*self.data) - 1)/(math.exp(2*self.data) + 1)
        out = Value(t, (self,))
        def _backward():
            self.grad += (1 - t*t) * out.grad
        out._backward = _backward
        return out
    def exp(self):
        out = Value(math.exp(self.data), (self,))
        def _backward():
            self.grad += out.data * out.grad
        out._backward = _backward
        return out
    def backward(self):
        topo, seen = [], set()
        def visit(v):
            if v not in seen:
                seen.add(v)
                for c in v._prev:
                    visit(c)
                topo.append(v)
        visit(self)
        self.grad = 1.0
        for v in topo[::-1]:
            v._backward()

for start in (-1.0, 0.25, 0.8813735870195432):
    x = Value(start)
    y = x.tanh()
    y.backward()
    x2 = Value(start)
    e = (2*x2).exp()
    y2 = (e - 1)/(e + 1)
    y2.backward()
    print(f'{y.data:.10f} {y2.data:.10f}  {x.grad:.10f} {x2.grad:.10f}')
