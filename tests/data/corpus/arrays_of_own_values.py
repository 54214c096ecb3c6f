# kind: arrays
import numpy as np

class Value:
    def __init__(self, data):
        self.data = data
    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        return Value(self.data + other.data)
    __radd__ = __add__
    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        return Value(self.data * other.data)
    __rmul__ = __mul__
    def __repr__(self):
        return f"V({self.data})"

w = np.array([Value(1.0), Value(-2.0), Value(0.5)])
x = np.array([3.0, 1.0, 4.0])
print(w * x)
print((w * x).sum())
print(w.dot(x))
