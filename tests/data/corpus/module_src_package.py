# kind: module
from src.engine import Value
from src.nn import MLP
import random

random.seed(4)
model = MLP(2, [3, 1])
for k in range(3):
    loss = (model([1.0, -1.0]) - 0.5)**2
    for p in model.parameters():
        p.grad = 0.0
    loss.backward()
    for p in model.parameters():
        p.data -= 0.05 * p.grad
    print(k, f"{loss.data:.8f}")
