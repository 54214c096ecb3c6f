# kind: module
import random
from nn import Neuron

random.seed(6)
n = Neuron(2)
y = n([0.5, -0.5])
y.backward()
print([f"{w.data:.5f}" for w in n.w], f"{n.b.data:.5f}")
print(f"{y.data:.6f}", [f"{p.grad:.6f}" for p in n.parameters()])
