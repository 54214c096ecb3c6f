# kind: library
import random
from micrograd.nn import MLP

random.seed(7)
net = MLP(1, [3, 1])
for x in (-2.0, 0.0, 2.0):
    print(x, f"{net([x]).data:.10f}")
print([type(l).__name__ for l in net.layers])
