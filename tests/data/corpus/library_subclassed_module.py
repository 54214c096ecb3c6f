# kind: library
import random
from micrograd.engine import Value
from micrograd.nn import Module

class Affine(Module):
    def __init__(self):
        self.scale = Value(random.uniform(-1, 1))
        self.shift = Value(0)
    def __call__(self, x):
        return self.scale * x + self.shift
    def parameters(self):
        return [self.scale, self.shift]

random.seed(3)
m = Affine()
y = m(2.0)
y.backward()
print(y.data, [p.grad for p in m.parameters()])
m.zero_grad()
print([p.grad for p in m.parameters()])
