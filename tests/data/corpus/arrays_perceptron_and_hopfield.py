# kind: arrays
import numpy as np
class Perceptron(object):
    def __init__(self, eta=0.1, n_iter=10, random_state=1):
        self.eta = eta; self.n_iter = n_iter; self.random_state = random_state
    def fit(self, X, y):
        rgen = np.random.RandomState(self.random_state)
        self.w_ = rgen.normal(loc=0.0, scale=0.01, size=1 + X.shape[1])
        self.errors_ = []
        for _ in range(self.n_iter):
            errors = 0
            for xi, target in zip(X, y):
                update = self.eta * (target - self.predict(xi))
                self.w_[1:] += update * xi
                self.w_[0] += update
                errors += int(update != 0.0)
            self.errors_.append(errors)
        return self
    def net_input(self, X): return np.dot(X, self.w_[1:]) + self.w_[0]
    def predict(self, X): return np.where(self.net_input(X) >= 0.0, 1, -1)
X = np.array([[5.1, 1.4], [4.9, 1.4], [7.0, 4.7], [6.4, 4.5], [4.7, 1.3], [6.9, 4.9]])
y = np.where(np.array(['setosa', 'setosa', 'versi', 'versi', 'setosa', 'versi']) == 'setosa', -1, 1)
print(y)
ppn = Perceptron(eta=0.1, n_iter=6)
ppn.fit(X, y)
print(ppn.errors_)
print(ppn.w_)
print(ppn.predict(X), ppn.predict(X[0]))
P = np.array([[1, -1, 1, -1], [1, 1, -1, -1]])
W = (P.T @ P) / P.shape[0]
np.fill_diagonal(W, 0)
print(W)
s = np.array([1, -1, 1, 1])
for _ in range(3):
    s = np.sign(W @ s).astype(int)
    print(s, -0.5 * s @ W @ s)
