import numpy as np

class Network:
    def __init__(self, n_in, n_hidden, n_out):
        rng = np.random.default_rng(1)
        self.W1 = rng.standard_normal((n_in, n_hidden))
        self.b1 = np.zeros(n_hidden)
        self.W2 = rng.standard_normal((n_hidden, n_out))
        self.b2 = np.zeros(n_out)

    def forward(self, X):
        self.z1 = X @ self.W1 + self.b1
        self.a1 = np.tanh(self.z1)
        self.out = self.a1 @ self.W2 + self.b2
        return self.out

    def backward(self, X, y):
        n = len(X)
        dout = 2 * (self.out - y) / n
        self.dW2 = self.a1.T @ dout
        self.db2 = dout.sum(axis=0)
        da1 = dout @ self.W2.T
        dz1 = da1 * (1 - self.a1 ** 2)
        self.dW1 = X.T @ dz1
        self.db1 = dz1.sum(axis=0)

    def step(self, lr):
        self.W1 -= lr * self.dW1
        self.b1 -= lr * self.db1
        self.W2 -= lr * self.dW2
        self.b2 -= lr * self.db2

rng = np.random.default_rng(0)
X = rng.standard_normal((5, 3))
y = rng.standard_normal((5, 1))
net = Network(3, 4, 1)
for epoch in range(3):
    pred = net.forward(X)
    loss = np.mean((pred - y) ** 2)
    net.backward(X, y)
    net.step(0.05)
    print(epoch, loss)
