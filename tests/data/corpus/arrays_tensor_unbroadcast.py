# kind: arrays
import numpy as np

class Tensor:
    def __init__(self, data, requires_grad=False, _children=(), _op=''):
        self.data = np.asarray(data, dtype=np.float64)
        self.requires_grad = requires_grad
        self.grad = np.zeros_like(self.data)
        self._prev = set(_children)
        self._op = _op
        self._backward = lambda: None

    @property
    def shape(self): return self.data.shape
    @property
    def T(self):
        out = Tensor(self.data.T, _children=(self,), _op='T')
        def _backward(): self.grad += out.grad.T
        out._backward = _backward
        return out

    @staticmethod
    def _unbroadcast(grad, shape):
        while grad.ndim > len(shape):
            grad = grad.sum(axis=0)
        for i, s in enumerate(shape):
            if s == 1 and grad.shape[i] != 1:
                grad = grad.sum(axis=i, keepdims=True)
        return grad

    def __add__(self, other):
        other = other if isinstance(other, Tensor) else Tensor(other)
        out = Tensor(self.data + other.data, _children=(self, other), _op='+')
        def _backward():
            self.grad += Tensor._unbroadcast(out.grad, self.shape)
            other.grad += Tensor._unbroadcast(out.grad, other.shape)
        out._backward = _backward
        return out

    def __mul__(self, other):
        other = other if isinstance(other, Tensor) else Tensor(other)
        out = Tensor(self.data * other.data, _children=(self, other), _op='*')
        def _backward():
            self.grad += Tensor._unbroadcast(other.data * out.grad, self.shape)
            other.grad += Tensor._unbroadcast(self.data * out.grad, other.shape)
        out._backward = _backward
        return out

    def __matmul__(self, other):
        out = Tensor(self.data @ other.data, _children=(self, other), _op='@')
        def _backward():
            self.grad += out.grad @ other.data.T
            other.grad += self.data.T @ out.grad
        out._backward = _backward
        return out

    def relu(self):
        out = Tensor(np.maximum(0, self.data), _children=(self,), _op='relu')
        def _backward():
            self.grad += (self.data > 0) * out.grad
        out._backward = _backward
        return out

    def sum(self, axis=None, keepdims=False):
        out = Tensor(self.data.sum(axis=axis, keepdims=keepdims), _children=(self,), _op='sum')
        def _backward():
            g = out.grad
            if axis is not None and not keepdims:
                g = np.expand_dims(g, axis)
            self.grad += np.ones_like(self.data) * g
        out._backward = _backward
        return out

    def mean(self): return self.sum() * (1.0 / self.data.size)
    def __neg__(self): return self * -1.0
    def __sub__(self, other): return self + (-other)
    def __repr__(self): return f"Tensor({self.data}, shape={self.shape})"

    def backward(self):
        topo, visited = [], set()
        def build(v):
            if v not in visited:
                visited.add(v)
                for c in v._prev: build(c)
                topo.append(v)
        build(self)
        self.grad = np.ones_like(self.data)
        for v in reversed(topo): v._backward()

np.random.seed(1)
x = Tensor(np.random.randn(5, 3))
w1 = Tensor(np.random.randn(3, 4) * 0.1, requires_grad=True)
b1 = Tensor(np.zeros((1, 4)), requires_grad=True)
w2 = Tensor(np.random.randn(4, 1) * 0.1)
y = Tensor(np.arange(5.0).reshape(5, 1))
for i in range(60):
    h = (x @ w1 + b1).relu()
    diff = h @ w2 - y
    loss = (diff * diff).mean()
    for p in (w1, b1, w2): p.grad = np.zeros_like(p.data)
    loss.backward()
    for p in (w1, b1, w2): p.data -= 0.05 * p.grad
    if i % 20 == 0: print(i, loss.data.item())
print(loss)
print(b1.grad.shape, w1.T.shape, x.sum(axis=0))
