# kind: arrays
import numpy as np
np.random.seed(42)
print(np.round(np.random.rand(3), 6))
print(np.round(np.random.randn(2), 6))
print(np.random.randint(0, 10, 5))
