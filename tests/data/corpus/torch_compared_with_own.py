# kind: torch
import random
import torch
from math import exp, tanh

class Value:
    def __init__(self, data, _children=()):
        self.data = data
        self.grad = 0.0
        self._children = _children
        self._backward = lambda: None
    def __add__(self, o):
        o = o if isinstance(o, Value) else Value(o)
        out = Value(self.data + o.data, (self, o))
        def _backward():
            self.grad += out.grad; o.grad += out.grad
        out._backward = _backward
        return out
    def __mul__(self, o):
        o = o if isinstance(o, Value) else Value(o)
        out = Value(self.data * o.data, (self, o))
        def _backward():
            self.grad += o.data * out.grad; o.grad += self.data * out.grad
        out._backward = _backward
        return out
    def __pow__(self, k):
        out = Value(self.data ** k, (self,))
        def _backward():
            self.grad += k * self.data ** (k - 1) * out.grad
        out._backward = _backward
        return out
    def tanh(self):
        t = tanh(self.data)
        out = Value(t, (self,))
        def _backward():
            self.grad += (1 - t ** 2) * out.grad
        out._backward = _backward
        return out
    def relu(self):
        out = Value(self.data if self.data > 0 else 0.0, (self,))
        def _backward():
            self.grad += (out.data > 0) * out.grad
        out._backward = _backward
        return out
    def __neg__(self): return self * -1
    def __sub__(self, o): return self + (-o)
    def __truediv__(self, o): return self * o ** -1
    def __radd__(self, o): return self + o
    def __rmul__(self, o): return self * o
    def __rsub__(self, o): return -self + o
    def backward(self):
        topo, seen = [], set()
        def build(v):
            if v not in seen:
                seen.add(v)
                for c in v._children: build(c)
                topo.append(v)
        build(self)
        self.grad = 1.0
        for v in reversed(topo): v._backward()

def expression(a, b, relu, tanh):
    c = a + b
    d = a * b + b ** 3
    c = c + c + 1
    c = c + 1 + c + (-a)
    d = d + d * 2 + relu(b + a)
    d = d + 3 * d + relu(b - a)
    e = tanh(c - d)
    f = e ** 2
    g = f / 2.0
    g = g + 10.0 / f if False else g + (f + 1) ** -1 * 10.0
    return g

a, b = Value(-0.4), Value(0.2)
g = expression(a, b, lambda v: v.relu(), lambda v: v.tanh())
g.backward()

ta = torch.tensor([-0.4], dtype=torch.float64, requires_grad=True)
tb = torch.Tensor([0.2]).double()
tb.requires_grad = True
tg = expression(ta, tb, lambda v: v.relu(), lambda v: torch.tanh(v))
tg.backward()

tol = 1e-6
assert abs(g.data - tg.data.item()) < tol
assert abs(a.grad - ta.grad.item()) < tol
assert abs(b.grad - tb.grad.item()) < tol
print("data", round(g.data, 6), round(tg.data.item(), 6))
print("grad", round(a.grad, 5), round(ta.grad.item(), 5))
print(f"{b.grad:.5f} {tb.grad.item():.5f}")
print(ta.grad.shape, tg.dtype)
