# kind: arrays
import numpy as np

np.random.seed(3)
T, C, D = 4, 6, 3
x = np.random.randn(T, C)
Wq, Wk, Wv = (np.random.randn(C, D) / np.sqrt(C) for _ in range(3))

q, k, v = x @ Wq, x @ Wk, x @ Wv
scores = q @ k.T / np.sqrt(D)
mask = np.triu(np.ones((T, T)), k=1).astype(bool)
scores = np.where(mask, -np.inf, scores)
weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
weights /= weights.sum(axis=-1, keepdims=True)
out = weights @ v
print(weights.round(4))
print(out.round(4))

dout = np.ones_like(out) / out.size
dv, dweights = weights.T @ dout, dout @ v.T
dscores = weights * (dweights - (dweights * weights).sum(axis=-1, keepdims=True)) / np.sqrt(D)
dq, dk = dscores @ k, dscores.T @ q
dWq, dWk, dWv = x.T @ dq, x.T @ dk, x.T @ dv
for name, d in [("Wq", dWq), ("Wk", dWk), ("Wv", dWv)]:
    print(name, d.shape, f"{np.abs(d).sum():.6f}")

heads = np.stack([x @ np.random.randn(C, D) for _ in range(2)])
print(heads.shape, np.einsum("htd,hsd->hts", heads, heads).shape)
print(heads.transpose(1, 0, 2).reshape(T, -1)[0].round(4))
