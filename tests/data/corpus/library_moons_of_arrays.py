# kind: library
import random
import numpy as np
from micrograd.engine import Value
from micrograd.nn import Neuron, Layer, MLP
np.random.seed(1337)
random.seed(1337)

def make_moons(n_samples=20, noise=0.1):
    n = n_samples // 2
    outer = np.stack([np.cos(np.linspace(0, np.pi, n)), np.sin(np.linspace(0, np.pi, n))], axis=1)
    inner = np.stack([1 - np.cos(np.linspace(0, np.pi, n)), 0.5 - np.sin(np.linspace(0, np.pi, n))], axis=1)
    X = np.concatenate([outer, inner]) + np.random.randn(2*n, 2) * noise
    y = np.array([0]*n + [1]*n)
    order = np.random.permutation(2*n)
    return X[order], y[order]

X, y = make_moons()
y = y*2 - 1
model = MLP(2, [6, 1])
print(model)
print("number of parameters", len(model.parameters()))

def loss(batch_size=None):
    if batch_size is None:
        Xb, yb = X, y
    else:
        ri = np.random.permutation(X.shape[0])[:batch_size]
        Xb, yb = X[ri], y[ri]
    inputs = [list(map(Value, xrow)) for xrow in Xb]
    scores = list(map(model, inputs))
    losses = [(1 + -yi*scorei).relu() for yi, scorei in zip(yb, scores)]
    data_loss = sum(losses) * (1.0 / len(losses))
    alpha = 1e-4
    reg_loss = alpha * sum((p*p for p in model.parameters()))
    total_loss = data_loss + reg_loss
    accuracy = [(yi > 0) == (scorei.data > 0) for yi, scorei in zip(yb, scores)]
    return total_loss, sum(accuracy) / len(accuracy)

total_loss, acc = loss()
print(total_loss, acc)
for k in range(5):
    total_loss, acc = loss()
    model.zero_grad()
    total_loss.backward()
    learning_rate = 1.0 - 0.9*k/100
    for p in model.parameters():
        p.data -= learning_rate * p.grad
    print(f"step {k} loss {total_loss.data}, accuracy {acc*100}%")
Xmesh = np.array([[0.0, 0.0], [1.0, 0.5]])
inputs = [list(map(Value, xrow)) for xrow in Xmesh]
scores = list(map(model, inputs))
Z = np.array([s.data > 0 for s in scores])
print(Z)
