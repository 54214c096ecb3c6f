# kind: arrays
import numpy as np
def step(v):
    return np.where(v > 0, 1.0, 0.0)
z = np.arange(-2, 3)
print(z, z.dtype)
print(step(z))
print(z[z > 0])
print((z > 0).sum())
