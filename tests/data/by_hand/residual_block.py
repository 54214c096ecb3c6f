import numpy as np
rng = np.random.default_rng(31)
x = rng.standard_normal((4, 3))
W = rng.standard_normal((3, 3))
V = rng.standard_normal((3, 2))
t = rng.standard_normal((4, 2))
u = x @ W
h = np.tanh(u)
r = x + h
out = r @ V
loss = np.mean((out - t) ** 2)
dout = 2 * (out - t) / out.size
dV = r.T @ dout
dr = dout @ V.T
dh = dr
du = dh * (1 - h ** 2)
dW = x.T @ du
dx = dr + du @ W.T
print(loss)
