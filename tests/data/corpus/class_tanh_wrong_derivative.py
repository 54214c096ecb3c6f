# kind: class
import math

class Value:
    def __init__(self, data, _children=()):
        self.data = data
        self.grad = 0.0
        self._prev = _children
        self._backward = lambda: None
    def __repr__(self):
        return f"Value(data={self.data}, grad={self.grad})"
    def tanh(self):
        t = math.tanh(self.data)
        out = Value(t, (self,))
        def _backward():
            self.grad += (1 - t) * out.grad     # t**2 was meant
        out._backward = _backward
        return out
    def backward(self):
        self.grad = 1.0
        self._backward()

a = Value(0.5)
b = a.tanh()
b.backward()
print(a)
