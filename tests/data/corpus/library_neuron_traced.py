# kind: library
import random
from micrograd import nn
from micrograd.engine import Value

random.seed(1337)
n = nn.Neuron(2)
x = [Value(1.0), Value(-2.0)]
y = n(x)
print(f"{y.data:.6f}")
y.backward()
print([round(p.grad, 6) for p in n.parameters()])
print(n)
