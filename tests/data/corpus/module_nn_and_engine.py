# kind: module
import random
from engine import Value
from nn import Neuron, Layer, MLP

random.seed(1337)
mlp = MLP(3, [4, 4, 1])
print(len(mlp.parameters()))
out = mlp([2.0, 3.0, -1.0])
out.backward()
print(f"{out.data:.6f}")
print(f"{mlp.layers[0].neurons[0].w[0].grad:.6f}")
