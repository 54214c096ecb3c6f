# kind: arrays
import numpy as np

np.random.seed(1)
N, D, H, K = 64, 2, 32, 3
X = np.zeros((N * K // 3 * 3, D))[:N]
y = np.arange(N) % K
for i in range(N):
    r, t = (i // K + 1) / (N / K), y[i] * 2.1 + i * 0.08
    X[i] = r * np.sin(t), r * np.cos(t)

W1 = 0.1 * np.random.randn(D, H)
b1 = np.zeros((1, H))
W2 = 0.1 * np.random.randn(H, K)
b2 = np.zeros((1, K))
reg, rate = 1e-3, 1.0

for step in range(101):
    hidden = np.maximum(0, X @ W1 + b1)
    scores = hidden @ W2 + b2
    exps = np.exp(scores - scores.max(axis=1, keepdims=True))
    probs = exps / exps.sum(axis=1, keepdims=True)
    loss = -np.log(probs[range(N), y]).mean() + 0.5 * reg * ((W1 * W1).sum() + (W2 * W2).sum())
    if step % 25 == 0:
        print(f"step {step:3d}: loss {loss:.6f}")
    dscores = probs.copy()
    dscores[range(N), y] -= 1
    dscores /= N
    grads = {"W2": hidden.T @ dscores + reg * W2, "b2": dscores.sum(axis=0, keepdims=True)}
    dhidden = dscores @ W2.T
    dhidden[hidden <= 0] = 0
    grads["W1"], grads["b1"] = X.T @ dhidden + reg * W1, dhidden.sum(axis=0, keepdims=True)
    for name, p in {"W1": W1, "b1": b1, "W2": W2, "b2": b2}.items():
        p -= rate * grads[name]

hidden = np.maximum(0, X @ W1 + b1)
predicted = np.argmax(hidden @ W2 + b2, axis=1)
print("accuracy:", (predicted == y).mean())
print({name: g.shape for name, g in grads.items()})
print(np.round(b2, 4))
