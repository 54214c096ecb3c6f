# kind: arrays
import numpy as np
rng = np.random.RandomState(0)
X = 2 * rng.rand(20, 1)
y = 4 + 3 * X + rng.randn(20, 1)
X_b = np.c_[np.ones((20, 1)), X]
theta_best = np.linalg.inv(X_b.T.dot(X_b)).dot(X_b.T).dot(y)
print(theta_best.round(5))
theta = rng.randn(2, 1)
eta = 0.1
m = len(X_b)
for it in range(200):
    gradients = 2 / m * X_b.T.dot(X_b.dot(theta) - y)
    theta = theta - eta * gradients
print(theta.round(4).ravel())
print("norm of difference:", round(float(np.linalg.norm(theta - theta_best)), 6))
coef = np.polyfit(X.ravel(), y.ravel(), 1)
print(np.round(coef, 5), np.round(np.polyval(coef, 1.5), 5))
print(np.linalg.det(np.array([[1., 2.], [3., 4.]])).round(6), np.linalg.solve(np.array([[2., 0.], [0., 4.]]), np.array([1., 2.])))
