import numpy as np
rng = np.random.default_rng(11)
sigmoid = lambda z: 1.0 / (1.0 + np.exp(-z))
X = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
Y = np.array([[0.0], [1.0], [1.0], [0.0]])
W1, b1 = rng.standard_normal((2, 3)), rng.standard_normal((1, 3))
W2, b2 = rng.standard_normal((3, 1)), rng.standard_normal((1, 1))
for epoch in range(2):
    Z1 = X.dot(W1) + b1
    A1 = sigmoid(Z1)
    Z2 = A1.dot(W2) + b2
    A2 = sigmoid(Z2)
    loss = np.mean((A2 - Y) ** 2)
    dA2 = 2 * (A2 - Y) / Y.size
    dZ2 = dA2 * A2 * (1 - A2)
    dW2 = A1.T.dot(dZ2)
    db2 = np.sum(dZ2, axis=0, keepdims=True)
    dA1 = dZ2.dot(W2.T)
    dZ1 = dA1 * A1 * (1 - A1)
    dW1 = X.T.dot(dZ1)
    db1 = np.sum(dZ1, axis=0, keepdims=True)
    W1 -= 0.5 * dW1
    b1 -= 0.5 * db1
    W2 -= 0.5 * dW2
    b2 -= 0.5 * db2
    print(loss)
