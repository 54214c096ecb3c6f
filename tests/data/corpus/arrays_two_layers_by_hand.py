# kind: arrays
import numpy as np
# forward pass by hand
x = np.array([0.05, 0.10])
W1 = np.array([[0.15, 0.20], [0.25, 0.30]])
W2 = np.array([[0.40, 0.45], [0.50, 0.55]])
b1, b2 = 0.35, 0.60
target = np.array([0.01, 0.99])
sigmoid = lambda z: 1.0 / (1.0 + np.exp(-z))
h = sigmoid(W1.dot(x) + b1)
o = sigmoid(W2.dot(h) + b2)
print("hidden:", h)
print("out:", o)
E = 0.5 * (target - o) ** 2
print("error:", E, "total:", E.sum())
delta_o = (o - target) * o * (1 - o)
dW2 = np.outer(delta_o, h)
delta_h = W2.T.dot(delta_o) * h * (1 - h)
dW1 = np.outer(delta_h, x)
print("dW2 =\n", dW2)
print("dW1 =\n", dW1)
eta = 0.5
W2 -= eta * dW2; W1 -= eta * dW1
print(W1, W2, sep="\n")
for i in range(1000):
    h = sigmoid(W1 @ x + b1); o = sigmoid(W2 @ h + b2)
    d_o = (o - target) * o * (1 - o)
    d_h = W2.T @ d_o * h * (1 - h)
    W2 -= eta * d_o[:, None] * h[None, :]
    W1 -= eta * d_h[:, np.newaxis] * x
print(f"after training: {o}, error {np.sum(0.5*(target-o)**2):.10f}")
