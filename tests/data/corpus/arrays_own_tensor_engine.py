# kind: arrays
import numpy as np
class Tensor:
    """Minimal autograd over ndarrays."""
    def __init__(self, data, requires_grad=False, parents=(), grad_fn=None, name=""):
        self.data = data if isinstance(data, np.ndarray) else np.array(data, dtype=float)
        self.requires_grad = requires_grad
        self.grad = None
        self.parents = parents
        self.grad_fn = grad_fn
        self.name = name
    @property
    def shape(self): return self.data.shape
    @property
    def T(self):
        return Tensor(self.data.T, self.requires_grad, (self,), lambda g: (g.T,))
    def zero_grad(self): self.grad = None
    @staticmethod
    def ensure(x): return x if isinstance(x, Tensor) else Tensor(x)
    @staticmethod
    def reduce_to(g, shape):
        extra = g.ndim - len(shape)
        if extra > 0:
            g = g.sum(axis=tuple(range(extra)))
        axes = tuple(i for i, s in enumerate(shape) if s == 1 and g.shape[i] != 1)
        if axes:
            g = g.sum(axis=axes, keepdims=True)
        return g
    def _make(self, data, parents, fn):
        req = any(p.requires_grad for p in parents)
        return Tensor(data, req, parents if req else (), fn if req else None)
    def __add__(self, o):
        o = Tensor.ensure(o)
        return self._make(self.data + o.data, (self, o), lambda g: (Tensor.reduce_to(g, self.shape), Tensor.reduce_to(g, o.shape)))
    def __mul__(self, o):
        o = Tensor.ensure(o)
        return self._make(self.data * o.data, (self, o), lambda g: (Tensor.reduce_to(g * o.data, self.shape), Tensor.reduce_to(g * self.data, o.shape)))
    def __matmul__(self, o):
        return self._make(self.data @ o.data, (self, o), lambda g: (g @ o.data.T, self.data.T @ g))
    def __pow__(self, k):
        return self._make(self.data ** k, (self,), lambda g: (g * k * self.data ** (k - 1),))
    def __sub__(self, o): return self + Tensor.ensure(o) * -1.0
    def __truediv__(self, o): return self * Tensor.ensure(o) ** -1.0
    def relu(self):
        mask = self.data > 0
        return self._make(np.where(mask, self.data, 0.0), (self,), lambda g: (g * mask,))
    def exp(self):
        e = np.exp(self.data)
        return self._make(e, (self,), lambda g: (g * e,))
    def log(self):
        return self._make(np.log(self.data), (self,), lambda g: (g / self.data,))
    def sum(self, axis=None, keepdims=False):
        out = self.data.sum(axis=axis, keepdims=keepdims)
        def fn(g):
            if axis is not None and not keepdims:
                g = np.expand_dims(g, axis)
            return (np.broadcast_to(g, self.shape).copy(),)
        return self._make(out, (self,), fn)
    def mean(self): return self.sum() * (1.0 / self.data.size)
    def backward(self):
        order, seen = [], set()
        def visit(t):
            if id(t) not in seen:
                seen.add(id(t))
                for p in t.parents: visit(p)
                order.append(t)
        visit(self)
        self.grad = np.ones_like(self.data)
        for t in reversed(order):
            if t.grad_fn is None: continue
            for p, g in zip(t.parents, t.grad_fn(t.grad)):
                if p.requires_grad:
                    p.grad = g if p.grad is None else p.grad + g
    def __repr__(self):
        return f"Tensor({np.array2string(self.data, precision=4)}, requires_grad={self.requires_grad})"
np.random.seed(0)
x = Tensor(np.random.randn(5, 3))
y = np.eye(2)[[0, 1, 1, 0, 1]]
W1 = Tensor(np.random.randn(3, 4) * 0.5, requires_grad=True, name="W1")
b1 = Tensor(np.zeros((1, 4)), requires_grad=True, name="b1")
W2 = Tensor(np.random.randn(4, 2) * 0.5, requires_grad=True, name="W2")
for it in range(8):
    h = (x @ W1 + b1).relu()
    logits = h @ W2
    e = logits.exp()
    p = e / e.sum(axis=1, keepdims=True)
    loss = (p.log() * Tensor(y)).sum() * (-1 / 5)
    for t in (W1, b1, W2): t.zero_grad()
    loss.backward()
    for t in (W1, b1, W2): t.data -= 0.5 * t.grad
    if it % 2 == 0: print(it, f"{loss.data:.6f}")
print(b1)
print(W2.grad.round(5))
print(loss)
