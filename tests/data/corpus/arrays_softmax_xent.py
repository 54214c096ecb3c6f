# kind: arrays
import numpy as np

def softmax(z):
    e = np.exp(z - np.max(z, axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)

def cross_entropy(p, y):
    m = y.shape[0]
    return -np.log(p[np.arange(m), y]).mean()

rng = np.random.default_rng(0)
X = rng.normal(size=(6, 4))
W = rng.normal(size=(4, 3)) * 0.1
y = np.array([0, 1, 2, 2, 1, 0])
for step in range(10):
    logits = X.dot(W)
    p = softmax(logits)
    loss = cross_entropy(p, y)
    dlogits = p.copy()
    dlogits[np.arange(6), y] -= 1
    dlogits /= 6
    W -= 0.5 * X.T.dot(dlogits)
    print(step, round(loss, 6))
pred = np.argmax(X.dot(W), axis=1)
print(pred, (pred == y).mean())
