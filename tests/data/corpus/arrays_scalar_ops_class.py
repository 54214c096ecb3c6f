# kind: arrays
import math
import numpy as np

class Scalar:
    def __init__(self, data, prev=(), op=None):
        self.data = float(data)
        self.grad = 0.
        self.prev = prev
        self.op = op
        self.backward_fn = None

    def __repr__(self):
        return 'Scalar({:.4f}, grad={:.4f})'.format(self.data, self.grad)

    def __add__(self, o):
        o = Scalar(o) if not isinstance(o, Scalar) else o
        out = Scalar(self.data + o.data, (self, o), 'add')
        def fn():
            self.grad += out.grad
            o.grad += out.grad
        out.backward_fn = fn
        return out

    def __mul__(self, o):
        o = Scalar(o) if not isinstance(o, Scalar) else o
        out = Scalar(self.data * o.data, (self, o), 'mul')
        def fn():
            self.grad += out.grad * o.data
            o.grad += out.grad * self.data
        out.backward_fn = fn
        return out

    def log(self):
        out = Scalar(np.log(self.data), (self,), 'log')
        def fn():
            self.grad += out.grad / self.data
        out.backward_fn = fn
        return out

    def sin(self):
        out = Scalar(np.sin(self.data), (self,), 'sin')
        def fn():
            self.grad += out.grad * np.cos(self.data)
        out.backward_fn = fn
        return out

    def backward(self):
        order = []
        def walk(n):
            for p in n.prev:
                walk(p)
            if n not in order:
                order.append(n)
        walk(self)
        self.grad = 1.
        for n in reversed(order):
            if n.backward_fn:
                n.backward_fn()

x1, x2 = Scalar(2), Scalar(5)
y = x1.log() + x1 * x2 + x2.sin() * -1
y.backward()
print(y, x1, x2)
