# kind: arrays
import numpy as np
np.random.seed(42)
m = 30
X = 2 * np.random.rand(m, 1)
y = 4 + 3 * X + np.random.randn(m, 1)
X_b = np.c_[np.ones((m, 1)), X]
theta_best = np.linalg.inv(X_b.T.dot(X_b)).dot(X_b.T).dot(y)
print(theta_best)
X_new = np.array([[0], [2]])
X_new_b = np.c_[np.ones((2, 1)), X_new]
print(X_new_b.dot(theta_best))
theta_svd, residuals, rank, s = np.linalg.lstsq(X_b, y, rcond=1e-6)
print(theta_svd, rank)
print(np.linalg.pinv(X_b).dot(y))
eta, n_iterations = 0.1, 200
theta = np.random.randn(2, 1)
for iteration in range(n_iterations):
    gradients = 2/m * X_b.T.dot(X_b.dot(theta) - y)
    theta = theta - eta * gradients
print(theta)
t0, t1 = 5, 50
def learning_schedule(t):
    return t0 / (t + t1)
theta = np.random.randn(2, 1)
for epoch in range(5):
    for i in range(m):
        k = np.random.randint(m)
        xi, yi = X_b[k:k+1], y[k:k+1]
        gradients = 2 * xi.T.dot(xi.dot(theta) - yi)
        theta = theta - learning_schedule(epoch * m + i) * gradients
print(theta)
shuffled = np.random.permutation(m)[:10]
print(shuffled, theta.shape, theta.ravel().shape)
