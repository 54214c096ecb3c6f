# kind: arrays
import numpy as np
import matplotlib.pyplot as plt

class NeuralNetwork:
    """2-layer network with numpy"""
    def __init__(self, layers=[2, 4, 1], lr=0.5):
        rng = np.random.default_rng(42)
        self.params = {}
        self.lr = lr
        for i in range(1, len(layers)):
            self.params['W' + str(i)] = rng.standard_normal((layers[i], layers[i-1])) * np.sqrt(2. / layers[i-1])
            self.params['b' + str(i)] = np.zeros((layers[i], 1))
        self.L = len(layers) - 1
        self.loss_history = []

    @staticmethod
    def sigmoid(z):
        return 1 / (1 + np.exp(-z))

    def forward(self, X):
        self.cache = {'A0': X}
        A = X
        for i in range(1, self.L + 1):
            Z = self.params[f'W{i}'] @ A + self.params[f'b{i}']
            A = self.sigmoid(Z) if i == self.L else np.tanh(Z)
            self.cache[f'Z{i}'], self.cache[f'A{i}'] = Z, A
        return A

    def compute_cost(self, A, Y):
        m = Y.shape[1]
        return float(np.squeeze(-(1/m) * np.sum(Y*np.log(A) + (1-Y)*np.log(1-A))))

    def backward(self, Y):
        m = Y.shape[1]
        grads = {}
        dZ = self.cache[f'A{self.L}'] - Y
        for i in reversed(range(1, self.L + 1)):
            grads[f'dW{i}'] = dZ @ self.cache[f'A{i-1}'].T / m
            grads[f'db{i}'] = dZ.sum(axis=1, keepdims=True) / m
            if i > 1:
                dZ = (self.params[f'W{i}'].T @ dZ) * (1 - self.cache[f'A{i-1}'] ** 2)
        for k in self.params:
            self.params[k] -= self.lr * grads['d' + k]
        return grads

    def fit(self, X, Y, epochs=200, print_every=50):
        for e in range(epochs):
            A = self.forward(X)
            cost = self.compute_cost(A, Y)
            self.loss_history.append(cost)
            g = self.backward(Y)
            if e % print_every == 0:
                print("Cost after iteration {}: {:.6f}".format(e, cost))
        return self

X = np.array([[0, 0, 1, 1], [0, 1, 0, 1]])
Y = np.array([[0, 1, 1, 0]])
print("X shape:", X.shape, "Y shape:", Y.shape, "m =", X.shape[1])
nn = NeuralNetwork()
for k, v in nn.params.items():
    print(k, v.shape)
nn.fit(X, Y)
print((nn.forward(X) > 0.5).astype(int))
plt.plot(nn.loss_history, label='loss'); plt.legend(); plt.xlabel('epoch'); plt.show()
print(nn.params['W2'])
