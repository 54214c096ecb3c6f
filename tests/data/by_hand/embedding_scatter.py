import numpy as np
rng = np.random.default_rng(7)
tokens = np.array([2, 0, 2, 3])
C = rng.standard_normal((4, 3))
W = rng.standard_normal((3, 2))
target = rng.standard_normal((4, 2))
emb = C[tokens]
out = emb @ W
loss = ((out - target) ** 2).sum()
dout = 2 * (out - target)
dW = emb.T @ dout
demb = dout @ W.T
dC = np.zeros_like(C)
np.add.at(dC, tokens, demb)
print(loss)
