# kind: arrays
import numpy as np
np.random.seed(0)
x = np.random.randn(20, 10)
for scale in (0.01, 1/np.sqrt(10), 1.0):
    h = x
    for _ in range(3):
        W = np.random.randn(10, 10) * scale
        h = np.tanh(h @ W)
    print(f"{scale:.3f} mean {h.mean():+.4f} std {h.std():.4f} sat {(np.abs(h) > 0.97).mean():.2%}")
