import numpy as np

def affine_forward(x, w, b):
    out = x.reshape(x.shape[0], -1) @ w + b
    return out, (x, w, b)

def affine_backward(dout, cache):
    x, w, b = cache
    dx = (dout @ w.T).reshape(x.shape)
    dw = x.reshape(x.shape[0], -1).T @ dout
    db = np.sum(dout, axis=0)
    return dx, dw, db

def relu_forward(x):
    return np.maximum(0, x), x

def relu_backward(dout, cache):
    dx = dout * (cache > 0)
    return dx

def softmax_loss(x, y):
    shifted = x - np.max(x, axis=1, keepdims=True)
    probs = np.exp(shifted) / np.sum(np.exp(shifted), axis=1, keepdims=True)
    N = x.shape[0]
    loss = -np.sum(np.log(probs[np.arange(N), y])) / N
    dx = probs.copy()
    dx[np.arange(N), y] -= 1
    dx /= N
    return loss, dx

rng = np.random.default_rng(3)
X = rng.standard_normal((4, 2, 3))
y = np.array([0, 2, 1, 2])
W1, b1 = 0.3 * rng.standard_normal((6, 5)), np.zeros(5)
W2, b2 = 0.3 * rng.standard_normal((5, 3)), np.zeros(3)
a, cache1 = affine_forward(X, W1, b1)
h, relu_cache = relu_forward(a)
scores, cache2 = affine_forward(h, W2, b2)
loss, dscores = softmax_loss(scores, y)
dh, dW2, db2 = affine_backward(dscores, cache2)
da = relu_backward(dh, relu_cache)
dX, dW1, db1 = affine_backward(da, cache1)
print(loss)
