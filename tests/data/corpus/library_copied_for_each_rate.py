# kind: library
import random
import math
import copy
from micrograd.nn import MLP
from micrograd.engine import Value
from tqdm import tqdm

random.seed(7)
X = [[random.uniform(-1, 1) for _ in range(2)] for _ in range(6)]
Y = [1 if x[0] * x[1] > 0 else -1 for x in X]
base = MLP(2, [3, 1])

def train(model, lr, epochs=10):
    for _ in tqdm(range(epochs), disable=True):
        out = [model(x) for x in X]
        loss = sum((1 - y * o).relu() for y, o in zip(Y, out)) / len(X)
        model.zero_grad()
        loss.backward()
        for p in model.parameters():
            p.data -= lr * p.grad
    return loss.data

table = []
for lr in (1e-3, 1e-2, 1e-1, 0.5):
    m = copy.deepcopy(base)
    table.append((lr, train(m, lr)))
print("lr      final loss")
print("-" * 20)
for lr, l in table:
    print(f"{lr:<7} {l:.5f}")
best_lr, best = min(table, key=lambda t: t[1])
print(f"best: {best_lr}")
