# kind: arrays
import numpy as np
import matplotlib.pyplot as plt
np.random.seed(0)
x = np.linspace(-3, 3, 20)
y = 0.5 * x**2 - x + 2 + np.random.normal(0, 0.3, x.shape)
coef = np.polyfit(x, y, 2)
print("Coefficients:", coef.round(4))
print(np.polyval(coef, [0, 1, 2]).round(4))
p = np.poly1d(coef)
print(round(p(1.5), 4))
A = np.vstack([x**2, x, np.ones_like(x)]).T
sol, res, rank, sv = np.linalg.lstsq(A, y, rcond=None)
print(sol.round(4), rank)
theta = np.linalg.inv(A.T @ A) @ A.T @ y
print(np.allclose(sol, theta), np.linalg.norm(sol - theta) < 1e-8)
w = np.zeros(3)
for i in range(200):
    grad = 2 * A.T @ (A @ w - y) / len(y)
    w -= 0.02 * grad
print(w.round(3))
resid = y - A @ w
print("MSE: {:.5f}  R2: {:.5f}".format((resid**2).mean(), 1 - resid.var() / y.var()))
fig, ax = plt.subplots(1, 2, figsize=(10, 4))
ax[0].plot(x, y, 'o', label='data')
ax[0].plot(x, p(x), 'r-', label='fit')
ax[0].legend()
ax[1].hist(resid, bins=10)
ax[1].set_title("residuals")
plt.tight_layout()
plt.savefig("fit.png")
plt.show()
print(np.linalg.solve(A.T @ A, A.T @ y).round(4))
