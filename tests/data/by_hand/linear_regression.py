import numpy as np
x = np.array([[1.0, 2.0], [2.0, 0.5], [3.0, -1.0], [4.0, 1.5]])
y = np.array([3.0, 4.5, 5.5, 9.0])
w = np.array([0.1, -0.2])
b = np.array([0.0])
lr = 0.01
for epoch in range(3):
    y_hat = x @ w + b
    error = y_hat - y
    loss = (error ** 2).mean()
    grad_w = 2 / len(y) * x.T @ error
    grad_b = 2 * error.mean(keepdims=True)
    w -= lr * grad_w
    b -= lr * grad_b
    print(epoch, loss)
