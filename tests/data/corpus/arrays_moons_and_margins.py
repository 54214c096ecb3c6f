# kind: arrays
import numpy as np
import matplotlib.pyplot as plt

def make_moons(n, noise, rng):
    n_out = n // 2
    n_in = n - n_out
    t = np.linspace(0, np.pi, n_out)
    s = np.linspace(0, np.pi, n_in)
    X = np.vstack([np.append(np.cos(t), 1 - np.cos(s)), np.append(np.sin(t), 1 - np.sin(s) - 0.5)]).T
    y = np.hstack([np.zeros(n_out, dtype=np.intp), np.ones(n_in, dtype=np.intp)])
    X += rng.normal(scale=noise, size=X.shape)
    return X, y

rng = np.random.default_rng(7)
X, y = make_moons(40, 0.1, rng)
y = y * 2 - 1
print(X[:5])
print(y)
plt.figure(figsize=(5, 5))
plt.scatter(X[:, 0], X[:, 1], c=y, s=20, cmap='jet')
plt.show()

W = rng.standard_normal((2, 8)) * 0.5
b = np.zeros(8)
V = rng.standard_normal(8) * 0.5
c = 0.0
for k in range(40):
    H = np.maximum(X @ W + b, 0)
    s = H @ V + c
    margin = np.maximum(0, 1 - y * s)
    loss = margin.mean() + 1e-4 * ((W**2).sum() + (V**2).sum())
    acc = ((s > 0) == (y > 0)).mean()
    ds = np.where(margin > 0, -y, 0) / len(y)
    dV = H.T @ ds + 2e-4 * V
    dc = ds.sum()
    dH = np.outer(ds, V) * (H > 0)
    dW = X.T @ dH + 2e-4 * W
    db = dH.sum(0)
    lr = 1.0 - 0.9 * k / 40
    W -= lr * dW; b -= lr * db; V -= lr * dV; c -= lr * dc
    if k % 5 == 0:
        print(f"step {k} loss {loss:.6f}, accuracy {acc*100}%")
h = 0.5
x_min, x_max = X[:, 0].min() - 1, X[:, 0].max() + 1
y_min, y_max = X[:, 1].min() - 1, X[:, 1].max() + 1
xx, yy = np.meshgrid(np.arange(x_min, x_max, h), np.arange(y_min, y_max, h))
mesh = np.c_[xx.ravel(), yy.ravel()]
Z = (np.maximum(mesh @ W + b, 0) @ V + c > 0).reshape(xx.shape)
print(xx.shape, mesh.shape, Z.sum())
fig = plt.figure()
plt.contourf(xx, yy, Z, cmap=plt.cm.Spectral, alpha=0.8)
plt.scatter(X[:, 0], X[:, 1], c=y, s=40, cmap=plt.cm.Spectral)
plt.xlim(xx.min(), xx.max())
plt.ylim(yy.min(), yy.max())
plt.show()
