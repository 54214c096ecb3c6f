# kind: arrays
import numpy as np
numeric = np.array([6.0000001, -4.0])
backprop = np.array([6.0, -4.0])
print(np.allclose(numeric, backprop), np.isclose(numeric[0], 6.1))
print(np.abs(numeric - backprop).max() < 1e-6)
print(np.concatenate([backprop, [1.0]]), np.stack([backprop, backprop]).shape)
