# kind: arrays
import numpy as np

class Layer:
    def __init__(self, n_in, n_out, rng):
        limit = np.sqrt(6 / (n_in + n_out))
        self.W = rng.uniform(-limit, limit, (n_in, n_out))
        self.b = np.zeros((1, n_out))
    def forward(self, X):
        self.X = X
        return X @ self.W + self.b
    def backward(self, grad, lr):
        dX = grad @ self.W.T
        self.W -= lr * self.X.T @ grad
        self.b -= lr * grad.sum(axis=0, keepdims=True)
        return dX

class ReLU:
    def forward(self, X):
        self.mask = X > 0
        return X * self.mask
    def backward(self, grad, lr):
        return grad * self.mask

class SoftmaxCrossEntropy:
    def forward(self, logits, labels):
        z = logits - logits.max(axis=1, keepdims=True)
        e = np.exp(z)
        self.p = e / e.sum(axis=1, keepdims=True)
        self.labels = labels
        return -np.log(self.p[np.arange(len(labels)), labels] + 1e-12).mean()
    def backward(self):
        one_hot = np.eye(self.p.shape[1])[self.labels]
        return (self.p - one_hot) / len(self.labels)

rng = np.random.default_rng(0)
centers = np.array([[0, 2], [2, -1], [-2, -1]])
labels = rng.integers(0, 3, size=60)
data = centers[labels] + rng.normal(0, 0.6, (60, 2))
print(labels[:20])
layers = [Layer(2, 8, rng), ReLU(), Layer(8, 3, rng)]
crit = SoftmaxCrossEntropy()
batch = 20
for epoch in range(6):
    idx = rng.permutation(len(data))
    total = 0.0
    for start in range(0, len(data), batch):
        sel = idx[start:start + batch]
        out = data[sel]
        for l in layers:
            out = l.forward(out)
        total += crit.forward(out, labels[sel]) * len(sel)
        g = crit.backward()
        for l in reversed(layers):
            g = l.backward(g, 0.3)
    out = data
    for l in layers:
        out = l.forward(out)
    pred = out.argmax(axis=1)
    print(f"Epoch {epoch+1}: loss={total/len(data):.4f} acc={np.mean(pred == labels):.3f}")
cm = np.zeros((3, 3), dtype=int)
for t, p in zip(labels, pred):
    cm[t, p] += 1
print("Confusion matrix:")
print(cm)
