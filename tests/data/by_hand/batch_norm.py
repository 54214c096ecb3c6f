import numpy as np
rng = np.random.default_rng(4)
N, D = 6, 3
x = rng.standard_normal((N, D))
gamma = rng.standard_normal(D)
beta = rng.standard_normal(D)
t = rng.standard_normal((N, D))
eps = 1e-5
mu = x.mean(axis=0)
xmu = x - mu
var = (xmu ** 2).mean(axis=0)
ivar = 1 / np.sqrt(var + eps)
xhat = xmu * ivar
out = gamma * xhat + beta
loss = 0.5 * np.sum((out - t) ** 2)
dout = out - t
dbeta = dout.sum(axis=0)
dgamma = (dout * xhat).sum(axis=0)
dxhat = dout * gamma
divar = (dxhat * xmu).sum(axis=0)
dvar = -0.5 * ivar ** 3 * divar
dxmu = dxhat * ivar + 2 / N * xmu * dvar
dmu = -dxmu.sum(axis=0)
dx = dxmu + dmu / N
print(loss)
