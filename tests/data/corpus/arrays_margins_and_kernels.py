# kind: arrays
import numpy as np
X = np.array([[1, 1], [2, 2], [2, 0], [0, 0], [1, 0], [0, 1]], dtype=float)
y = np.array([1, 1, 1, -1, -1, -1])
w = np.zeros(2); b = 0
lam, lr = 0.01, 0.1
for epoch in range(30):
    for xi, yi in zip(X, y):
        if yi * (w @ xi + b) < 1:
            w = (1 - lr * lam) * w + lr * yi * xi
            b += lr * yi
        else:
            w = (1 - lr * lam) * w
print("w =", w, "b =", b)
margins = y * (X @ w + b)
print("margins:", margins.round(3))
print("support:", np.where(margins <= 1 + 1e-9)[0], "errors:", np.sum(margins <= 0))
K = np.exp(-0.5 * ((X[:, None] - X[None]) ** 2).sum(2))
print(K.round(3))
alpha = np.zeros(len(X))
for _ in range(5):
    for i in range(len(X)):
        if np.sign((alpha * y) @ K[:, i]) != y[i]:
            alpha[i] += 1
print(alpha)
grid = np.array([[i, j] for i in range(3) for j in range(3)])
dec = [np.sign(sum(a * t * np.exp(-0.5 * np.sum((xi - g) ** 2)) for a, t, xi in zip(alpha, y, X))) for g in grid]
print(np.array(dec, dtype=int).reshape(3, 3))
