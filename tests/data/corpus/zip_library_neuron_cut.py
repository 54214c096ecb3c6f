# kind: zip
import random
from micrograd.nn import Neuron

random.seed(1)
n = Neuron(3)
y = n([1.0, 2.0])
y.backward()
print(f"{y.data:.10f}", [p.grad for p in n.parameters()])
