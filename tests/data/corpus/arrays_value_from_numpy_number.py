# kind: arrays
import numpy as np

class Value:
    def __init__(self, data, children=()):
        self.data = data
        self.grad = 0.0
        self.children = children
    def __mul__(self, other):
        return Value(self.data * other.data, (self, other))
    def tanh(self):
        return Value(np.tanh(self.data), (self,))
    def __repr__(self):
        return f"Value({self.data:.5f})"

a = Value(np.float64(0.5))
b = Value(np.pi)
print((a*b).tanh(), len((a*b).children))
