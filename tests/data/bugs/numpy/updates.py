import numpy as np


class Scalar:
    def __init__(self, data, _prev=()):
        self.data = np.float64(data)
        self.grad = np.float64(0.0)
        self._prev = _prev
        self._backward = lambda: None

    def __mul__(self, other):
        out = Scalar(self.data * other.data, (self, other))

        def _backward():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad

        out._backward = _backward
        return out

    def __sub__(self, other):
        out = Scalar(self.data - other.data, (self, other))

        def _backward():
            self.grad += out.grad
            other.grad -= out.grad

        out._backward = _backward
        return out

    def square(self):
        out = Scalar(self.data**2, (self,))

        def _backward():
            self.grad += 2 * self.data * out.grad

        out._backward = _backward
        return out

    def backward(self):
        topo, seen = [], set()

        def build(v):
            if v not in seen:
                seen.add(v)
                for child in v._prev:
                    build(child)
                topo.append(v)

        build(self)
        self.grad = np.float64(1.0)
        for v in reversed(topo):
            v._backward()


w = Scalar(2.0)
x = Scalar(1.5)
for step in range(4):
    loss = (w * x - Scalar(1.0)).square()
    w.grad = x.grad = np.float64(0.0)
    loss.backward()
    w.data -= 0.1 * w.grad
print(float(w.data), float(w.grad), float(loss.data))
