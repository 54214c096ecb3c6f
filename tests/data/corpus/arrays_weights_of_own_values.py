# kind: arrays
import numpy as np
class Value:
    def __init__(self, data, children=(), op=''):
        self.data = data
        self.grad = 0.0
        self._prev = set(children)
        self._op = op
        self._backward = lambda: None
    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data + other.data, (self, other), '+')
        def _backward():
            self.grad += out.grad
            other.grad += out.grad
        out._backward = _backward
        return out
    __radd__ = __add__
    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data * other.data, (self, other), '*')
        def _backward():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad
        out._backward = _backward
        return out
    __rmul__ = __mul__
    def relu(self):
        out = Value(max(0, self.data), (self,), 'relu')
        def _backward():
            self.grad += (out.data > 0) * out.grad
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
    def __repr__(self):
        return f"Value({self.data:.3f}, grad={self.grad:.3f})"
rng = np.random.default_rng(1)
W = np.array([[Value(x) for x in row] for row in rng.uniform(-1, 1, (2, 3))])
print(W.dtype, W.shape)
x = np.array([1.0, -2.0, 0.5])
h = W @ x
print(h)
act = np.array([v.relu() for v in h])
loss = act.sum()
print(loss)
loss.backward()
grads = np.array([[v.grad for v in row] for row in W])
print(grads)
get = np.vectorize(lambda v: v.data)
print(get(W).round(4))
print((W * 2)[0, 0], (W + W).shape, W.T.shape, W[:, 1])
