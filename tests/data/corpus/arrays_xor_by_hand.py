# kind: arrays
import numpy as np

np.random.seed(42)

def sigmoid(x):
    return 1 / (1 + np.exp(-x))

def sigmoid_derivative(x):
    return x * (1 - x)

X = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
y = np.array([[0], [1], [1], [0]])

hidden_weights = np.random.uniform(size=(2, 2))
hidden_bias = np.random.uniform(size=(1, 2))
output_weights = np.random.uniform(size=(2, 1))
output_bias = np.random.uniform(size=(1, 1))
lr = 0.5

print("Initial hidden weights: ", end='')
print(*hidden_weights)
print("Initial hidden biases: ", end='')
print(*hidden_bias)

for epoch in range(300):
    h = sigmoid(np.dot(X, hidden_weights) + hidden_bias)
    out = sigmoid(np.dot(h, output_weights) + output_bias)
    error = y - out
    d_out = error * sigmoid_derivative(out)
    d_h = d_out.dot(output_weights.T) * sigmoid_derivative(h)
    output_weights += h.T.dot(d_out) * lr
    output_bias += np.sum(d_out, axis=0, keepdims=True) * lr
    hidden_weights += X.T.dot(d_h) * lr
    hidden_bias += np.sum(d_h, axis=0, keepdims=True) * lr
    if epoch % 100 == 0:
        print(f"epoch {epoch} loss {np.mean(np.square(error)):.6f}")

print("Final hidden weights: ", end='')
print(*hidden_weights)
print("\nOutput from neural network after training: ", end='')
print(*out)
print(out.shape, out.dtype, out.ndim, out.size)
