# kind: library
import random
from micrograd.engine import Value as BaseValue
from micrograd.nn import Module, Layer
import math

class Value(BaseValue):
    """micrograd's Value plus log/sigmoid"""
    def sigmoid(self):
        s = 1 / (1 + math.exp(-self.data))
        out = Value(s, (self,), 'sigmoid')
        def _backward():
            self.grad += s * (1 - s) * out.grad
        out._backward = _backward
        return out
    def __repr__(self):
        return f"<{self.data:.3f} | {self.grad:.3f}>"

class Classifier(Module):
    def __init__(self, n):
        self.w = [Value(0.1 * (i + 1)) for i in range(n)]
    def __call__(self, x):
        z = sum(w * xi for w, xi in zip(self.w, x))
        return Value.sigmoid(z)
    def parameters(self):
        return self.w

m = Classifier(2)
p = m([1.0, 2.0])
loss = (1 - p) ** 2
loss.backward()
print(p, loss.data, m.parameters())
m.zero_grad()
print(m.w[0].grad, isinstance(p, BaseValue), type(p).__name__, issubclass(Value, BaseValue))
