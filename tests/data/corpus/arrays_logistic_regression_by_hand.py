# kind: arrays
import numpy as np

rng = np.random.default_rng(42)
X = rng.normal(size=(40, 3))
true_w = np.array([1.5, -2.0, 0.5])
y = (X @ true_w + 0.3 > 0).astype(np.float64)


def sigmoid(z):
    return 1 / (1 + np.exp(-z))


def loss_and_grads(w, b):
    p = sigmoid(X.dot(w) + b)
    loss = -np.mean(y * np.log(p + 1e-9) + (1 - y) * np.log(1 - p + 1e-9))
    error = (p - y) / len(y)
    return loss, X.T.dot(error), error.sum()


w, b = np.zeros(3), 0.0
for i in range(200):
    loss, dw, db = loss_and_grads(w, b)
    w -= 0.5 * dw
    b -= 0.5 * db
    if i % 50 == 0:
        print(i, round(float(loss), 6))

eps = 1e-6
numeric = np.zeros_like(w)
for k in range(3):
    step = np.zeros(3)
    step[k] = eps
    numeric[k] = (loss_and_grads(w + step, b)[0] - loss_and_grads(w - step, b)[0]) / (2 * eps)
print(np.allclose(numeric, loss_and_grads(w, b)[1], atol=1e-7))
print("w =", np.round(w, 4), "b =", round(float(b), 4))
print("accuracy", np.mean((sigmoid(X @ w + b) > 0.5) == y))
