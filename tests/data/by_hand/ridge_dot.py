import numpy as np
rng = np.random.default_rng(21)
X = rng.standard_normal((7, 3))
y = rng.standard_normal(7)
w = rng.standard_normal(3)
lam = 0.1
pred = X.dot(w)
residual = pred - y
cost = residual.dot(residual) / (2 * len(y)) + lam / 2 * w.dot(w)
dresidual = residual / len(y)
dw = X.T.dot(dresidual) + lam * w
print(cost)
