import numpy as np

np.random.seed(3)


def linear_forward(A_prev, W, b):
    return np.dot(W, A_prev) + b, (A_prev, W, b)


def forward(X, p):
    A, caches, L = X, [], len(p) // 2
    for l in range(1, L + 1):
        Z, linear = linear_forward(A, p[f"W{l}"], p[f"b{l}"])
        A = np.maximum(0, Z) if l < L else 1 / (1 + np.exp(-Z))
        caches.append((linear, Z))
    return A, caches


def linear_backward(dZ, cache):
    A_prev, W, b = cache
    m = A_prev.shape[1]
    dW = 1 / m * np.dot(dZ, A_prev.T)
    db = 1 / m * np.sum(dZ, axis=1, keepdims=True)
    dA_prev = np.dot(W.T, dZ)
    return dA_prev, dW, db


def relu_backward(dA, Z):
    dZ = np.array(dA, copy=True)
    dZ[Z <= 0] = 0
    return dZ


def sigmoid_backward(dA, Z):
    s = 1 / (1 + np.exp(-Z))
    return dA * s * (1 - s)


def backward(AL, Y, caches):
    grads, L = {}, len(caches)
    dA = -(np.divide(Y, AL) - np.divide(1 - Y, 1 - AL))
    for l in reversed(range(L)):
        linear, Z = caches[l]
        dZ = sigmoid_backward(dA, Z) if l == L - 1 else relu_backward(dA, Z)
        dA, grads[f"dW{l + 1}"], grads[f"db{l + 1}"] = linear_backward(dZ, linear)
    return grads


X, Y = np.random.randn(3, 5), np.array([[0.0, 1.0, 1.0, 0.0, 1.0]])
p = {"W1": np.random.randn(4, 3), "b1": np.zeros((4, 1)), "W2": np.random.randn(1, 4), "b2": np.zeros((1, 1))}
for i in range(2):
    AL, caches = forward(X, p)
    m = Y.shape[1]
    cost = np.squeeze(-1 / m * (np.dot(Y, np.log(AL).T) + np.dot(1 - Y, np.log(1 - AL).T)))
    grads = backward(AL, Y, caches)
    for name in p:
        p[name] = p[name] - 0.1 * grads["d" + name]
    print(i, cost)
