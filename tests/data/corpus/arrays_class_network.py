# kind: arrays
import numpy as np
class Layer:
    def __init__(self, n_in, n_out, activation='relu'):
        self.W = np.random.randn(n_in, n_out) * np.sqrt(2 / n_in)
        self.b = np.zeros(n_out)
        self.activation = activation
    def forward(self, X):
        self.X = X
        self.z = X @ self.W + self.b
        self.a = np.maximum(0, self.z) if self.activation == 'relu' else self.z
        return self.a
    def backward(self, grad):
        if self.activation == 'relu':
            grad = grad * (self.z > 0)
        self.dW = self.X.T @ grad / len(self.X)
        self.db = grad.mean(axis=0)
        return grad @ self.W.T
    def step(self, lr):
        self.W -= lr * self.dW
        self.b -= lr * self.db
class Network:
    def __init__(self, sizes):
        acts = ['relu'] * (len(sizes) - 2) + ['linear']
        self.layers = [Layer(i, o, a) for i, o, a in zip(sizes[:-1], sizes[1:], acts)]
    def forward(self, X):
        for layer in self.layers:
            X = layer.forward(X)
        return X
    def train(self, X, y, epochs=20, lr=0.05):
        for e in range(epochs):
            out = self.forward(X)
            loss = np.mean((out - y)**2)
            grad = 2 * (out - y)
            for layer in reversed(self.layers):
                grad = layer.backward(grad)
            for layer in self.layers:
                layer.step(lr)
            if e % 5 == 0:
                print(f'Epoch {e:3d} | loss {loss:.5f}')
np.random.seed(7)
X = np.linspace(-1, 1, 8).reshape(-1, 1)
y = X**2
net = Network([1, 8, 1])
net.train(X, y)
print(net.layers[0].W.shape, net.layers[0].b)
