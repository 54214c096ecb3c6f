# kind: arrays
import numpy as np

def softmax(z):
    z = np.atleast_2d(z)
    z = z - z.max(axis=1)[:, None]
    e = np.exp(z)
    return e / e.sum(axis=1)[:, None]

def one_hot(labels, k=None):
    labels = np.asarray(labels)
    k = labels.max() + 1 if k is None else k
    out = np.zeros((labels.size, k))
    out[np.arange(labels.size), labels] = 1.0
    return out

logits = np.array([[1000., 1001., 1002.], [-5., 0., 5.]])
p = softmax(logits)
print(np.round(p, 6))
print(p.sum(axis=1))
t = one_hot([2, 0])
print(t)
print(one_hot([1, 3], k=5).astype(int))
ce = -np.sum(t * np.log(np.clip(p, 1e-12, None)), axis=1)
print("cross entropy per row:", ce)
print("mean: %.6f" % ce.mean())
# jacobian of softmax for one row
s = p[1]
J = np.diag(s) - np.outer(s, s)
print(np.round(J, 4))
print(np.allclose(J.sum(axis=0), 0), np.allclose(J, J.T))
num = np.zeros((3, 3))
h = 1e-5
for j in range(3):
    d = np.zeros(3); d[j] = h
    num[:, j] = (softmax(logits[1] + d)[0] - softmax(logits[1] - d)[0]) / (2 * h)
print("max diff below 1e-8:", np.max(np.abs(num - J)) < 1e-8)
