# kind: lecture
import math

class Value:
    def __init__(self, data, _children=(), _op='', label=''):
        self.data = data
        self.grad = 0.0
        self._prev = set(_children)
        self._op = _op
        self.label = label
    def __repr__(self):
        return f"Value(data={self.data})"
    def __add__(self, other):
        return Value(self.data + other.data, (self, other), '+')
    def __mul__(self, other):
        return Value(self.data * other.data, (self, other), '*')
    def tanh(self):
        x = self.data
        t = (math.exp(2*x) - 1)/(math.exp(2*x) + 1)
        return Value(t, (self,), 'tanh')

x1 = Value(1.0, label='x1')
x2 = Value(-0.5, label='x2')
w1 = Value(0.8, label='w1')
w2 = Value(1.2, label='w2')
b = Value(0.3, label='b')
x1w1 = x1*w1; x1w1.label = 'x1*w1'
x2w2 = x2*w2; x2w2.label = 'x2*w2'
s = x1w1 + x2w2
n = s + b; n.label = 'n'
o = n.tanh(); o.label = 'o'
print(o)

o.grad = 1.0
n.grad = 1 - o.data**2
b.grad = n.grad
s.grad = n.grad
x1w1.grad = s.grad
x2w2.grad = s.grad
x1.grad = w1.data * x1w1.grad
w1.grad = x1.data * x1w1.grad
x2.grad = w2.data * x2w2.grad
w2.grad = x2.data * x2w2.grad
print(x1.grad, w1.grad)
print(x2.grad, w2.grad)
