# kind: arrays
import numpy as np
from micrograd.engine import Value

x = np.array([Value(1.0), Value(2.0), Value(3.0)])
w = np.array([Value(0.5), Value(-0.5), Value(1.0)])
y = np.dot(w, x)
print(y)
y.backward()
print([v.grad for v in x])
print([v.grad for v in w])
W = np.array([[Value(i + j) for j in range(2)] for i in range(3)])
print(W.shape, W.dtype)
out = x @ W
print(out.shape)
print(out[0].data, out[1].data)
print((w * x).sum())
