# kind: module
import random
from engine import Value

class Neuron:
    def __init__(self, n):
        self.weights = [Value(random.uniform(-1, 1)) for _ in range(n)]
        self.bias = Value(0.5)
    def forward(self, xs):
        return sum([w*x for w, x in zip(self.weights, xs)], self.bias).relu()

random.seed(21)
n = Neuron(2)
y = n.forward([1.0, 2.0])
y.backward()
print(f"{y.data:.8f}", [w.grad for w in n.weights])
