# kind: arrays
import numpy as np
rng = np.random.default_rng(42)
X = rng.standard_normal((10, 2))
y = (X[:, 0] + X[:, 1] > 0).astype(int)
print(y, y.sum())
w = np.zeros(2); b = 0.0
def sigmoid(z): return 1 / (1 + np.exp(-z))
for epoch in range(3):
    order = rng.permutation(len(X))
    total = 0
    for s in range(0, len(X), 5):
        idx = order[s:s+5]
        xb, yb = X[idx], y[idx]
        p = sigmoid(xb @ w + b)
        total += -np.sum(yb*np.log(p+1e-9) + (1-yb)*np.log(1-p+1e-9))
        w -= 0.5 * xb.T @ (p - yb) / len(xb)
        b -= 0.5 * np.mean(p - yb)
    print(f"epoch {epoch} loss {total/len(X):.5f}")
acc = np.mean((sigmoid(X @ w + b) > 0.5) == y)
print(f"accuracy: {acc:.2%}")
