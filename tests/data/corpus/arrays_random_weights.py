# kind: arrays
import numpy as np
np.random.seed(42)
from micrograd.engine import Value

class Neuron:
    def __init__(self, nin):
        self.w = [Value(np.random.uniform(-1, 1)) for _ in range(nin)]
        self.b = Value(np.random.uniform(-1, 1))
    def __call__(self, x):
        act = sum((wi*xi for wi, xi in zip(self.w, x)), self.b)
        return act.relu()
    def parameters(self):
        return self.w + [self.b]

n = Neuron(2)
x = [2.0, 3.0]
y = n(x)
y.backward()
print(y.data)
for p in n.parameters():
    print(p.data, p.grad)
