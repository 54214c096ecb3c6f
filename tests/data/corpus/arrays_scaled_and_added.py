# kind: arrays
import numpy as np
a = np.array([1.0, 2.0])
b = np.array([3.0, 4.0])
print(a * 2)
print(a + b)
print(len(a), a[0], a[-1])
