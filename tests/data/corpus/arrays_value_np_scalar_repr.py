# kind: arrays
import numpy as np
class Value:
    def __init__(self, data):
        self.data = data
        self.grad = 0.0
    def __repr__(self):
        return f"Value(data={self.data!r})"
    def __add__(self, other):
        return Value(self.data + other.data)
    def __mul__(self, other):
        return Value(self.data * other.data)
x = np.linspace(0, 1, 3)
vals = [Value(v) for v in x]
print(vals)
print(vals[1] + vals[2], vals[1] * Value(2.0), Value(2.0) * vals[1])
print(Value(np.exp(1.0)), Value(float(np.exp(1.0))), Value(np.float64(2).item()))
print(sum([v.data for v in vals]), max(v.data for v in vals))
print(Value(2) * Value(x[1]), Value(3).data + x[2])
