# kind: arrays
import numpy as np
a = np.array([1, 2, 3])
b = 2
print(a * b)
M = np.arange(1, 7).reshape((2, 3))
row = np.array([10, 20, 30])
col = np.array([[100], [200]])
print(M + row)
print(M + col)
print(M + row + col)
try:
    M + np.array([1, 2])
except ValueError as e:
    print("ValueError:", e)
print((a[:, None] - a[None, :]))
print(np.abs(a[:, np.newaxis] - a))
pts = np.array([[0, 0], [3, 4], [6, 8]])
d = np.sqrt(((pts[:, None, :] - pts[None, :, :]) ** 2).sum(-1))
print(d)
print(M.mean(axis=0), M.mean(axis=1, keepdims=True))
centered = M - M.mean(axis=0)
print(centered, centered.sum(axis=0))
print(M / M.sum(axis=1, keepdims=True))
print(np.broadcast_to(row, (2, 3)), np.broadcast_shapes((2, 1), (1, 3)))
x, y = np.ogrid[:3, :4]
print(x.shape, y.shape, (x + y))
g = np.mgrid[0:2, 0:3]
print(g.shape, g[0])
print(np.indices((2, 2)))
print(M[..., 0], M[:, -1:], M[::-1])
print(np.array_equal(M, M.copy()), M is M.view(), np.shares_memory(M, M[0]))
v = M[0]; v[0] = 99
print(M)
c = M.copy(); c[0, 0] = 1
print(M[0, 0], c[0, 0])
