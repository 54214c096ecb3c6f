import numpy as np

np.random.seed(4)
X, rate, decay, limit = np.random.randn(12, 3), 0.3, 0.01, 0.1
Y = (X[:, :1] - X[:, 1:2] > 0) * 1.0
W1, b1 = np.random.randn(3, 5) * 0.5, np.zeros(5)
W2, b2 = np.random.randn(5, 1) * 0.5, np.zeros(1)
for step in range(2):
    h = np.tanh(X @ W1 + b1)
    p = 1 / (1 + np.exp(-(h @ W2 + b2)))
    loss = -np.mean(Y * np.log(p) + (1 - Y) * np.log(1 - p))
    dz2 = (p - Y) / len(X)
    dW2 = h.T @ dz2
    db2 = dz2.sum(0)
    dz1 = dz2 @ W2.T * (1 - h**2)
    dW1 = X.T @ dz1
    db1 = np.sign(dz1.sum(0))
    norm = np.sqrt((dW1**2).sum() + (dW2**2).sum())
    if norm > limit:
        for gradient in (dW1, dW2):
            gradient *= limit / norm
    dW1 += decay * W1
    dW2 = dW2 + decay * W2
    dW2 += 1e-3 * np.random.randn(*dW2.shape)
    db2 = -rate * db2
    W1 -= rate * dW1
    W2 -= rate * dW2
    b1 -= 0.01 * db1
    b2 += db2
    print(loss)
