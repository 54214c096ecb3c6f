# kind: network
import math
import random

class Value:
    def __init__(self, data, children=(), local=()):
        self.data = data
        self.grad = 0.0
        self.children = children
        self.local = local

    def __add__(self, other):
        other = Value.to(other)
        return Value(self.data + other.data, (self, other), (1.0, 1.0))

    def __mul__(self, other):
        other = Value.to(other)
        return Value(self.data * other.data, (self, other), (other.data, self.data))

    def sigmoid(self):
        s = 1.0 / (1.0 + math.exp(-self.data))
        return Value(s, (self,), (s * (1.0 - s),))

    def log(self):
        return Value(math.log(self.data), (self,), (1.0 / self.data,))

    @classmethod
    def to(cls, x):
        return x if isinstance(x, cls) else cls(x)

    def __neg__(self): return self * -1.0
    def __sub__(self, other): return self + (-Value.to(other))
    def __rsub__(self, other): return Value.to(other) - self
    __radd__, __rmul__ = __add__, __mul__

    def backward(self):
        topo, seen = [], set()
        def dfs(v):
            if id(v) in seen: return
            seen.add(id(v))
            for c in v.children: dfs(c)
            topo.append(v)
        dfs(self)
        self.grad = 1.0
        for v in reversed(topo):
            for c, l in zip(v.children, v.local):
                c.grad += l * v.grad

random.seed(2)
points = [(random.gauss(-1, 0.6), random.gauss(-1, 0.6), 0) for _ in range(8)] + \
         [(random.gauss(1, 0.6), random.gauss(1, 0.6), 1) for _ in range(8)]
w1, w2, b = Value(0.0), Value(0.0), Value(0.0)
l2 = 0.01
for it in range(12):
    total = Value(0.0)
    for x, y, label in points:
        p = (w1 * x + w2 * y + b).sigmoid()
        total = total - (p.log() if label else (1 - p).log())
    loss = total * (1 / len(points)) + l2 * (w1 * w1 + w2 * w2)
    for p in (w1, w2, b):
        p.grad = 0.0
    loss.backward()
    for p in (w1, w2, b):
        p.data -= 1.0 * p.grad
    if not it % 3:
        print(f"{it:3d} {loss.data:.6f} | {w1.data:+.3f} {w2.data:+.3f} {b.data:+.3f}")
confusion = {(t, g): 0 for t in (0, 1) for g in (0, 1)}
for x, y, label in points:
    guess = int((w1 * x + w2 * y + b).sigmoid().data > 0.5)
    confusion[label, guess] += 1
print(confusion)
