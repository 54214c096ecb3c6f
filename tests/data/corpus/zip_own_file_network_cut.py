# kind: zip
import random
from nn import MLP

random.seed(15)
net = MLP(3, [2, 1])
y = net([0.5, -1.0])
y.backward()
print(f"{y.data:.9f}", sum(p.grad == 0 for p in net.parameters()))
