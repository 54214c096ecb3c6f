# kind: library
"""Tiny classifier with Karpathy's micrograd."""
import random
from micrograd.engine import Value
from micrograd.nn import MLP

random.seed(7)

def make_data(n):
    pts = []
    for _ in range(n):
        x1, x2 = random.gauss(0, 1), random.gauss(0, 1)
        label = 1 if x1 + x2 > 0 else -1
        pts.append(([x1, x2], label))
    return pts

data = make_data(20)
model = MLP(2, [4, 1])
print(model)
print(len(model.parameters()))
lr = 0.05
for step in range(20):
    total = Value(0)
    correct = 0
    for x, t in data:
        score = model([Value(v) for v in x])
        total = total + (1 - t * score).relu()
        correct += (score.data > 0) == (t > 0)
    loss = total / len(data)
    model.zero_grad()
    loss.backward()
    for p in model.parameters():
        p.data -= lr * p.grad
    if step % 5 == 0 or step == 19:
        print(f'{step:>2} loss={loss.data:.5f} acc={correct / len(data):.0%}')
print([round(p.data, 4) for p in model.layers[0].neurons[0].parameters()])
print(model.layers[-1])
print(repr(model.layers[0].neurons[0]), model.layers[0].neurons[0].nonlin)
