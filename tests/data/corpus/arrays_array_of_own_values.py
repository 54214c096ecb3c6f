# kind: arrays
import numpy as np
class Value:
    def __init__(self, data, _children=()):
        self.data, self.grad = float(data), 0.0
        self._prev = _children
        self._backward = lambda: None
    def __add__(self, o):
        o = o if isinstance(o, Value) else Value(o)
        out = Value(self.data + o.data, (self, o))
        def bw():
            self.grad += out.grad
            o.grad += out.grad
        out._backward = bw
        return out
    __radd__ = __add__
    def __mul__(self, o):
        o = o if isinstance(o, Value) else Value(o)
        out = Value(self.data * o.data, (self, o))
        def bw():
            self.grad += o.data * out.grad
            o.grad += self.data * out.grad
        out._backward = bw
        return out
    __rmul__ = __mul__
    def tanh(self):
        t = np.tanh(self.data)
        out = Value(t, (self,))
        def bw():
            self.grad += (1 - t*t) * out.grad
        out._backward = bw
        return out
    def __repr__(self):
        return f"V({self.data:.3f})"
    def backward(self):
        order, seen = [], set()
        def go(v):
            if v in seen: return
            seen.add(v)
            for c in v._prev: go(c)
            order.append(v)
        go(self)
        self.grad = 1.0
        for v in reversed(order): v._backward()
w = np.array([Value(0.5), Value(-0.25)])
x = np.array([1.0, 2.0])
s = (w * x).sum()
print(s, w * x)
h = np.tanh(w)
print(h)
loss = np.sum(h * x)
loss.backward()
print([round(v.grad, 6) for v in w])
W = np.array([[Value(i*j) for j in range(2)] for i in range(2)])
print(W @ np.array([1.0, 2.0]))
print(np.vectorize(lambda v: v.data)(W))
