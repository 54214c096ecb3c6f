import numpy as np
rng = np.random.default_rng(9)
T, C, H = 4, 3, 2
x = rng.standard_normal((T, C))
Wq, Wk, Wv = rng.standard_normal((C, H)), rng.standard_normal((C, H)), rng.standard_normal((C, H))
target = rng.standard_normal((T, H))
scale = H ** -0.5
q = x @ Wq
k = x @ Wk
v = x @ Wv
att = q @ k.T * scale
e = np.exp(att - att.max(axis=1, keepdims=True))
p = e / e.sum(axis=1, keepdims=True)
out = p @ v
loss = 0.5 * ((out - target) ** 2).sum()
dout = out - target
dp = dout @ v.T
dv = p.T @ dout
datt = p * (dp - (dp * p).sum(axis=1, keepdims=True))
dq = datt @ k * scale
dk = datt.T @ q * scale
dWq = x.T @ dq
dWk = x.T @ dk
dWv = x.T @ dv
dx = dq @ Wq.T + dk @ Wk.T + dv @ Wv.T
print(loss)
