# kind: own
import math
from contextlib import contextmanager

class Config:
    grad_enabled = True

@contextmanager
def no_grad():
    prev = Config.grad_enabled
    Config.grad_enabled = False
    try:
        yield
    finally:
        Config.grad_enabled = prev

class Value:
    def __init__(self, data, parents=(), backward_fn=None, name=None):
        self.data = data
        self.grad = 0.0
        self.parents = parents if Config.grad_enabled else ()
        self.backward_fn = backward_fn if Config.grad_enabled else None
        self.name = name
        self.requires_grad = True

    def __add__(self, other):
        other = _wrap(other)
        def bw(g):
            return g, g
        return Value(self.data + other.data, (self, other), bw)

    def __mul__(self, other):
        other = _wrap(other)
        def bw(g):
            return g * other.data, g * self.data
        return Value(self.data * other.data, (self, other), bw)

    def sigmoid(self):
        s = 1 / (1 + math.exp(-self.data))
        return Value(s, (self,), lambda g: (g * s * (1 - s),))

    __radd__, __rmul__ = __add__, __mul__

    def __sub__(self, other): return self + _wrap(other) * -1

    def backward(self):
        order, seen = [], set()
        def dfs(n):
            if id(n) in seen: return
            seen.add(id(n))
            for p in n.parents: dfs(p)
            order.append(n)
        dfs(self)
        self.grad = 1.0
        for n in reversed(order):
            if n.backward_fn:
                for p, g in zip(n.parents, n.backward_fn(n.grad)):
                    p.grad += g

def _wrap(x):
    return x if isinstance(x, Value) else Value(x)

w1, w2, b = Value(0.3, name='w1'), Value(-0.2, name='w2'), Value(0.1, name='b')
params = [w1, w2, b]
samples = [((0, 0), 0), ((0, 1), 1), ((1, 0), 1), ((1, 1), 1)]
for epoch in range(6):
    loss = Value(0.0)
    for (x1, x2), t in samples:
        p = (w1 * x1 + w2 * x2 + b).sigmoid()
        diff = p - t
        loss = loss + diff * diff
    for p in params: p.grad = 0.0
    loss.backward()
    with no_grad():
        for p in params:
            p.data = p.data - 1.0 * p.grad
    print(f'epoch {epoch}: loss {loss.data:.5f}')
with no_grad():
    y = w1 * 2 + b
print(len(y.parents), {p.name: round(p.data, 4) for p in params})
