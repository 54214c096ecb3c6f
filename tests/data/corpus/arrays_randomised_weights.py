# kind: arrays
import numpy as np

class Value:
    def __init__(self, data, _children=()):
        self.data = data
        self.grad = 0.0
        self._prev = set(_children)
        self._backward = lambda: None
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
    def __repr__(self): return f"Value({self.data:.4f})"
    __radd__ = __add__
    __rmul__ = __mul__

class Neuron:
    def __init__(self, nin):
        self.w = [Value(np.random.uniform(-1, 1)) for _ in range(nin)]
        self.b = Value(np.random.uniform(-1, 1))
    def __call__(self, x):
        return sum((wi * xi for wi, xi in zip(self.w, x)), self.b)
    def parameters(self):
        return self.w + [self.b]

np.random.seed(0)
n = Neuron(3)
X = np.array([[1.0, 2.0, 3.0], [0.5, -1.0, 2.0]])
Y = np.array([2.0, -1.0])
print(n.w, n.b)
for epoch in range(4):
    preds = [n(x) for x in X]
    loss = sum((p + -1 * y) * (p + -1 * y) for p, y in zip(preds, Y))
    for p in n.parameters(): p.grad = 0.0
    loss.backward()
    for p in n.parameters(): p.data -= 0.01 * p.grad
    print(epoch, f"{loss.data:.5f}")
print([float(round(p.grad, 3)) for p in n.parameters()])
print(np.random.randn(2).round(4), np.random.randint(0, 10, 3), np.random.choice(5))
