# kind: own
import math
import random

class Value:
    def __init__(self, data, _children=(), _op=''):
        self.data, self.grad = data, 0
        self._backward = lambda: None
        self._prev, self._op = set(_children), _op
    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data + other.data, (self, other), '+')
        def _backward():
            self.grad += out.grad; other.grad += out.grad
        out._backward = _backward
        return out
    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data * other.data, (self, other), '*')
        def _backward():
            self.grad += other.data * out.grad; other.grad += self.data * out.grad
        out._backward = _backward
        return out
    def tanh(self):
        out = Value(math.tanh(self.data), (self,), 'tanh')
        def _backward(): self.grad += (1 - out.data**2) * out.grad
        out._backward = _backward
        return out
    def backward(self):
        topo, visited = [], set()
        def build_topo(v):
            if v not in visited:
                visited.add(v)
                [build_topo(c) for c in v._prev]
                topo.append(v)
        build_topo(self)
        self.grad = 1
        [v._backward() for v in reversed(topo)]
    __radd__ = __add__
    __rmul__ = __mul__
    def __sub__(self, o): return self + (o * -1 if isinstance(o, Value) else -o)
    def __repr__(self): return f"Value(data={self.data:.4f}, grad={self.grad:.4f})"

random.seed(3)
wx, wh, bh = [Value(random.gauss(0, 0.5)) for _ in range(3)]
wy = Value(1.0)
seq = [1, 0, -1, 0.5]
target = [0.5, 0.3, -0.4, 0.1]
for epoch in range(4):
    h, loss = Value(0.0), Value(0.0)
    for t, (x, y) in enumerate(zip(seq, target)):
        h = (wx * x + wh * h + bh).tanh()
        d = wy * h - y
        loss = loss + d * d
    params = [wx, wh, bh, wy]
    for p in params: p.grad = 0
    loss.backward()
    norm = math.sqrt(sum(p.grad**2 for p in params))
    clip = 1.0
    if norm > clip:
        for p in params: p.grad *= clip / norm
    for p in params: p.data -= 0.1 * p.grad
    print(f"{epoch=} loss={loss.data:.5f} |g|={norm:.4f}")
print(h)
print(params)
