import numpy as np
rng = np.random.default_rng(12)
sizes = [2, 4, 3, 1]
weights = [rng.standard_normal((m, n)) for m, n in zip(sizes, sizes[1:])]
W1, W2, W3 = weights
X, Y = rng.standard_normal((5, 2)), rng.standard_normal((5, 1))
a1 = np.tanh(X @ W1)
a2 = np.tanh(a1 @ W2)
a3 = a2 @ W3
L = ((a3 - Y) ** 2).sum() / 5
d_a3 = 2 * (a3 - Y) / 5
d_W3 = a2.T @ d_a3
d_a2 = d_a3 @ W3.T
d_W2 = a1.T @ (d_a2 * (1 - a2 * a2))
d_a1 = (d_a2 * (1 - a2 * a2)) @ W2.T
d_W1 = X.T @ (d_a1 * (1 - a1 * a1))
print(L)
