# kind: arrays
import numpy as np
np.random.seed(0)
def xavier(n_in, n_out):
    limit = np.sqrt(6 / (n_in + n_out))
    return np.random.uniform(-limit, limit, size=(n_in, n_out))
W = xavier(3, 2)
print(W)
mask = (np.random.rand(4) < 0.5) / 0.5
print(mask)
print(np.random.randint(0, 10, size=5), np.random.choice([1, 2, 3]), np.random.normal(0, 1))
print(np.random.choice(5, 3, replace=False))
print(np.random.rand(), np.random.random(2), np.random.randn(2))
