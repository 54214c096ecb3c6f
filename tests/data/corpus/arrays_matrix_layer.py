# kind: arrays
import numpy as np
W = np.array([[1.0, -1.0], [0.5, 2.0], [0.0, 1.0]])
x = np.array([2.0, 3.0])
b = np.zeros(3)
z = W @ x + b
print(z)
print(np.maximum(z, 0))
print(W.shape, W.T.shape)
print(W[1], W[:, 0], W[0, 1])
