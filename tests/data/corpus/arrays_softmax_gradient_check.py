# kind: arrays
import numpy as np

x = np.array([0.5, -1.0, 2.0])
W = np.array([[0.1, -0.2, 0.3], [0.0, 0.5, -0.4]])
b = np.zeros(2)
t = np.array([1.0, 0.0])

def softmax(z):
    e = np.exp(z - np.max(z))
    return e / e.sum()

def loss(W, b):
    p = softmax(W @ x + b)
    return -np.sum(t * np.log(p))

p = softmax(W @ x + b)
dz = p - t
dW = np.outer(dz, x)
db = dz.copy()
num = np.zeros_like(W)
h = 1e-5
for i in range(W.shape[0]):
    for j in range(W.shape[1]):
        Wp, Wm = W.copy(), W.copy()
        Wp[i, j] += h
        Wm[i, j] -= h
        num[i, j] = (loss(Wp, b) - loss(Wm, b)) / (2 * h)
print(np.round(dW, 4))
print("max difference small:", np.max(np.abs(dW - num)) < 1e-7)
for step in range(5):
    p = softmax(W @ x + b)
    W -= 0.1 * np.outer(p - t, x)
    b -= 0.1 * (p - t)
    print(step, round(float(loss(W, b)), 5), np.argmax(p))
print(W.round(3), b.round(3), sep="\n")
