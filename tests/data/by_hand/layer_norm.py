import numpy as np
rng = np.random.default_rng(13)
N, D = 3, 4
x = rng.standard_normal((N, D))
gamma, beta = rng.standard_normal(D), rng.standard_normal(D)
t = rng.standard_normal((N, D))
mean = x.mean(axis=1, keepdims=True)
std = np.sqrt(x.var(axis=1, keepdims=True) + 1e-5)
xhat = (x - mean) / std
y = xhat * gamma + beta
loss = ((y - t) ** 2).mean()
dy = 2 * (y - t) / t.size
dgamma = (dy * xhat).sum(axis=0)
dbeta = dy.sum(axis=0)
dxhat = dy * gamma
dx = (dxhat - dxhat.mean(axis=1, keepdims=True) - xhat * (dxhat * xhat).mean(axis=1, keepdims=True)) / std
print(loss)
