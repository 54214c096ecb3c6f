# kind: arrays
import numpy as np
xs = np.array([[2.0, 3.0], [1.0, -1.0], [0.0, 0.5]])
ys = np.array([1.0, -1.0, 1.0])
w = [0.5, -0.25]
for x, y in zip(xs, ys):
    pred = w[0]*x[0] + w[1]*x[1]
    print(x, y, pred, (pred - y)**2)
