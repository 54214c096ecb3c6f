# kind: arrays
import numpy as np
x = np.array([1.0, -2.0, 3.0])
w = np.array([0.5, 0.25, -1.0])
b = 0.125
z = np.dot(w, x) + b
print(z, w @ x)
out = 1/(1 + np.exp(-z))
print(f"{out:.8f}")
print(w * x)
