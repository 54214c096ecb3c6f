# kind: arrays
import numpy as np
def numerical_gradient(f, x, eps=1e-5):
    grad = np.zeros_like(x)
    it = np.nditer(x, flags=['multi_index'], op_flags=['readwrite'])
    while not it.finished:
        idx = it.multi_index
        old = x[idx]
        x[idx] = old + eps
        fp = f(x)
        x[idx] = old - eps
        fm = f(x)
        x[idx] = old
        grad[idx] = (fp - fm) / (2 * eps)
        it.iternext()
    return grad
def rel_error(x, y):
    return np.max(np.abs(x - y) / (np.maximum(1e-8, np.abs(x) + np.abs(y))))
np.random.seed(231)
X = np.random.randn(4, 3)
W = np.random.randn(3, 2)
y = np.array([0, 1, 1, 0])
def softmax_loss(W):
    scores = X.dot(W)
    scores -= np.max(scores, axis=1, keepdims=True)
    p = np.exp(scores); p /= p.sum(axis=1, keepdims=True)
    return -np.log(p[np.arange(4), y]).mean()
scores = X.dot(W)
p = np.exp(scores - scores.max(1, keepdims=True)); p /= p.sum(1)[:, None]
p[np.arange(4), y] -= 1
dW = X.T.dot(p) / 4
num = numerical_gradient(softmax_loss, W)
print(dW)
print(num)
print('rel error ok:', rel_error(dW, num) < 1e-7)
for ix, v in np.ndenumerate(dW[:1]): print(ix, round(v, 4))
