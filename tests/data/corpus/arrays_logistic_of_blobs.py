# kind: arrays
import numpy as np
np.random.seed(42)
# two gaussian blobs
n = 25
X0 = np.random.normal(loc=[-1, -1], scale=0.8, size=(n, 2))
X1 = np.random.normal(loc=[1, 1], scale=0.8, size=(n, 2))
X = np.vstack((X0, X1))
y = np.hstack((np.zeros(n), np.ones(n))).reshape(-1, 1)
idx = np.random.permutation(len(X))
X, y = X[idx], y[idx]
split = int(0.8 * len(X))
X_train, X_test = X[:split], X[split:]
y_train, y_test = y[:split], y[split:]
mu, sigma = X_train.mean(axis=0), X_train.std(axis=0)
X_train = (X_train - mu) / sigma
X_test = (X_test - mu) / sigma
print("mean", mu, "std", sigma)
w = np.zeros((2, 1)); b = 0.
def predict_proba(X): return 1 / (1 + np.exp(-(X @ w + b)))
for it in range(301):
    p = predict_proba(X_train)
    loss = -np.mean(y_train * np.log(p + 1e-15) + (1 - y_train) * np.log(1 - p + 1e-15))
    dw = X_train.T @ (p - y_train) / len(X_train)
    db = np.mean(p - y_train)
    w -= 0.1 * dw
    b -= 0.1 * db
    if it % 100 == 0:
        print(f"iter {it:4d} loss {loss:.4f} |dw| {np.linalg.norm(dw):.4f}")
acc = ((predict_proba(X_test) >= 0.5) == y_test).mean()
print("test accuracy:", acc)
print("w:", w.ravel(), "b:", b)
tp = np.sum((predict_proba(X_test) >= .5) & (y_test == 1)); print(tp, type(tp).__name__)
print(np.unique(y, return_counts=True))
