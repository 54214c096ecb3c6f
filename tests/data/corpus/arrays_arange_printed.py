# kind: arrays
import numpy as np
xs = np.arange(-2, 2, 0.5)
print(xs)
print(xs**2)
print(len(xs))
