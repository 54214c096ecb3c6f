# kind: class
import math

class Value:
    def __init__(self, data, _prev=()):
        self.data, self._prev, self.grad = data, _prev, 0.0
        self._backward = lambda: None

def sin(self):
    out = Value(math.sin(self.data), (self,))
    def _backward():
        self.grad += math.cos(self.data) * out.grad
    out._backward = _backward
    return out

def cos(self):
    out = Value(math.cos(self.data), (self,))
    def _backward():
        self.grad -= math.sin(self.data) * out.grad
    out._backward = _backward
    return out

Value.sin = sin
Value.cos = cos
setattr(Value, '__repr__', lambda self: f'V[{self.data:.4f}|{self.grad:.4f}]')

a = Value(1.0)
b = a.sin()
c = b.cos()
c.grad = 1.0
for node in (c, b):
    node._backward()
print(a, b, c, hasattr(a, 'sin'), hasattr(a, 'tan'))
