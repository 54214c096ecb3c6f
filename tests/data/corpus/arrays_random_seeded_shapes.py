# kind: arrays
import numpy as np
np.random.seed(0)
W = np.random.randn(3, 2)
print(W.shape)
b = np.random.uniform(-1, 1, size=3)
print(b.shape, bool((np.abs(b) <= 1).all()))
print(np.zeros((2, 2)))
print(np.ones(3), np.eye(2))
