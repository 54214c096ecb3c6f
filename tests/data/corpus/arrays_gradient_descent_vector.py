# kind: arrays
import numpy as np
target = np.array([1.0, -2.0])
w = np.zeros(2)
for step in range(5):
    grad = 2*(w - target)
    w -= 0.25*grad
    print(step, w, ((w - target)**2).sum())
