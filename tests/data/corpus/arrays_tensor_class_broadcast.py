# kind: arrays
import numpy as np

class Tensor:
    def __init__(self, data, requires_grad=False, _parents=()):
        self.data = np.asarray(data, dtype=float)
        self.requires_grad = requires_grad
        self.grad = None
        self._parents = _parents
        self._backward = lambda g: None
    @property
    def shape(self):
        return self.data.shape
    def _accum(self, g):
        while g.ndim > self.data.ndim:
            g = g.sum(axis=0)
        for i, n in enumerate(self.data.shape):
            if n == 1 and g.shape[i] != 1:
                g = g.sum(axis=i, keepdims=True)
        self.grad = g if self.grad is None else self.grad + g
    def __matmul__(self, other):
        out = Tensor(self.data @ other.data, _parents=(self, other))
        def bw(g):
            self._accum(g @ other.data.T)
            other._accum(self.data.T @ g)
        out._backward = bw
        return out
    def __add__(self, other):
        out = Tensor(self.data + other.data, _parents=(self, other))
        def bw(g):
            self._accum(g)
            other._accum(g)
        out._backward = bw
        return out
    def relu(self):
        out = Tensor(np.maximum(self.data, 0), _parents=(self,))
        out._backward = lambda g: self._accum(g * (self.data > 0))
        return out
    def mean(self):
        out = Tensor(self.data.mean(), _parents=(self,))
        out._backward = lambda g: self._accum(np.full(self.data.shape, g / self.data.size))
        return out
    def backward(self):
        order, seen = [], set()
        def visit(t):
            if id(t) in seen: return
            seen.add(id(t))
            for p in t._parents: visit(p)
            order.append(t)
        visit(self)
        self.grad = np.array(1.0)
        for t in reversed(order):
            t._backward(t.grad)

x = Tensor([[1., 2.], [3., 4.], [5., 6.]])
W = Tensor([[0.5, -1.0], [0.25, 1.0]], requires_grad=True)
b = Tensor([0.1, 0.2], requires_grad=True)
loss = (x @ W + b).relu().mean()
loss.backward()
print(loss.data, loss.shape)
print(W.grad)
print(b.grad)
