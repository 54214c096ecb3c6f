# kind: arrays
import numpy as np
class Scalar:
    def __init__(self, value):
        self.value = np.float64(value)
        self.grad = np.float64(0)
        self.parents = []
    def __mul__(self, other):
        out = Scalar(self.value * other.value)
        out.parents = [(self, other.value), (other, self.value)]
        return out
    def __add__(self, other):
        out = Scalar(self.value + other.value)
        out.parents = [(self, 1.0), (other, 1.0)]
        return out
    def backprop(self, g=1.0):
        self.grad += g
        for p, local in self.parents:
            p.backprop(g * local)
a, b = Scalar(2), Scalar(3)
c = a * b + a
c.backprop()
print(c.value, a.grad, b.grad)
print(type(c.value), repr(a.grad))
