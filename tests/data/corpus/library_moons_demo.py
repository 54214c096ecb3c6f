# kind: library
import random
import numpy as np
import matplotlib.pyplot as plt
from micrograd.engine import Value
from micrograd.nn import Neuron, Layer, MLP

np.random.seed(1337)
random.seed(1337)
n = 16
theta = np.linspace(0, np.pi, n // 2)
X = np.vstack([np.c_[np.cos(theta), np.sin(theta)], np.c_[1 - np.cos(theta), 0.5 - np.sin(theta)]])
X = X + np.random.normal(scale=0.1, size=X.shape)
y = np.repeat([0, 1], n // 2)
y = y*2 - 1 # make y be -1 or 1
# visualize in 2D
plt.figure(figsize=(5,5))
plt.scatter(X[:,0], X[:,1], c=y, s=20, cmap='jet')
model = MLP(2, [4, 4, 1]) # 2-layer neural network
print(model)
print("number of parameters", len(model.parameters()))
def loss():
    inputs = [list(map(Value, xrow)) for xrow in X]
    scores = list(map(model, inputs))
    losses = [(1 + -yi*scorei).relu() for yi, scorei in zip(y, scores)]
    data_loss = sum(losses) * (1.0 / len(losses))
    reg_loss = 1e-4 * sum((p*p for p in model.parameters()))
    accuracy = [(yi > 0) == (scorei.data > 0) for yi, scorei in zip(y, scores)]
    return data_loss + reg_loss, sum(accuracy) / len(accuracy)
for k in range(4):
    total_loss, acc = loss()
    model.zero_grad()
    total_loss.backward()
    for p in model.parameters():
        p.data -= (1.0 - 0.9*k/100) * p.grad
    if k % 1 == 0:
        print(f"step {k} loss {total_loss.data:.6f}, accuracy {acc*100:.1f}%")
h = 1.0
x_min, x_max = X[:, 0].min() - 1, X[:, 0].max() + 1
y_min, y_max = X[:, 1].min() - 1, X[:, 1].max() + 1
xx, yy = np.meshgrid(np.arange(x_min, x_max, h), np.arange(y_min, y_max, h))
Xmesh = np.c_[xx.ravel(), yy.ravel()]
inputs = [list(map(Value, xrow)) for xrow in Xmesh]
scores = list(map(model, inputs))
Z = np.array([s.data > 0 for s in scores])
Z = Z.reshape(xx.shape)
fig = plt.figure()
plt.contourf(xx, yy, Z, cmap=plt.cm.Spectral, alpha=0.8)
plt.scatter(X[:, 0], X[:, 1], c=y, s=40, cmap=plt.cm.Spectral)
plt.xlim(xx.min(), xx.max())
plt.ylim(yy.min(), yy.max())
print(Z.astype(int))
