# kind: class
import math

class Value:
    def __init__(self, data, _children=(), _op="", label=""):
        self.data = data
        self.grad = 0.0
        self._backward = lambda: None
        self._prev = _children
        self._op = _op
        self.label = label
    def __add__(self, other):
        out = Value(self.data + other.data, (self, other), "+")
        def _backward():
            self.grad += out.grad
            other.grad += out.grad
        out._backward = _backward
        return out
    def __mul__(self, other):
        out = Value(self.data * other.data, (self, other), "*")
        def _backward():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad
        out._backward = _backward
        return out
    def tanh(self):
        out = Value(math.tanh(self.data), (self,), "tanh")
        def _backward():
            self.grad += (1 - out.data**2) * out.grad
        out._backward = _backward
        return out

a = Value(2.0, label='a'); b = Value(-3.0, label='b'); c = Value(10.0, label='c')
e = a*b; e.label = 'e'
d = e + c; d.label = 'd'
f = Value(-2.0, label='f')
L = d * f; L.label = 'L'

# manual backprop, node by node
L.grad = 1.0
L._backward()
d._backward()
c._backward()
e._backward()

nodes = [a, b, c, d, e, f, L]
header = ("name", "op", "data", "grad")
rows = [(n.label, n._op or "·", f"{n.data:.2f}", f"{n.grad:.2f}") for n in nodes]
widths = [max(len(str(r[i])) for r in [header, *rows]) for i in range(4)]
line = "+".join("-" * (w + 2) for w in widths)
print("+" + line + "+")
for r in [header] + rows:
    print("|" + "|".join(f" {c:^{w}} " for c, w in zip(r, widths)) + "|")
    if r is header: print("+" + line + "+")
print("+" + line + "+")

# one step of optimization
before = L.data
for p in (a, b, c, f):
    p.data += 0.01 * p.grad
L2 = (a*b + c) * f
print(f"{before} -> {L2.data:.6f}")
