# kind: library
import random
from micrograd.engine import Value
from micrograd.nn import Layer

random.seed(10)
layer = Layer(2, 2, nonlin=False)
a, b = layer([1.0, 2.0])
out = a * b
out.backward()
print(f"{out.data:.9f}", out._op, len(out._prev))
layer.zero_grad()
print(all(p.grad == 0 for p in layer.parameters()))
